import { expect, test } from 'vitest';
import { submitStep } from '../support/checkout-steps.ts';
import { openOffice } from '../support/office.ts';

test('the journal finds the requests to which a fault or a script applied', async () => {
  const office = openOffice({ scenario: 'awaiting-purchase' });
  office.script.add({ on: 'purchase', outcome: 'declined' });
  office.faults.add({ match: { method: 'GET' }, status: 503 });
  await submitStep(office.call, 1, 'purchase');
  await office.call('GET /api/orders/1');
  const found = (filter: Parameters<typeof office.journal.entries>[0]): number[] =>
    office.journal.entries(filter).map(({ id }) => id);
  expect([found({ script: true }), found({ script: 1 }), found({ script: 2 })]).toEqual([
    [1],
    [1],
    [],
  ]);
  expect([found({ fault: true }), found({ fault: 1 }), found({ fault: 2 })]).toEqual([
    [2],
    [2],
    [],
  ]);
});

test('a filter with a parameter name of more than 1000 characters is rejected', () => {
  const filter = { reached: false, query: { ['x'.repeat(1001)]: 1 } };
  expect(() => openOffice().journal.entries(filter)).toThrow(
    'query: A parameter name has 1,001 characters, at most 1,000 are accepted.',
  );
});
