import { expect, test } from 'vitest';
import {
  address,
  addressed,
  fillCart,
  openShop,
  promote,
  sell,
  type BackOffice,
  takeStep,
  takeUntil,
} from '../support/checkout.ts';

function applies(shop: BackOffice, items?: Parameters<typeof fillCart>[1], to = address): boolean {
  const order = takeUntil(shop, fillCart(shop, items ?? [sell(shop)]), 'addressing', to);
  return order.promotion_ids.length > 0;
}

const rule = (type: string, configuration: object) =>
  ({ rules: [{ type, configuration }] }) as Parameters<typeof promote>[1];

test('a promotion without rules applies to every order', () => {
  const shop = openShop();
  promote(shop, { description: 'Opening week' });
  const order = addressed(shop);
  expect(order).toMatchObject({ items_total: 1000, adjustments_total: -100, total: 900 });
  expect(order.promotion_ids).toEqual([1]);
  expect(shop.db.adjustments.by('order', order.id)).toMatchObject([
    {
      label: 'promotion',
      description: 'Opening week',
      amount: -100,
      neutral: false,
      locked: false,
    },
  ]);
});

test('a discount without a description has the name of its promotion', () => {
  const shop = openShop();
  promote(shop, { name: 'Spring sale' });
  const { id } = addressed(shop);
  expect(shop.db.adjustments.first('order', id)?.description).toBe('Spring sale');
});

test('promotions apply by priority, highest first, then oldest first', () => {
  const shop = openShop();
  for (const priority of [1, 5, 1, -3]) promote(shop, { priority });
  expect(addressed(shop).promotion_ids).toEqual([2, 1, 3, 4]);
});

test('the first eligible exclusive promotion applies alone', () => {
  const shop = openShop();
  promote(shop, { priority: 9 });
  promote(shop, { priority: 5, exclusive: true, ...rule('item_total', { amount: 5000 }) });
  promote(shop, { priority: 3, exclusive: true });
  promote(shop, { priority: 2, exclusive: true });
  expect(addressed(shop).promotion_ids).toEqual([3]);
  expect(addressed(shop, [sell(shop, { price: 9000 })]).promotion_ids).toEqual([2]);
});

test.each([
  [{ starts_at: '2026-03-02T08:59:59+0000' }, true],
  [{ starts_at: '2026-03-02T09:00:00+0000' }, false],
  [{ ends_at: '2026-03-02T09:00:01+0000' }, true],
  [{ ends_at: '2026-03-02T09:00:00+0000' }, false],
  [{ used: 5, usage_limit: 6 }, true],
  [{ used: 5, usage_limit: 5 }, false],
  [{ used: 0, usage_limit: 0 }, false],
  [{ used: 999 }, true],
])('a promotion with %j applies: %s', (fields, isActive) => {
  const shop = openShop();
  promote(shop, fields);
  expect(applies(shop)).toBe(isActive);
});

test('a promotion counts as used once the order is confirmed, not before', () => {
  const shop = openShop();
  promote(shop);
  const order = takeUntil(shop, fillCart(shop, [sell(shop)]), 'payment');
  expect(shop.db.promotions.get(1)?.used).toBe(0);
  takeUntil(shop, fillCart(shop, [sell(shop)]), 'confirm');
  expect(shop.db.promotions.get(1)?.used).toBe(1);
  expect(order.promotion_ids).toEqual([1]);
});

test('a promotion that no longer applies is removed from the order', () => {
  const shop = openShop({ stepBack: true });
  promote(shop, { actions: [{ type: 'add_product', configuration: { variant: sell(shop).id } }] });
  promote(shop);
  const order = addressed(shop);
  expect(shop.db.orderItems.by('order', order.id)).toHaveLength(2);
  const locked = { order_id: order.id, label: 'promotion', description: 'Sorry', neutral: false };
  shop.db.adjustments.add({ ...locked, amount: -50, locked: true });
  for (const { id } of shop.db.promotions.by('priority')) shop.db.promotions.remove(id);
  const again = takeStep(shop, order, 'addressing');
  expect(again).toMatchObject({ promotion_ids: [], adjustments_total: -50, total: 950 });
  expect(shop.db.orderItems.by('order', order.id)).toHaveLength(1);
  expect(shop.db.inventoryUnits.by('order', order.id)).toHaveLength(1);
});
