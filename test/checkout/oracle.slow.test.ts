import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Order } from '../../src/shop/models/order.ts';
import { country, item, sale } from './arbitrary-sale.ts';
import {
  address,
  fillCart,
  germany,
  japan,
  now,
  openShop,
  promote,
  sell,
  type BackOffice,
  takeStep,
  takeUntil,
} from '../support/checkout.ts';
import { expectExplained } from '../support/explained.ts';
import {
  categoryOf,
  Ledger,
  shippingOf,
  taxonOf,
  tenthsOf,
  worthOf,
  type Action,
  type Entry,
  type Item,
  type Label,
  type LedgerRow,
  type SaleRule,
  type Sale,
} from '../support/order-oracle.ts';
import { runs } from '../support/runs.ts';

/** A shop that sells six goods. */
function shopOfGoods(): BackOffice {
  const shop = openShop({ stepBack: true, repriceAtConfirm: true });
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

function setUp(shop: BackOffice, { rates, promotions, method: by }: Sale): void {
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

function ruleSettings(type: SaleRule['type'], rest: Record<string, number | boolean>): Settings {
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

/** An order during its checkout, with its expected adjustments. */
interface Course {
  readonly shop: BackOffice;
  readonly id: number;
  readonly ledger: Ledger;
}

function startCourse(shop: BackOffice, { items, locked: byHand }: Sale): Course {
  const { db } = shop;
  const lines = items.map((line) => ({ ...line, id: line.good + 1 }));
  const { id } = fillCart(shop, lines);
  const rows = byHand.map((fields): LedgerRow => {
    const row = { ...fields, description: 'By hand', locked: true };
    const { id: rowId, created_at, updated_at } = db.adjustments.add({ ...row, order_id: id });
    return { ...row, id: rowId, created_at, updated_at };
  });
  return { shop, id, ledger: new Ledger(rows) };
}

/** The parts that a step recalculates, and the shipping cost after it. */
interface Work {
  readonly labels: readonly Label[];
  readonly shipping: readonly Entry[];
}

/** Changes an order one minute after the last change, and compares it with the independent calculation. */
function changeAndCompare(
  { shop, id, ledger }: Course,
  one: Sale,
  { labels, shipping }: Work,
  step: (order: Order) => unknown,
): void {
  shop.clock.advance('PT1M');
  step(now(shop, id));
  const { tax, promotion, ...worth } = worthOf(one, shipping);
  ledger.rewrite(labels, [...promotion, ...shipping, ...tax], shop.clock.now());
  const { items_total, adjustments_total, total, promotion_ids } = now(shop, id);
  const applied = promotion_ids.map((promotionId) => promotionId - 1);
  expect({ items_total, adjustments_total, total, applied }).toEqual(worth);
  expect(shop.db.adjustments.by('order', id)).toEqual(rowsOf({ shop, id, ledger }));
  expectExplained(shop, id);
}

/** The expected rows of adjustments. */
function rowsOf({ shop, id, ledger }: Course): object[] {
  const shipment_id = shop.db.shipments.first('order', id)?.id;
  return ledger.rows.map(({ promotion: position, ...row }) => ({
    ...row,
    order_id: id,
    ...(row.label === 'shipping' && !row.locked && { shipment_id }),
    ...(position !== undefined && { promotion_id: position + 1 }),
  }));
}

const all: readonly Label[] = ['tax', 'shipping', 'promotion'];

/** Submits addressing and shipping, adds an item, repeats both for another address, then confirms. */
function runCourse(course: Course, first: Sale, late: Item, elsewhere: number): void {
  const { shop, ledger } = course;
  const toPlace = (one: Sale): void =>
    changeAndCompare(course, one, { labels: all, shipping: [] }, (order) =>
      takeStep(shop, order, 'addressing', { ...address, country_id: one.country }),
    );
  const ship = (one: Sale): void =>
    changeAndCompare(
      course,
      one,
      { labels: ['shipping', 'promotion'], shipping: shippingOf(one) },
      (order) => takeStep(shop, order, 'shipping'),
    );
  toPlace(first);
  ship(first);
  const second = { ...first, items: [...first.items, late] };
  changeAndCompare(course, second, { labels: all, shipping: [] }, (order) =>
    shop.checkout.addItem(order.id, {
      variant_id: late.good + 1,
      quantity: late.quantity,
      unit_price: late.price,
    }),
  );
  ship(second);
  const third = { ...second, country: elsewhere };
  toPlace(third);
  ship(third);
  const repriced = { ...third, items: third.items.map((one) => ({ ...one, price: 1000 })) };
  changeAndCompare(course, repriced, { labels: all, shipping: ledger.of('shipping') }, (order) =>
    takeUntil(shop, order, 'confirm'),
  );
}

test('every row of an order equals an independent calculation after every step, and is explained', () => {
  const shop = shopOfGoods();
  const start = shop.shop.transaction.mark();
  let sales = 0;
  fc.assert(
    fc.property(sale, item, country, (one, late, elsewhere) => {
      shop.shop.transaction.rollback(start);
      setUp(shop, one);
      runCourse(startCourse(shop, one), one, late, elsewhere);
      sales++;
    }),
    { numRuns: runs(1500) },
  );
  expect(sales).toBe(runs(1500));
});
