import { expect, test } from 'vitest';
import type { Configuration } from '../../src/engine/lib/fields.ts';
import type { Calculator } from '../../src/shop/models/shipment.ts';
import type { Variant } from '../../src/shop/models/product.ts';
import { amounts, fillCart, openShop, sell, takeUntil } from '../support/checkout.ts';

/** Units of one variant. */
type Units = Pick<Variant, 'weight' | 'volume'> & { readonly quantity: number };

const units = (quantity: number, weight?: number, volume?: number): Units[] => [
  { quantity, weight, volume },
];

/** Returns the cost of shipping one package of these units. */
function shippingCost(
  calculator: Calculator,
  configuration: Configuration,
  parcel: readonly Units[],
): number | undefined {
  const shop = openShop();
  shop.db.shippingMethods.change(1, { calculator, configuration });
  const items = parcel.map(({ quantity, ...measures }) => ({ ...sell(shop, measures), quantity }));
  return amounts(shop, takeUntil(shop, fillCart(shop, items), 'shipping'), 'shipping')[0];
}

test.each([
  [1, 750],
  [9, 750],
])('a flat rate for %d units is %d', (count, cost) => {
  expect(shippingCost('flat_rate', { amount: 750 }, units(count))).toBe(cost);
});

test.each([
  [1, 250],
  [4, 1000],
])('a rate per item for %d units is %d', (count, cost) => {
  expect(shippingCost('per_item_rate', { amount: 250 }, units(count))).toBe(cost);
});

test.each([
  [1, 2, 1000],
  [2, 2, 1300],
  [3, 2, 1600],
  [4, 2, 1600],
  [9, 2, 1600],
  [4, 0, 1900],
  [9, 0, 3400],
])('a flexible rate for %d units with a limit of %d is %d', (count, limit, cost) => {
  const set = { first_item_cost: 1000, additional_item_cost: 300, additional_item_limit: limit };
  expect(shippingCost('flexible_rate', set, units(count))).toBe(cost);
});

test.each([
  [{ amount: 100 }, 2, 1.5, 300],
  [{ amount: 100, division: 1 }, 3, 0.1, 30],
  [{ amount: 100, division: 1000 }, 1, 4, 0],
  [{ amount: 100, division: 1000 }, 1, 5, 1],
  [{ amount: 100, division: 1000 }, 1, 14.9, 1],
  [{ amount: 100, division: 1000 }, 1, 15, 2],
  [{ amount: 333, division: 0.5 }, 1, 0.25, 167],
  [{ amount: 100, division: 0 }, 1, 2, 200],
])('weight and volume rate %j for %d units of %d is %d', (set, count, measure, cost) => {
  expect(shippingCost('weight_rate', set, units(count, measure))).toBe(cost);
  expect(shippingCost('volume_rate', set, units(count, undefined, measure))).toBe(cost);
});

test('a unit without a weight counts as weight 0', () => {
  expect(shippingCost('weight_rate', { amount: 100 }, units(3))).toBe(0);
  expect(shippingCost('weight_rate', { amount: 100 }, [...units(3), ...units(1, 2)])).toBe(200);
});

test('ten weights of 0.1 add up to exactly 1', () => {
  expect(shippingCost('weight_rate', { amount: 1, division: 2 }, units(10, 0.1))).toBe(1);
});

test('a missing amount in the configuration of a shipping method counts as 0', () => {
  expect(shippingCost('flat_rate', {}, units(1))).toBe(0);
  expect(shippingCost('flexible_rate', { first_item_cost: 700 }, units(5))).toBe(700);
});

test('an amount with decimals is rounded half away from zero', () => {
  expect(shippingCost('flat_rate', { amount: 99.5 }, units(1))).toBe(100);
  expect(shippingCost('per_item_rate', { amount: 33.3 }, units(5))).toBe(167);
});
