import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createBackOffice } from '../../src/index.ts';
import { problemOf } from '../support/checkout.ts';
import { card } from '../support/checkout-steps.ts';
import { recordedShop } from './recorded-shop.ts';
import { runs } from '../support/runs.ts';
import { deeds, perform } from '../support/shop-deeds.ts';

test('after any sequence of calls, each order explains the total that it had after each of them', async () => {
  await fc.assert(
    fc.asyncProperty(deeds, async (list) => {
      const shop = await recordedShop();
      const { db, explain, history } = shop;
      const explained = (entry?: number) =>
        db.orders.page(0, 20).map(({ id }) => explain.order(id, entry));
      const then = list.map((deed) => {
        const end = shop.beginAction();
        problemOf(() => perform(shop, deed));
        end(deed.do);
        const entry = history.entries().at(-1)?.id ?? 0;
        return { entry, orders: explained() };
      });
      const before = JSON.stringify(shop.export());
      for (const { entry, orders } of then) {
        expect(orders.map(({ order }) => explain.order(order, entry))).toEqual(orders);
      }
      expect(JSON.stringify(shop.export())).toBe(before);
      expect(explained()).toEqual(then.at(-1)?.orders ?? []);
    }),
    { numRuns: runs(100) },
  );
});

test('an entry has the totals of the orders that it changed, and is compared with the rules of then', async () => {
  const shop = createBackOffice({ history: true, scenario: 'sale' });
  const { total: before } = shop.explain.order(1);
  shop.faults.add({ match: { path: '/api/orders/*' }, first: 1, delay: 0 });
  await shop.fetch('/api/orders/1');
  const add = { method: 'POST', headers: { 'content-type': 'application/json' } };
  const body = JSON.stringify({ variant: 1, quantity: 1, unitPrice: 1000 });
  await shop.fetch('/api/orders/1/items/', { ...add, body });
  const [read, added] = shop.journal.entries().map(({ id }) => id);
  const { total } = shop.explain.order(1);
  shop.faults.clear();
  await shop.fetch('/api/orders/1/items/', { ...add, body });
  expect(shop.explain.order(1).total).not.toBe(total);

  expect(shop.explain.entry(added!)).toMatchObject({
    faults: [{ because: [{ wanted: 'the first 1 matches', actual: 'a later one' }] }],
    orders: [{ order: 1, total }],
  });
  expect(shop.explain.entry(read!)).toMatchObject({ faults: [{ applied: true }], orders: [] });
  expect(shop.explain.order(1, added).total).toBe(total);
  expect(shop.explain.order(1, read).total).toBe(before);
  expect(shop.explain.order(1, 0).total).toBe(before);
  const response = await shop.fetch(`/_backlot/orders/1/why?at=${added}`);
  expect(await response.json()).toEqual(shop.explain.order(1, added));
});

test('a state that the history does not keep is refused', () => {
  const shop = createBackOffice({ history: { maxEntries: 1 } });
  for (const amount of [1, 2, 3]) {
    const end = shop.beginAction();
    shop.db.orders.change(1, { total: amount });
    end('change');
  }
  const ask = (at: number) => problemOf(() => shop.explain.order(1, at));
  expect(ask(1)).toMatchObject({ kind: 'refused' });
  expect(ask(4)).toMatchObject({ kind: 'missing', message: 'Entry #4 of the history not found.' });
  expect(ask(3)).toBeUndefined();
  expect(problemOf(() => createBackOffice().explain.order(1, 0))?.message).toBe(
    'The history is off. Open the back office with `history: true`.',
  );
});

test('rules of the script find the order of a request below any path of the API', async () => {
  const shop = createBackOffice({
    apiPath: '/api/v1',
    scenario: 'awaiting-purchase',
    history: true,
  });
  const [order] = shop.db.orders.by('pending');
  shop.script.add({ on: 'purchase', match: { totalFrom: order!.total + 1 }, outcome: 'declined' });
  await shop.fetch(`/api/v1/checkouts/${order!.id}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(card),
  });
  const [entry] = shop.journal.entries();
  expect(shop.explain.entry(entry!.id).script).toMatchObject([
    { because: [{ wanted: `totalFrom ${order!.total + 1}`, actual: String(order!.total) }] },
  ]);
});
