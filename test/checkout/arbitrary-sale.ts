import fc from 'fast-check';
import { germany, japan } from '../support/checkout.ts';
import type {
  Action,
  Item,
  Locked,
  Method,
  Promotion,
  Rate,
  SaleRule,
  Sale,
} from '../support/order-oracle.ts';

const good = fc.nat(5);
const price = fc.oneof(
  fc.nat(20),
  fc.nat(50_000),
  fc.nat(500).map((units) => units * 50),
);
const thousandths = fc.oneof(fc.nat(1000), fc.constantFrom(0, 5, 50, 55, 70, 190, 230, 500));
export const country = fc.constantFrom(germany, japan);
const limit = fc.oneof(fc.nat(4), fc.nat(30_000));

export const item: fc.Arbitrary<Item> = fc.record({
  good,
  price,
  quantity: fc.integer({ min: 1, max: 4 }),
});

const rate: fc.Arbitrary<Rate> = fc.record({
  name: fc.constantFrom('VAT', 'Duty'),
  category: fc.integer({ min: 1, max: 2 }),
  country,
  thousandths,
  included: fc.boolean(),
});

const rule: fc.Arbitrary<SaleRule> = fc.oneof(
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

const locked: fc.Arbitrary<Locked> = fc.oneof(
  fc.record({
    label: fc.constantFrom('tax' as const, 'promotion' as const),
    amount: fc.integer({ min: -900, max: 900 }),
    neutral: fc.boolean(),
  }),
  fc.record({
    label: fc.constant('shipping' as const),
    amount: fc.nat(900),
    neutral: fc.constant(false),
  }),
);

export const sale: fc.Arbitrary<Sale> = fc.record({
  items: fc.array(item, { minLength: 1, maxLength: 6 }),
  country,
  rates: fc.array(rate, { maxLength: 4 }),
  promotions: fc.array(promotion, { maxLength: 4 }),
  method,
  locked: fc.oneof(fc.constant([]), fc.array(locked, { maxLength: 2 })),
});
