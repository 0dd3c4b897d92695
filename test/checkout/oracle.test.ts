import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Order } from '../../src/models/order.ts';
import {
  address,
  amounts,
  fillCart,
  germany,
  japan,
  openShop,
  promote,
  sell,
  type BackOffice,
  takeUntil,
} from '../support/checkout.ts';
import {
  categoryOf,
  taxonOf,
  tenthsOf,
  worthOf,
  type Action,
  type Method,
  type Promotion,
  type Rate,
  type Rule,
  type Sale,
  type Worth,
} from '../support/order-oracle.ts';

const good = fc.nat(5);
const price = fc.oneof(
  fc.nat(20),
  fc.nat(50_000),
  fc.nat(500).map((units) => units * 50),
);
const thousandths = fc.oneof(fc.nat(1000), fc.constantFrom(0, 5, 50, 55, 70, 190, 230, 500));
const country = fc.constantFrom(germany, japan);
const limit = fc.oneof(fc.nat(4), fc.nat(30_000));

const item = fc.record({ good, price, quantity: fc.integer({ min: 1, max: 4 }) });

const rate: fc.Arbitrary<Rate> = fc.record({
  name: fc.constantFrom('VAT', 'Duty'),
  category: fc.integer({ min: 1, max: 2 }),
  country,
  thousandths,
  included: fc.boolean(),
});

const rule: fc.Arbitrary<Rule> = fc.oneof(
  fc.record({
    type: fc.constantFrom('item_total' as const, 'item_count' as const),
    limit,
    equal: fc.boolean(),
  }),
  fc.record({ type: fc.constant('shipping_country' as const), country }),
  fc.record({ type: fc.constant('taxonomy' as const), taxon: fc.nat(2), exclude: fc.boolean() }),
  fc.record({ type: fc.constant('contains_product' as const), good, exclude: fc.boolean() }),
);

const action: fc.Arbitrary<Action> = fc.oneof(
  fc.record({ type: fc.constant('fixed_discount' as const), amount: fc.nat(3000) }),
  fc.record({ type: fc.constant('percentage_discount' as const), thousandths }),
  fc.record({ type: fc.constant('shipping_discount' as const), thousandths }),
  fc.record({ type: fc.constant('add_product' as const), good, price: fc.nat(900) }),
);

const promotion: fc.Arbitrary<Promotion> = fc.record({
  priority: fc.integer({ min: -1, max: 2 }),
  exclusive: fc.nat(4).map((chance) => chance === 0),
  active: fc.nat(5).map((chance) => chance > 0),
  rules: fc.array(rule, { maxLength: 2 }),
  actions: fc.array(action, { maxLength: 3 }),
});

const method: fc.Arbitrary<Method> = fc.oneof(
  fc.record({
    calculator: fc.constantFrom('flat_rate' as const, 'per_item_rate' as const),
    amount: fc.nat(3000),
  }),
  fc.record({
    calculator: fc.constant('flexible_rate' as const),
    first: fc.nat(3000),
    additional: fc.nat(500),
    limit: fc.nat(5),
  }),
  fc.record({
    calculator: fc.constant('weight_rate' as const),
    amount: fc.nat(3000),
    division: fc.integer({ min: 1, max: 9 }),
  }),
);

const sale: fc.Arbitrary<Sale> = fc.record({
  items: fc.array(item, { minLength: 1, maxLength: 6 }),
  country,
  rates: fc.array(rate, { maxLength: 4 }),
  promotions: fc.array(promotion, { maxLength: 4 }),
  method,
});

/** A shop that sells six goods. */
function shopOfGoods(): BackOffice {
  const shop = openShop();
  const { db } = shop;
  for (const name of ['Goods', 'Books']) db.taxCategories.add({ name });
  for (const place of [germany, japan]) {
    db.zones.add({ name: `Zone ${place}`, type: 'country', members: [place] });
  }
  // The zone of all countries is for shipping; one that is closer to no place would be first otherwise.
  db.zones.change(1, { type: 'zone', members: [2, 3] });
  for (let index = 0; index < 6; index++) {
    const category = categoryOf(index);
    sell(shop, {
      taxons: [taxonOf(index)],
      weight: tenthsOf(index) / 10,
      ...(category > 0 && { tax_category_id: category }),
    });
  }
  return shop;
}

function arrange(shop: BackOffice, { rates, promotions, method: by }: Sale): void {
  const { db } = shop;
  for (const one of rates) {
    db.taxRates.add({
      name: one.name,
      category_id: one.category,
      zone_id: one.country === germany ? 2 : 3,
      amount: one.thousandths / 1000,
      included_in_price: one.included,
    });
  }
  for (const { priority, exclusive, active, rules, actions } of promotions) {
    promote(shop, {
      priority,
      exclusive,
      ...(!active && { used: 3, usage_limit: 3 }),
      rules: rules.map(({ type, ...rest }) => ({ type, configuration: ruleSettings(type, rest) })),
      actions: actions.map((one) => ({ type: one.type, configuration: actionSettings(one) })),
    });
  }
  const { calculator, ...rest } = by;
  db.shippingMethods.change(1, { calculator, configuration: methodSettings(rest) });
}

type Settings = Record<string, number | boolean | number[]>;

function ruleSettings(type: Rule['type'], rest: Record<string, number | boolean>): Settings {
  const { limit: wanted = 0, taxon, good: contained = 0, ...same } = rest;
  if (type === 'item_total') return { ...same, amount: wanted };
  if (type === 'item_count') return { ...same, count: wanted };
  if (type === 'taxonomy') return { ...same, taxons: [Number(taxon)] };
  return type === 'contains_product' ? { ...same, variant: Number(contained) + 1 } : same;
}

function actionSettings(one: Action): Settings {
  if (one.type === 'fixed_discount') return { amount: one.amount };
  if (one.type === 'add_product') return { variant: one.good + 1, price: one.price };
  return { percentage: one.thousandths / 1000 };
}

function methodSettings(rest: Record<string, number>): Settings {
  const { first, additional, limit: most, ...same } = rest;
  if (first === undefined) return same;
  return {
    first_item_cost: first,
    additional_item_cost: additional ?? 0,
    additional_item_limit: most ?? 0,
  };
}

function found(shop: BackOffice, order: Order): Worth {
  const { items_total, adjustments_total, total, promotion_ids } = order;
  return {
    items_total,
    adjustments_total,
    total,
    tax: amounts(shop, order, 'tax'),
    shipping: amounts(shop, order, 'shipping'),
    promotion: amounts(shop, order, 'promotion'),
    applied: promotion_ids.map((id) => id - 1),
  };
}

test('an order comes to what an independent reckoning says, at addressing and at shipping', () => {
  const shop = shopOfGoods();
  const start = shop.shop.transaction.mark();
  let sales = 0;
  fc.assert(
    fc.property(sale, (one) => {
      arrange(shop, one);
      const items = one.items.map((line) => ({ ...line, id: line.good + 1 }));
      const to = { ...address, country_id: one.country };
      const addressed = takeUntil(shop, fillCart(shop, items), 'addressing', to);
      expect(found(shop, addressed)).toEqual(worthOf(one, false));
      const shipped = takeUntil(shop, addressed, 'shipping');
      expect(found(shop, shipped)).toEqual(worthOf(one, true));
      shop.shop.transaction.rollback(start);
      sales++;
    }),
    { numRuns: 3000 },
  );
  expect(sales).toBe(3000);
});
