import { test } from 'backlot/vitest';
import { expect, vi } from 'vitest';
import { showOrder } from './page.ts';

const isCareful = process.env['CAREFUL'] === 'yes';

const text = (selector: string): string | undefined =>
  document.querySelector(selector)?.textContent ?? undefined;

test('an order shows its total', async ({ office }) => {
  const { id } = office.given.anOrder({ awaits: 'payment' });
  await showOrder(id, isCareful);
  expect(text('h1')).toBe('€17.4');
});

test('a payment leads to the next step', async ({ office }) => {
  const { id } = office.given.anOrder({ awaits: 'payment' });
  await showOrder(id, isCareful);
  document.querySelector('button')?.click();
  await vi.waitFor(() => expect(text('#step')).toBe('payment'), { timeout: 300 });
});
