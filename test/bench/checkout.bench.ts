import type { Variant } from '../../src/shop/models/product.ts';
import {
  addUser,
  now,
  openCart,
  openShop,
  promote,
  sell,
  takeStep,
  type BackOffice,
} from '../support/checkout.ts';
import type { Figure } from './report.ts';

const [few, many] = [100, 20_000];

/** A whole checkout: the cart, its items and five steps, each in a transaction, as a request is. */
export function checkoutFigures(): Figure[] {
  const small = shopWith(few);
  const large = shopWith(many);
  return [
    ...sizeFigures(small, 3, 0.25),
    ...sizeFigures(small, 50, 5),
    scaleFigure(small, large, 3),
    scaleFigure(small, large, 50),
  ];
}

function sizeFigures(shop: Shop, items: number, limit: number): Figure[] {
  const goods = shop.goods.slice(0, items);
  const rows = rowsOfCheckout(shop, goods);
  const yardstick = () => void JSON.parse(JSON.stringify(rows));
  const { a, b, ratio } = undisturbed(() => checkOut(shop, goods), yardstick, items < 10 ? 5 : 1);
  const name = `a checkout of ${items} items`;
  return [
    { name, value: a / 1000, unit: 'ms', limit },
    {
      name: `${name}, over writing and reading its rows as JSON`,
      value: ratio,
      unit: 'x',
      detail: `${a.toFixed(0)} µs over ${b.toFixed(0)} µs`,
    },
  ];
}

function scaleFigure(small: Shop, large: Shop, items: number): Figure {
  const { a, b, ratio } = undisturbed(
    () => checkOut(large, large.goods.slice(0, items)),
    () => checkOut(small, small.goods.slice(0, items)),
    items < 10 ? 5 : 1,
  );
  return {
    name: `a checkout of ${items} items among 20,000 orders, over 100`,
    value: ratio,
    unit: 'x',
    limit: 1.2,
    detail: `${a.toFixed(0)} µs over ${b.toFixed(0)} µs`,
  };
}

/**
 * Times two functions in turn, in rounds so short that most are not interrupted. Uses the tenth percentile: the time on
 * an idle machine.
 *
 * @returns microseconds
 */
function undisturbed(
  a: () => void,
  b: () => void,
  times: number,
): { readonly a: number; readonly b: number; readonly ratio: number } {
  const timed = (work: () => void): number => {
    const start = performance.now();
    for (let time = 0; time < times; time++) work();
    return ((performance.now() - start) / times) * 1000;
  };
  const rounds = Array.from({ length: 500 }, () => ({ a: timed(a), b: timed(b) }));
  const best = {
    a: quickest(rounds.map((round) => round.a)),
    b: quickest(rounds.map((round) => round.b)),
  };
  return { ...best, ratio: best.a / best.b };
}

function quickest(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 10)] ?? Number.NaN;
}

interface Shop extends BackOffice {
  readonly goods: readonly Variant[];
  readonly user: number;
}

/** Rolls back afterwards, so that the shop does not grow. */
function checkOut(shop: Shop, goods: readonly Variant[]): void {
  const { transaction } = shop.shop;
  const start = transaction.mark();
  placeOrder(shop, goods);
  transaction.rollback(start);
}

function placeOrder(shop: Shop, goods: readonly Variant[]): number {
  const { user } = shop;
  const { id } = openCart(shop, user);
  for (const { id: variant_id, price } of goods) {
    const line = { variant_id, unit_price: price, quantity: 1 };
    shop.checkout.addItem(id, line);
  }
  for (const step of shop.checkout.steps) takeStep(shop, now(shop, id), step);
  return id;
}

/** Returns the records that a checkout creates. */
function rowsOfCheckout(shop: Shop, goods: readonly Variant[]): unknown[] {
  const { db } = shop;
  const { transaction } = shop.shop;
  const start = transaction.mark();
  const id = placeOrder(shop, goods);
  const parts = [db.orderItems, db.inventoryUnits, db.adjustments, db.shipments, db.payments];
  const rows = [now(shop, id), ...parts.flatMap((table): unknown[] => table.by('order', id))];
  transaction.rollback(start);
  return rows;
}

/** Opens a shop with this number of orders, fifty variants in stock, a tax and a promotion. The customer has ten orders. */
function shopWith(orders: number): Shop {
  const shop = openShop();
  const { db } = shop;
  db.taxCategories.add({ name: 'Goods' });
  const rate = { category_id: 1, zone_id: 1, name: 'VAT', amount: 0.19 };
  db.taxRates.add({ ...rate, included_in_price: false });
  db.stockLocations.add({ code: 'MAIN', name: 'Main', enabled: true });
  const goods = Array.from({ length: 50 }, () => sell(shop, { tax_category_id: 1 }));
  for (const { id } of goods) {
    db.stockItems.add({ stock_location_id: 1, variant_id: id, on_hand: 1_000_000, on_hold: 0 });
  }
  promote(shop, { rules: [{ type: 'nth_order', configuration: { nth: 11 } }] });
  for (let user = 1; user <= orders / 10; user++) addUser(shop);
  for (let order = 0; order < orders; order++) addOrder(shop, 1 + (order % (orders / 10)));
  shop.shop.transaction.freeze();
  return Object.assign(shop, { goods, user: 1 });
}

/** Writes an order in the state after a checkout, without a checkout. */
function addOrder({ db }: BackOffice, user_id: number): void {
  const { id: order_id } = db.orders.add({
    channel_id: 1,
    user_id,
    currency: 'EUR',
    email: 'customer@example.com',
    state: 'shipped',
    checkout_state: 'completed',
    confirmed: true,
    items_total: 1000,
    adjustments_total: 500,
    total: 1500,
    coupon_ids: [],
    promotion_ids: [],
    expires_at: '2026-03-01T12:00:00+0000',
    completed_at: '2026-03-01T09:00:00+0000',
  });
  const item = { order_id, variant_id: 1, quantity: 1, unit_price: 1000, immutable: false };
  const { id: order_item_id } = db.orderItems.add({ ...item, total: 1000, adjustments_total: 0 });
  const shipment_id = db.shipments.add({ order_id, method_id: 1, state: 'shipped' }).id;
  const unit = { order_id, order_item_id, variant_id: 1, shipment_id, stock_location_id: 1 };
  db.inventoryUnits.add({ ...unit, inventory_state: 'sold' });
  db.payments.add({ order_id, method_id: 1, amount: 1500, currency: 'EUR', state: 'completed' });
  const cost = { order_id, shipment_id, label: 'shipping', description: 'Parcel', amount: 500 };
  db.adjustments.add({ ...cost, neutral: false, locked: false });
}
