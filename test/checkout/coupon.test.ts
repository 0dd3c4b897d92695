import { expect, test } from 'vitest';
import {
  address,
  fillCart,
  now,
  openShop,
  problemOf,
  promote,
  sell,
  type BackOffice,
  takeUntil,
} from '../support/checkout.ts';

function applies(shop: BackOffice, items?: Parameters<typeof fillCart>[1], to = address): boolean {
  const order = takeUntil(shop, fillCart(shop, items ?? [sell(shop)]), 'addressing', to);
  return order.promotion_ids.length > 0;
}

/** A promotion with the coupon HELLO. */
function withCoupon(shop: BackOffice, coupon: { usage_limit?: number; expires_at?: string } = {}) {
  promote(shop, { coupon_based: true });
  shop.db.coupons.add({ promotion_id: 1, code: 'HELLO', used: 0, ...coupon });
}

test('a coupon-based promotion requires one of its coupons on the order', () => {
  const shop = openShop();
  withCoupon(shop);
  promote(shop, { coupon_based: true });
  expect(applies(shop)).toBe(false);
  const order = shop.checkout.useCoupon(fillCart(shop, [sell(shop)]).id, 'HELLO');
  expect(takeUntil(shop, order, 'addressing').promotion_ids).toEqual([1]);
});

test('a coupon counts as used once the order is paid, not before', () => {
  const shop = openShop();
  withCoupon(shop, { usage_limit: 1 });
  const first = shop.checkout.useCoupon(fillCart(shop, [sell(shop)]).id, 'HELLO');
  takeUntil(shop, first, 'confirm');
  expect(shop.db.coupons.get(1)?.used).toBe(0);
  const second = shop.checkout.useCoupon(fillCart(shop, [sell(shop)]).id, 'HELLO');
  expect(second.coupon_ids).toEqual([1]);
  takeUntil(shop, second, 'purchase');
  expect(shop.db.coupons.get(1)?.used).toBe(1);
  const third = fillCart(shop, [sell(shop)]);
  expect(problemOf(() => shop.checkout.useCoupon(third.id, 'HELLO'))?.fields).toEqual([
    { path: ['coupon'], message: 'Coupon HELLO is used up.' },
  ]);
});

test.each([
  ['2026-03-02T09:00:00+0000', undefined],
  ['2026-03-02T08:59:59+0000', 'coupon: Coupon HELLO expired at 2026-03-02T08:59:59+0000.'],
])('a coupon that expires at %s: %s', (expires_at, message) => {
  const shop = openShop();
  withCoupon(shop, { expires_at });
  const order = fillCart(shop, [sell(shop)]);
  expect(problemOf(() => shop.checkout.useCoupon(order.id, 'HELLO'))?.message).toBe(message);
});

test('a coupon that does not exist is rejected', () => {
  const shop = openShop();
  const order = fillCart(shop, [sell(shop)]);
  expect(problemOf(() => shop.checkout.useCoupon(order.id, 'NO'))).toMatchObject({
    kind: 'invalid',
  });
  expect(problemOf(() => shop.checkout.removeCoupon(order.id, 'NO'))).toMatchObject({
    kind: 'invalid',
  });
});

test('a coupon that is added twice is on the order once', () => {
  const shop = openShop();
  withCoupon(shop);
  const order = shop.checkout.useCoupon(fillCart(shop, [sell(shop)]).id, 'HELLO');
  expect(shop.checkout.useCoupon(order.id, 'HELLO').coupon_ids).toEqual([1]);
});

test('a coupon added after payment updates the discount and the payment at once, and can be removed', () => {
  const shop = openShop();
  withCoupon(shop);
  const order = takeUntil(shop, fillCart(shop, [sell(shop)]), 'payment');
  const payment = () => shop.db.payments.first('order', order.id)?.amount;
  const cheaper = shop.checkout.useCoupon(order.id, 'HELLO');
  expect([cheaper.total, payment()]).toEqual([1400, 1400]);
  const dropped = shop.checkout.removeCoupon(cheaper.id, 'HELLO');
  expect([dropped.total, payment(), dropped.coupon_ids]).toEqual([1500, 1500, []]);
});

test('coupons can be added to a cart only', () => {
  const shop = openShop();
  withCoupon(shop);
  const order = takeUntil(shop, fillCart(shop, [sell(shop)]), 'confirm');
  expect(problemOf(() => shop.checkout.useCoupon(order.id, 'HELLO'))).toMatchObject({
    kind: 'refused',
  });
  expect(problemOf(() => shop.checkout.removeCoupon(order.id, 'HELLO'))).toMatchObject({
    kind: 'refused',
  });
});

test('a bonus item of a coupon added after shipping joins the first shipment', () => {
  const shop = openShop();
  promote(shop, {
    coupon_based: true,
    actions: [{ type: 'add_product', configuration: { variant: sell(shop).id } }],
  });
  shop.db.coupons.add({ promotion_id: 1, code: 'GIFT', used: 0 });
  const order = takeUntil(shop, fillCart(shop, [sell(shop)]), 'shipping');
  shop.checkout.useCoupon(order.id, 'GIFT');
  const shipments = shop.db.inventoryUnits.by('order', order.id).map((unit) => unit.shipment_id);
  expect(shipments).toEqual([1, 1]);
  const paid = takeUntil(shop, now(shop, order.id), 'purchase');
  expect(shop.db.shipments.first('order', paid.id)?.state).toBe('ready');
});
