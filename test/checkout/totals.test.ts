import { expect, test } from 'vitest';
import { fillCart, openShop, sell, type BackOffice } from '../support/checkout.ts';

interface Amount {
  readonly amount: number;
  readonly neutral?: boolean;
}

/** A shop whose order 1 has an item of two pieces of 1000, and these adjustments. */
function adjusted(ofItem: readonly Amount[], ofOrder: readonly Amount[]): BackOffice {
  const shop = openShop();
  const teapot = sell(shop);
  fillCart(shop, [{ ...teapot, quantity: 2 }]);
  const fields = { label: 'manual', description: 'By hand', neutral: false, locked: true };
  for (const one of ofItem) {
    shop.db.adjustments.add({ ...fields, ...one, order_id: 1, order_item_id: 1 });
  }
  for (const one of ofOrder) shop.db.adjustments.add({ ...fields, ...one, order_id: 1 });
  // Any change of the cart recalculates its totals.
  shop.checkout.addItem(1, { variant_id: teapot.id, unit_price: 0, quantity: 1 });
  return shop;
}

test('the total of an order is the sum of its items and adjustments', () => {
  const { db } = adjusted([], [{ amount: 500 }, { amount: -200 }]);
  expect(db.orders.get(1)).toMatchObject({
    items_total: 2000,
    adjustments_total: 300,
    total: 2300,
  });
});

test('neutral adjustments do not count, on an item or on the order', () => {
  const neutral = { amount: 230, neutral: true };
  const { db } = adjusted([neutral], [neutral]);
  expect(db.orderItems.get(1)).toMatchObject({ adjustments_total: 0, total: 2000 });
  expect(db.orders.get(1)).toMatchObject({ adjustments_total: 0, total: 2000 });
});

test.each([
  [-1999, 1],
  [-2000, 0],
  [-2001, 0],
])('an item of 2000 with an adjustment of %d has a total of %d', (amount, total) => {
  const { db } = adjusted([{ amount }], []);
  expect(db.orderItems.get(1)).toMatchObject({ adjustments_total: amount, total });
  expect(db.orders.get(1)).toMatchObject({ items_total: total, total });
});

test.each([
  [-1999, 1],
  [-2000, 0],
  [-2001, 0],
])('an order of 2000 with an adjustment of %d has a total of %d', (amount, total) => {
  const { db } = adjusted([], [{ amount }]);
  expect(db.orders.get(1)).toMatchObject({ items_total: 2000, adjustments_total: amount, total });
});
