import { expect, test } from 'vitest';
import {
  addressed,
  amounts,
  fillCart,
  openShop,
  promote,
  sell,
  takeUntil,
} from '../support/checkout.ts';

test('a fixed discount is not capped, but the total is at least 0', () => {
  const shop = openShop();
  promote(shop, { actions: [{ type: 'fixed_discount', configuration: { amount: 1500 } }] });
  expect(addressed(shop)).toMatchObject({ adjustments_total: -1500, total: 0 });
});

test.each([
  [1000, 0.1, -100],
  [1000, 1, -1000],
  [1000, 0, 0],
  [5, 0.1, -1],
  [4, 0.1, 0],
  [1005, 0.1, -101],
  [50, 0.07, -4],
])('a percentage discount on %d of %d is %d', (price, percentage, amount) => {
  const shop = openShop();
  promote(shop, { actions: [{ type: 'percentage_discount', configuration: { percentage } }] });
  expect(amounts(shop, addressed(shop, [sell(shop, { price })]), 'promotion')).toEqual([amount]);
});

test('a percentage discount applies to all items, without other discounts', () => {
  const shop = openShop();
  promote(shop, {
    actions: [
      { type: 'fixed_discount', configuration: { amount: 400 } },
      { type: 'percentage_discount', configuration: { percentage: 0.5 } },
    ],
  });
  const order = addressed(shop, [sell(shop), sell(shop)]);
  expect(amounts(shop, order, 'promotion')).toEqual([-400, -1000]);
});

test('a shipping discount is present once shipping is charged', () => {
  const shop = openShop();
  promote(shop, { actions: [{ type: 'shipping_discount', configuration: { percentage: 0.5 } }] });
  shop.db.shippingMethods.change(1, { configuration: { amount: 333 } });
  const order = addressed(shop);
  expect(amounts(shop, order, 'promotion')).toEqual([0]);
  const shipped = takeUntil(shop, fillCart(shop, [sell(shop)]), 'shipping');
  expect(amounts(shop, shipped, 'promotion')).toEqual([-167]);
  expect(shipped.total).toBe(1000 + 333 - 167);
});

test('an added product is an immutable item with units of its own', () => {
  const shop = openShop();
  const gift = sell(shop);
  const configuration = { variant: gift.id, quantity: 2, price: 150 };
  promote(shop, { actions: [{ type: 'add_product', configuration }] });
  const order = addressed(shop);
  const [, item] = shop.db.orderItems.by('order', order.id);
  expect(item).toMatchObject({ variant_id: gift.id, quantity: 2, unit_price: 150, total: 300 });
  expect(item).toMatchObject({ immutable: true, promotion_id: 1 });
  expect(shop.db.inventoryUnits.by('item', item!.id)).toHaveLength(2);
  expect(order).toMatchObject({ items_total: 1300, total: 1300 });
  expect(amounts(shop, order, 'promotion')).toEqual([]);
});

test('an added product defaults to a quantity of 1 and a price of 0', () => {
  const shop = openShop();
  promote(shop, { actions: [{ type: 'add_product', configuration: { variant: sell(shop).id } }] });
  const { id } = addressed(shop);
  expect(shop.db.orderItems.by('order', id)[1]).toMatchObject({ quantity: 1, unit_price: 0 });
});

test('a product is not added if the order has an item of its variant', () => {
  const shop = openShop();
  const teapot = sell(shop);
  const actions = [{ type: 'add_product', configuration: { variant: teapot.id } }] as const;
  promote(shop, { actions });
  promote(shop, { actions });
  expect(shop.db.orderItems.by('order', addressed(shop, [teapot]).id)).toHaveLength(1);
  // Two promotions add the same product: the first one does.
  expect(shop.db.orderItems.by('order', addressed(shop).id)).toHaveLength(2);
});

test('a product that does not exist is not added', () => {
  const shop = openShop();
  promote(shop, { actions: [{ type: 'add_product', configuration: { variant: 99 } }] });
  expect(shop.db.orderItems.by('order', addressed(shop).id)).toHaveLength(1);
});

test('an action applies to the result of the actions before it', () => {
  const shop = openShop();
  const add = {
    type: 'add_product',
    configuration: { variant: sell(shop).id, price: 500 },
  } as const;
  const off = { type: 'percentage_discount', configuration: { percentage: 0.1 } } as const;
  promote(shop, { actions: [off, add, off] });
  expect(amounts(shop, addressed(shop), 'promotion')).toEqual([-100, -150]);
});
