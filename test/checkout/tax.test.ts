import { expect, test } from 'vitest';
import type { TaxRate } from '../../src/shop/models/lookups.ts';
import {
  address,
  amounts,
  canada,
  fillCart,
  germany,
  japan,
  ontario,
  openShop,
  promote,
  quebec,
  sell,
  type BackOffice,
  takeStep,
  takeUntil,
} from '../support/checkout.ts';

/** A shop with tax categories 1 and 2, and this rate of the first one in the zone of all countries. */
function taxed(rate: Partial<TaxRate> = {}, settings = {}): BackOffice {
  const shop = openShop(settings);
  shop.db.taxCategories.add({ name: 'Goods' });
  shop.db.taxCategories.add({ name: 'Books' });
  addRate(shop, rate);
  return shop;
}

function addRate({ db }: BackOffice, rate: Partial<TaxRate>): void {
  const standard = { category_id: 1, zone_id: 1, name: 'VAT', amount: 0.2 };
  db.taxRates.add({ ...standard, included_in_price: false, ...rate });
}

function taxesOf(shop: BackOffice, prices: readonly number[], to = address): unknown[] {
  const items = prices.map((price) => sell(shop, { price, tax_category_id: 1 }));
  const order = takeUntil(shop, fillCart(shop, items), 'addressing', to);
  return shop.db.adjustments
    .by('order', order.id)
    .map(({ description, amount, neutral }) => ({ description, amount, neutral }));
}

test.each([
  [0, 0.2, 0],
  [1000, 0, 0],
  [1000, 0.2, 200],
  [12, 0.2, 2],
  [13, 0.2, 3],
  [250, 0.01, 3],
  [249, 0.01, 2],
  [50, 0.07, 4],
  [1500, 0.055, 83],
])('the tax on %d at a rate of %d is %d', (price, amount, tax) => {
  expect(taxesOf(taxed({ amount }), [price])).toMatchObject([{ amount: tax }]);
});

test.each([
  [0, 0.2, 0],
  [1200, 0.2, 200],
  [1000, 0.23, 187],
  [3, 0.2, 1],
  [2, 0.2, 0],
  [1000, 0, 0],
  [107, 0.07, 7],
])('the tax included in %d at a rate of %d is %d', (price, amount, tax) => {
  const shop = taxed({ amount, included_in_price: true });
  expect(taxesOf(shop, [price])).toMatchObject([{ amount: tax }]);
});

test('a tax is an adjustment of the order that counts in its total', () => {
  const shop = taxed();
  expect(taxesOf(shop, [1000])).toEqual([
    { description: 'VAT (20%)', amount: 200, neutral: false },
  ]);
  expect(shop.db.orders.get(1)).toMatchObject({
    items_total: 1000,
    adjustments_total: 200,
    total: 1200,
  });
});

test('a tax that the price includes is a neutral adjustment', () => {
  const shop = taxed({ included_in_price: true });
  expect(taxesOf(shop, [1200])).toEqual([{ description: 'VAT (20%)', amount: 200, neutral: true }]);
  expect(shop.db.orders.get(1)).toMatchObject({ adjustments_total: 0, total: 1200 });
});

test('the tax of each item is rounded before the taxes are summed', () => {
  expect(taxesOf(taxed({ amount: 0.01 }), [50, 50, 50])).toMatchObject([{ amount: 3 }]);
  expect(taxesOf(taxed({ amount: 0.01 }), [49, 49, 49])).toMatchObject([{ amount: 0 }]);
});

test('a tax is calculated from the item, not from each piece', () => {
  const shop = taxed({ amount: 0.01 });
  const item = { ...sell(shop, { price: 49, tax_category_id: 1 }), quantity: 3 };
  expect(amounts(shop, takeUntil(shop, fillCart(shop, [item]), 'addressing'), 'tax')).toEqual([1]);
});

test('a tax rate of 0 adds an adjustment of 0', () => {
  expect(taxesOf(taxed({ amount: 0, name: 'Export' }), [1000])).toEqual([
    { description: 'Export (0%)', amount: 0, neutral: false },
  ]);
});

test.each([
  [0.2, 'VAT (20%)'],
  [0.055, 'VAT (5.5%)'],
  [0.07, 'VAT (7%)'],
  [0.0825, 'VAT (8.25%)'],
  [1, 'VAT (100%)'],
])('a rate of %d is described as %s', (amount, description) => {
  expect(taxesOf(taxed({ amount }), [1000])).toMatchObject([{ description }]);
});

test('taxes are summed by description', () => {
  const shop = taxed();
  addRate(shop, { category_id: 2, amount: 0.05 });
  const items = [1, 2, 1].map((tax_category_id) => sell(shop, { price: 1000, tax_category_id }));
  const order = takeUntil(shop, fillCart(shop, items), 'addressing');
  expect(amounts(shop, order, 'tax')).toEqual([400, 50]);
});

