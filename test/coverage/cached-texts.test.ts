import { expect, test } from 'vitest';
import { createBackOffice } from '../../src/adapters/node.ts';
import { Coverage } from '../../src/coverage/recorder.ts';

/** Returns the values of the state of orders that were met. */
function statesOf(coverage: Coverage): string[] {
  return Object.keys(coverage.counts().items).filter((key) =>
    key.startsWith('enums: Order.state='),
  );
}

test('a state that a fault hid counts when a response shows it, although its text is cached', async () => {
  const coverage = new Coverage();
  const office = createBackOffice({ coverage });
  const { id } = office.given.anOrder({ at: 'completed' });
  const fault = office.faults.add({ match: { method: 'GET' }, corrupt: 'malformed' });
  await office.fetch(`/api/orders/${id}/`);
  expect(statesOf(coverage)).toEqual([]);
  office.faults.remove(fault.id);
  await office.fetch(`/api/orders/${id}/`);
  expect(statesOf(coverage)).toHaveLength(1);
});

test('a list counts what changed in one of its orders', async () => {
  const coverage = new Coverage();
  const office = createBackOffice({ coverage });
  const { id } = office.given.anOrder({ at: 'finalize' });
  await office.fetch('/api/orders/?limit=1&sorting[id]=desc');
  const before = statesOf(coverage);
  office.checkout.submit(id, 'purchase');
  await office.fetch('/api/orders/?limit=100&sorting[id]=desc');
  expect(statesOf(coverage).length).toBeGreaterThan(before.length);
});
