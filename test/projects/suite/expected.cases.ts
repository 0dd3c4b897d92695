import { expectUnder, oracle } from 'backlot/suite';
import { test } from 'backlot/vitest';
import { expect, vi } from 'vitest';
import { showOrder } from './page.ts';

oracle('shows a support number', ({ texts, fault }) =>
  texts?.some((one) => /\d{3}-\d{4}/.test(one)) === true ? undefined : `there is none (${fault})`,
);

const alert = (): string | undefined =>
  document.querySelector('[role="alert"]')?.textContent ?? undefined;

test('an order says that it cannot be shown', async ({ office }) => {
  expectUnder({ fault: ['drop', '503'], request: 'GET /api/orders' }, () =>
    expect(alert()).toBe('The order cannot be shown now.'),
  );
  expectUnder('401', () => vi.waitFor(() => expect(alert()).toContain('Sign in'), { timeout: 50 }));
  expectUnder({ fault: '429', request: 'POST /api/orders' }, () => expect.fail('never called'));
  const { id } = office.given.anOrder({ awaits: 'payment' });
  await showOrder(id, true);
  expect(document.querySelector('h1')?.textContent).toBe('€17.4');
});
