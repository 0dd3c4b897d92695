import { expect, test } from 'vitest';
import { createBackOffice } from '../../src/mounts/node.ts';
import { Coverage } from '../../src/engine/coverage/recorder.ts';

/** Returns the values of the state of orders that were met, or of another field. */
function statesOf(coverage: Coverage, field = 'Order.state'): string[] {
  return Object.keys(coverage.counts().items).filter((key) => key.startsWith(`enums: ${field}=`));
}

test('a state that a fault hid counts when a response shows it, although it is cached', async () => {
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

test('a list counts no inventory units', async () => {
  const coverage = new Coverage();
  const office = createBackOffice({ coverage });
  const { id } = office.given.anOrder({ at: 'completed' });
  const field = 'InventoryUnit.inventory_state';
  await office.fetch('/api/orders/?limit=100');
  expect(statesOf(coverage, field)).toEqual([]);
  await office.fetch(`/api/orders/${id}`);
  expect(statesOf(coverage, field)).toHaveLength(1);
  coverage.counts({ reset: true });
  await office.fetch('/api/orders/?limit=100&page=1');
  expect(statesOf(coverage, field)).toEqual([]);
});
