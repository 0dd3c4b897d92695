import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Adjustment, InventoryUnit, Order } from '../../src/shop/models/order.ts';
import { openShop, problemOf, promote, sell, type BackOffice, stock } from '../support/checkout.ts';
import { expectExplained } from '../support/explained.ts';
import { deeds, perform, type Deed } from '../support/shop-deeds.ts';
import { runs } from '../support/runs.ts';

/** A shop with little stock of two variants at two locations, one that is not counted, and promotions. */
function walkedShop(stepBack: boolean): BackOffice {
  const shop = openShop({ stepBack, pendingLifetime: 'PT5H' });
  const [teapot, cup] = [sell(shop), sell(shop, { price: 450 }), sell(shop, { price: 77 })];
  stock(shop, teapot, 3);
  stock(shop, cup, 1);
  shop.db.stockItems.add({ stock_location_id: 2, variant_id: 1, on_hand: 2, on_hold: 0 });
  promote(shop, {
    rules: [{ type: 'item_count', configuration: { count: 1 } }],
    actions: [
      { type: 'add_product', configuration: { variant: 2 } },
      { type: 'percentage_discount', configuration: { percentage: 0.15 } },
    ],
  });
  promote(shop, { coupon_based: true });
  shop.db.coupons.add({ promotion_id: 2, code: 'HELLO', used: 0, usage_limit: 2 });
  return shop;
}

const allUnits = ({ db }: BackOffice) => db.inventoryUnits.page(0, Infinity);

/** Returns the number of pieces on hand or sold. */
function pieces(shop: BackOffice): number {
  const sold = allUnits(shop).filter(
    (unit) => unit.inventory_state === 'sold' && unit.stock_location_id !== undefined,
  );
  return shop.db.stockItems.page(0, 99).reduce((sum, item) => sum + item.on_hand, sold.length);
}

/** Returns the number of pieces that a deed adds to stock. */
function addedPieces({ db }: BackOffice, deed: Deed): number {
  if (deed.do !== 'stock') return 0;
  const here = db.stockItems
    .page(0, 99)
    .find((item) => item.variant_id === deed.variant && item.stock_location_id === 1);
  return deed.on_hand - (here?.on_hand ?? 0);
}

function expectValidStock(shop: BackOffice): void {
  const held = allUnits(shop).filter((unit) => unit.inventory_state === 'onhold');
  for (const { on_hand, on_hold, variant_id, stock_location_id } of shop.db.stockItems.page(
    0,
    99,
  )) {
    const here = held.filter(
      (unit) => unit.variant_id === variant_id && unit.stock_location_id === stock_location_id,
    );
    expect(on_hand).toBeGreaterThanOrEqual(0);
    expect(on_hold).toBe(here.length);
  }
}

function expectValidOrder({ db }: BackOffice, order: Order, units: readonly InventoryUnit[]): void {
  const items = db.orderItems.by('order', order.id);
  const totals = items.map(({ id, quantity, unit_price }) =>
    Math.max(0, quantity * unit_price + sumCounted(db.adjustments.by('item', id))),
  );
  expect(items.map((item) => item.total)).toEqual(totals);
  const items_total = totals.reduce((sum, total) => sum + total, 0);
  const adjustments_total = sumCounted(db.adjustments.by('order', order.id));
  const total = Math.max(0, items_total + adjustments_total);
  expect(order).toMatchObject({ items_total, adjustments_total, total });
  expect(units).toHaveLength(items.reduce((sum, item) => sum + item.quantity, 0));
  const shipments = db.shipments.by('order', order.id);
  const sent = units.filter((unit) => shipments.some(({ id }) => id === unit.shipment_id));
  const isPacked = order.checkout_state !== 'cart' && order.checkout_state !== 'addressing';
  expect(sent).toHaveLength(isPacked ? units.length : 0);
  if (order.state === 'confirmed' && units.every((unit) => unit.inventory_state === 'sold')) {
    expect(shipments.map(({ state }) => state)).not.toContain('backordered');
  }
}

/** Returns the sum of the adjustments that are not neutral. */
function sumCounted(adjustments: readonly Adjustment[]): number {
  return adjustments.reduce((sum, { amount, neutral }) => (neutral ? sum : sum + amount), 0);
}

function expectValidPayment({ db }: BackOffice, order: Order): void {
  const open = db.payments.by('order', order.id).filter(({ state }) => state === 'new');
  expect(open.length).toBeLessThanOrEqual(1);
  if (order.state === 'cart' && open[0] !== undefined) expect(open[0].amount).toBe(order.total);
}

test('after any sequence of calls, totals add up and are explained, stock is conserved and at least 0, and only Problems are thrown', () => {
  fc.assert(
    fc.property(fc.boolean(), deeds, (stepBack, list) => {
      const shop = walkedShop(stepBack);
      for (const deed of list) {
        const expected = pieces(shop) + addedPieces(shop, deed);
        const problem = problemOf(() => perform(shop, deed));
        if (problem === undefined) expect(pieces(shop)).toBe(expected);
        else expect(['refused', 'invalid', 'missing']).toContain(problem.kind);
        expectValidStock(shop);
        for (const { id } of shop.db.orders.page(0, 99)) expectExplained(shop, id);
      }
      for (const order of shop.db.orders.page(0, 99)) {
        expectValidOrder(shop, order, shop.db.inventoryUnits.by('order', order.id));
        expectValidPayment(shop, order);
      }
    }),
    { numRuns: runs(400) },
  );
});