test('two rates of the same name and percentage are one tax', () => {
  const shop = taxed();
  addRate(shop, { category_id: 2 });
  const items = [1, 2].map((tax_category_id) => sell(shop, { price: 1000, tax_category_id }));
  const order = takeUntil(shop, fillCart(shop, items), 'addressing');
  expect(amounts(shop, order, 'tax')).toEqual([400]);
});

test('an item without a tax category, or whose category has no rate, is not taxed', () => {
  const shop = taxed();
  const items = [sell(shop), sell(shop, { tax_category_id: 2 })];
  const order = takeUntil(shop, fillCart(shop, items), 'addressing');
  expect(amounts(shop, order, 'tax')).toEqual([]);
});

const nearer = [
  { name: 'Ontario', type: 'province', members: [ontario] },
  { name: 'Canada', type: 'country', members: [canada] },
  { name: 'America', type: 'zone', members: [3] },
] as const;

test.each([
  ['a province before its country', { country_id: canada, province_id: ontario }, 'Ontario'],
  ['a country before a zone of zones', { country_id: canada, province_id: quebec }, 'Canada'],
])('the closest zone determines the tax: %s', (_case, place, name) => {
  const shop = taxed({ zone_id: 4, name: 'America' });
  // America is the oldest, so that it would be first if closeness did not matter.
  shop.db.zones.change(1, { members: [japan] });
  for (const zone of nearer) shop.db.zones.add(zone);
  addRate(shop, { zone_id: 2, name: 'Ontario' });
  addRate(shop, { zone_id: 3, name: 'Canada' });
  const taxes = taxesOf(shop, [1000], { ...address, ...place });
  expect(taxes).toMatchObject([{ description: `${name} (20%)` }]);
});

test('a zone of zones matches if one of its zones does', () => {
  const shop = taxed({ zone_id: 4, name: 'America' });
  shop.db.zones.change(1, { members: [japan] });
  shop.db.zones.add({ name: 'Ontario', type: 'province', members: [ontario] });
  shop.db.zones.add({ name: 'Empty', type: 'country', members: [] });
  shop.db.zones.add({ name: 'America', type: 'zone', members: [4, 3, 2] });
  const to = { ...address, country_id: canada, province_id: ontario };
  // The province's own zone is closer, and has no rate: then there is no tax, for only one zone is asked.
  expect(taxesOf(shop, [1000], to)).toEqual([]);
  shop.db.zones.change(2, { type: 'zone', members: [1] });
  shop.db.zones.change(3, { members: [canada] });
  shop.db.taxRates.change(1, { zone_id: 3 });
  expect(taxesOf(shop, [1000], to)).toMatchObject([{ description: 'America (20%)' }]);
});

test('circular zones match no address', () => {
  const shop = taxed({ zone_id: 2 });
  shop.db.zones.change(1, { members: [] });
  shop.db.zones.add({ name: 'A', type: 'zone', members: [3] });
  shop.db.zones.add({ name: 'B', type: 'zone', members: [2, 3] });
  expect(taxesOf(shop, [1000])).toEqual([]);
});

/** The same, but its only zone is Germany. */
function taxedGermany(settings: object): BackOffice {
  const shop = taxed({}, settings);
  shop.db.zones.change(1, { members: [germany] });
  return shop;
}

test('an address without a zone is taxed by the default zone', () => {
  const elsewhere = { ...address, country_id: japan };
  expect(taxesOf(taxedGermany({}), [1000], elsewhere)).toEqual([]);
  expect(taxesOf(taxedGermany({ defaultTaxZone: 1 }), [1000], elsewhere)).toMatchObject([
    { amount: 200 },
  ]);
});

test('bonus items are not taxed, also when addressing is repeated', () => {
  const shop = taxed({}, { stepBack: true });
  const gift = sell(shop, { tax_category_id: 1 });
  promote(shop, {
    actions: [{ type: 'add_product', configuration: { variant: gift.id, price: 300 } }],
  });
  const first = takeUntil(shop, fillCart(shop, [sell(shop, { tax_category_id: 1 })]), 'addressing');
  expect(first.items_total).toBe(1300);
  expect(amounts(shop, first, 'tax')).toEqual([200]);
  expect(amounts(shop, takeStep(shop, first, 'addressing'), 'tax')).toEqual([200]);
});

test('a locked tax stays beside the calculated one', () => {
  const shop = taxed({}, { stepBack: true });
  const order = fillCart(shop, [sell(shop, { tax_category_id: 1 })]);
  const fields = { label: 'tax', description: 'Duty', neutral: false, order_id: order.id };
  shop.db.adjustments.add({ ...fields, amount: 70, locked: true });
  shop.db.adjustments.add({ ...fields, amount: 9, locked: false });
  const once = takeUntil(shop, order, 'addressing');
  expect(amounts(shop, once, 'tax')).toEqual([70, 200]);
  expect(amounts(shop, takeStep(shop, once, 'addressing'), 'tax')).toEqual([70, 200]);
});
