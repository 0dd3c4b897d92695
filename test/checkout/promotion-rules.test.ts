import { expect, test } from 'vitest';
import {
  address,
  addressed,
  addUser,
  canada,
  fillCart,
  germany,
  japan,
  ontario,
  openShop,
  promote,
  sell,
  type BackOffice,
  takeUntil,
} from '../support/checkout.ts';

function applies(shop: BackOffice, items?: Parameters<typeof fillCart>[1], to = address): boolean {
  const order = takeUntil(shop, fillCart(shop, items ?? [sell(shop)]), 'addressing', to);
  return order.promotion_ids.length > 0;
}

const rule = (type: string, configuration: object) =>
  ({ rules: [{ type, configuration }] }) as Parameters<typeof promote>[1];

test.each([
  [999, true, false],
  [1000, true, true],
  [1001, true, true],
  [999, false, false],
  [1000, false, false],
  [1001, false, true],
])('item_total: items of %d, required 1000, equal %s: %s', (price, equal, holds) => {
  const shop = openShop();
  promote(shop, rule('item_total', { amount: 1000, equal }));
  expect(applies(shop, [sell(shop, { price })])).toBe(holds);
});

test('item_total counts items without charges and discounts', () => {
  const shop = openShop();
  promote(shop, { priority: 9 });
  promote(shop, rule('item_total', { amount: 1000, equal: true }));
  expect(addressed(shop).promotion_ids).toEqual([1, 2]);
});

test.each([
  ['lines', 1, true, false],
  ['lines', 2, true, true],
  ['lines', 2, false, false],
  ['lines', 3, false, true],
  ['quantity', 1, true, true],
])(
  'item_count in %s: %d items of 3 pieces, required 2, equal %s: %s',
  (itemCount, n, equal, holds) => {
    const shop = openShop({ itemCount: itemCount as 'lines' | 'quantity' });
    promote(shop, rule('item_count', { count: 2, equal }));
    const items = Array.from({ length: n }, () => ({ ...sell(shop), quantity: 3 }));
    expect(applies(shop, items)).toBe(holds);
  },
);

test('rules ignore bonus items, also when they are tested again', () => {
  const shop = openShop({ stepBack: true });
  promote(shop, { actions: [{ type: 'add_product', configuration: { variant: sell(shop).id } }] });
  promote(shop, rule('item_count', { count: 2, equal: true }));
  const order = addressed(shop);
  expect(order.promotion_ids).toEqual([1]);
  expect(takeUntil(shop, order, 'shipping').promotion_ids).toEqual([1]);
});

test('nth_order counts the orders that the customer has paid before', () => {
  const shop = openShop();
  promote(shop, rule('nth_order', { nth: 2 }));
  const user = addUser(shop);
  const buy = (last: 'confirm' | 'purchase', by: number) =>
    takeUntil(shop, fillCart(shop, [sell(shop)], by), last).promotion_ids.length;
  expect(buy('purchase', user)).toBe(0);
  // Another customer's orders do not count, nor do orders that are not paid.
  expect(buy('purchase', 1)).toBe(0);
  expect(buy('confirm', user)).toBe(1);
  expect(buy('purchase', user)).toBe(1);
  expect(buy('purchase', user)).toBe(0);
});

test('shipping_country matches the country of the shipping address', () => {
  const shop = openShop();
  promote(shop, rule('shipping_country', { country: japan }));
  expect(applies(shop, undefined, { ...address, country_id: japan })).toBe(true);
  expect(applies(shop, undefined, { ...address, country_id: germany })).toBe(false);
  const to = { ...address, country_id: canada, province_id: ontario };
  expect(applies(shop, undefined, to)).toBe(false);
});

test.each([
  [[1], false, true],
  [[3, 2], false, true],
  [[3], false, false],
  [[], false, false],
  [[1], true, false],
  [[3], true, true],
])('taxonomy: required taxons %j, exclude %s: %s', (taxons, exclude, holds) => {
  const shop = openShop();
  promote(shop, rule('taxonomy', { taxons, exclude }));
  expect(applies(shop, [sell(shop), sell(shop, { taxons: [1, 2] })])).toBe(holds);
});

test.each([
  [1, false, true],
  [2, false, false],
  [1, true, false],
  [2, true, true],
])('contains_product: required variant %d, exclude %s: %s', (variant, exclude, holds) => {
  const shop = openShop();
  promote(shop, rule('contains_product', { variant, exclude }));
  expect(applies(shop, [sell(shop)])).toBe(holds);
});

test.each([
  ['2025-03-02T08:59:59+0000', { time: 12, unit: 'months' }, true],
  ['2025-03-02T09:00:00+0000', { time: 12, unit: 'months' }, false],
  ['2025-03-02T09:00:00+0000', { time: 12, unit: 'months', after: true }, true],
  ['2025-03-02T08:59:59+0000', { time: 12, unit: 'months', after: true }, false],
  ['2026-02-27T08:59:59+0000', { time: 3, unit: 'days' }, true],
  ['2026-02-27T09:00:00+0000', { time: 3, unit: 'days' }, false],
  ['2026-02-16T08:59:59+0000', { time: 2, unit: 'weeks' }, true],
  ['2026-02-16T09:00:01+0000', { time: 2, unit: 'weeks' }, false],
  ['2024-03-02T08:59:59+0000', { time: 2, unit: 'years' }, true],
  ['2024-03-02T09:00:00+0000', { time: 2, unit: 'years' }, false],
  ['2026-03-02T08:59:59+0000', { time: 0, unit: 'days' }, true],
  ['2020-01-01T00:00:00+0000', { time: 1e300, unit: 'years' }, false],
])('user_loyalty: an account of %s, required %j: %s', (created, configuration, holds) => {
  const shop = openShop();
  promote(shop, rule('user_loyalty', configuration));
  const order = fillCart(shop, [sell(shop)], addUser(shop, created));
  expect(takeUntil(shop, order, 'addressing').promotion_ids).toHaveLength(holds ? 1 : 0);
});

function totalOf(amount: number) {
  return { type: 'item_total', configuration: { amount, equal: true } } as const;
}

test('a promotion applies only if all of its rules match', () => {
  const shop = openShop();
  promote(shop, { rules: [totalOf(1000), totalOf(1001)] });
  promote(shop, { rules: [totalOf(1000), totalOf(999)] });
  expect(addressed(shop).promotion_ids).toEqual([2]);
});
