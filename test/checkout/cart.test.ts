import { expect, test } from 'vitest';
import {
  amounts,
  now,
  openCart,
  openShop,
  problemOf,
  promote,
  sell,
  shopWithCart,
  takeStep,
  takeUntil,
} from '../support/checkout.ts';

test('a new cart is empty, has no number, and expires after three hours', () => {
  const shop = openShop();
  const order = openCart(shop);
  expect(order).toEqual({
    id: 1,
    channel_id: 1,
    user_id: 1,
    currency: 'EUR',
    email: 'customer1@example.com',
    state: 'cart',
    checkout_state: 'cart',
    confirmed: true,
    items_total: 0,
    adjustments_total: 0,
    total: 0,
    coupon_ids: [],
    promotion_ids: [],
    expires_at: '2026-03-02T12:00:00+0000',
    created_at: '2026-03-02T09:00:00+0000',
    updated_at: '2026-03-02T09:00:00+0000',
  });
});

test.each([
  [{ channel_id: 9 }, 'channel'],
  [{ user_id: 9 }, 'user'],
  [{ currency: 'XXX' }, 'currency'],
])('a cart with %j is invalid', (wrong, field) => {
  const shop = openShop();
  const fields = { channel_id: 1, user_id: 1, currency: 'EUR', ...wrong };
  expect(problemOf(() => shop.checkout.createOrder(fields))).toMatchObject({
    kind: 'invalid',
    fields: [{ path: [field], message: 'This value is not valid.' }],
  });
});

test('an added item has a unit for each piece and counts in the totals at once', () => {
  const { shop, order } = shopWithCart();
  const item = shop.checkout.addItem(order.id, { variant_id: 1, unit_price: 250, quantity: 3 });
  expect(item).toMatchObject({ quantity: 3, unit_price: 250, total: 750, immutable: false });
  expect(shop.db.inventoryUnits.by('item', item.id)).toMatchObject([
    { inventory_state: 'checkout' },
    { inventory_state: 'checkout' },
    { inventory_state: 'checkout' },
  ]);
  expect(now(shop, order.id)).toMatchObject({ items_total: 1750, total: 1750 });
  expect(shop.db.orderItems.by('order', order.id)).toHaveLength(2);
});

test('with `totals: at-steps` an item counts in the totals from addressing on', () => {
  const { shop, order } = shopWithCart({ totals: 'at-steps' });
  expect(shop.db.orderItems.first('order', order.id)).toMatchObject({
    total: 0,
    adjustments_total: 0,
  });
  expect(order.total).toBe(0);
  expect(takeStep(shop, order, 'addressing').total).toBe(1000);
  expect(shop.db.orderItems.first('order', order.id)?.total).toBe(1000);
});

test.each([
  [{ variant_id: 9 }, 'variant'],
  [{ quantity: 0 }, 'quantity'],
  [{ quantity: 1.5 }, 'quantity'],
  [{ quantity: 10_001 }, 'quantity'],
  [{ unit_price: -1 }, 'unitPrice'],
  [{ unit_price: 0.5 }, 'unitPrice'],
  [{ unit_price: 1e12, quantity: 2 }, 'unitPrice'],
])('an item with %j is invalid', (wrong, field) => {
  const { shop, order } = shopWithCart();
  const line = { variant_id: 1, unit_price: 100, quantity: 1, ...wrong };
  expect(problemOf(() => shop.checkout.addItem(order.id, line))?.fields).toMatchObject([
    { path: [field] },
  ]);
});

test('an item of the maximum quantity and amount is accepted', () => {
  const { shop, order } = shopWithCart();
  const line = { variant_id: 1, quantity: 10_000, unit_price: 1e8 };
  expect(shop.checkout.addItem(order.id, line).total).toBe(1e12);
});

test('items can be added to and removed from a cart only', () => {
  const { shop, order } = shopWithCart();
  const pending = takeUntil(shop, order, 'confirm');
  const [item] = shop.db.orderItems.by('order', order.id);
  const line = { variant_id: 1, unit_price: 100, quantity: 1 };
  const message = 'Order 1 is in state pending: only a cart can be changed.';
  expect(problemOf(() => shop.checkout.addItem(pending.id, line))?.message).toBe(message);
  expect(problemOf(() => shop.checkout.removeItem(pending.id, item!.id))?.message).toBe(message);
});

test('removing an item also removes its units and adjustments', () => {
  const { shop, order } = shopWithCart();
  const item = shop.checkout.addItem(order.id, { variant_id: 1, unit_price: 250, quantity: 3 });
  const fields = { label: 'gift wrap', description: 'Paper', amount: 50, neutral: false };
  shop.db.adjustments.add({ ...fields, order_id: 1, order_item_id: item.id, locked: true });
  shop.checkout.removeItem(order.id, item.id);
  expect(now(shop, order.id)).toMatchObject({ items_total: 1000, total: 1000 });
  expect(shop.db.inventoryUnits.count()).toBe(1);
  expect(shop.db.adjustments.count()).toBe(0);
});

test('an adjustment of an item counts in its total', () => {
  const { shop, order } = shopWithCart();
  const fields = { label: 'gift wrap', description: 'Paper', neutral: false, locked: true };
  shop.db.adjustments.add({ ...fields, order_id: 1, order_item_id: 1, amount: 50 });
  shop.db.adjustments.add({ ...fields, order_id: 1, order_item_id: 1, amount: 9, neutral: true });
  expect(takeStep(shop, order, 'addressing')).toMatchObject({ items_total: 1050, total: 1050 });
  expect(shop.db.orderItems.get(1)).toMatchObject({ adjustments_total: 50, total: 1050 });
});

test('adding an item to a later cart returns it to addressing, without shipments and payment', () => {
  const { shop, order } = shopWithCart();
  promote(shop);
  const ready = takeUntil(shop, order, 'payment');
  shop.checkout.addItem(ready.id, { variant_id: 1, unit_price: 250, quantity: 1 });
  const back = now(shop, order.id);
  expect(back).toMatchObject({ checkout_state: 'addressing', items_total: 1250, total: 1150 });
  expect(shop.db.shipments.count()).toBe(0);
  expect(shop.db.payments.count()).toBe(0);
  expect(amounts(shop, back, 'shipping')).toEqual([]);
  expect(takeUntil(shop, back, 'purchase')).toMatchObject({ state: 'confirmed', total: 1650 });
});

test.each(['addressing', 'payment'] as const)(
  'removing the last item returns a cart at %s to the state cart',
  (step) => {
    const { shop, order } = shopWithCart();
    promote(shop, {
      actions: [{ type: 'add_product', configuration: { variant: sell(shop).id } }],
    });
    promote(shop);
    const ready = takeUntil(shop, order, step);
    shop.checkout.removeItem(ready.id, 1);
    expect(now(shop, order.id)).toMatchObject({ checkout_state: 'cart', total: 0 });
    expect(shop.db.orderItems.count() + shop.db.inventoryUnits.count()).toBe(0);
    expect(shop.db.adjustments.count() + shop.db.shipments.count()).toBe(0);
  },
);
