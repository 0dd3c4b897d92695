import { test } from 'backlot/vitest';
import { expect, vi } from 'vitest';
import { showOrder } from './page.ts';

test.fails('a known bug', async ({ office }) => {
  const { id } = office.given.anOrder({ awaits: 'payment' });
  await showOrder(id, true);
  expect(document.querySelector('h1')?.textContent).toBe('€17.40');
});

test('an order shows its total and a countdown, with fake timers that stay', async ({ office }) => {
  const { id } = office.given.anOrder({ awaits: 'payment' });
  vi.useFakeTimers();
  await showOrder(id, true);
  setTimeout(() => document.body.insertAdjacentHTML('beforeend', '<p>Too late</p>'), 60_000);
  vi.advanceTimersByTime(60_000);
  expect(document.body.textContent).toContain('€17.4');
  expect(document.body.textContent).toContain('Too late');
});

test('a total looks as its snapshot', async ({ office }) => {
  const { id } = office.given.anOrder({ awaits: 'payment' });
  await showOrder(id, true);
  expect(document.querySelector('h1')).toMatchInlineSnapshot(`
    <h1>
      €17.4
    </h1>
  `);
});
