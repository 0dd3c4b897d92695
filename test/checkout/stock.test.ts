import { expect, test } from 'vitest';
import type { Order } from '../../src/shop/models/order.ts';
import type { Variant } from '../../src/shop/models/product.ts';
import {
  fillCart,
  now,
  openShop,
  problemOf,
  sell,
  type BackOffice,
  stock,
  takeUntil,
} from '../support/checkout.ts';

function shopWith(on_hand: number, settings = {}): { shop: BackOffice; teapot: Variant } {
  const shop = openShop(settings);
  const teapot = sell(shop);
  stock(shop, teapot, on_hand);
  return { shop, teapot };
}

const order = (shop: BackOffice, variant: Variant, quantity: number): Order =>
  fillCart(shop, [{ ...variant, quantity }]);

/** On hand and on hold at the first location. */
const level = (shop: BackOffice): readonly number[] => {
  const { on_hand, on_hold } = shop.db.stockItems.get(1)!;
  return [on_hand, on_hold];
};

const units = (shop: BackOffice, { id }: Order): string[] =>
  shop.db.inventoryUnits.by('order', id).map((unit) => unit.inventory_state);

const shipments = (shop: BackOffice, { id }: Order): string[] =>
  shop.db.shipments.by('order', id).map((shipment) => shipment.state);

test('a cart does not change stock, confirm puts it on hold, and payment sells it', () => {
  const { shop, teapot } = shopWith(5);
  const cart = takeUntil(shop, order(shop, teapot, 2), 'payment');
  expect([level(shop), units(shop, cart)]).toEqual([
    [5, 0],
    ['checkout', 'checkout'],
  ]);
  const pending = takeUntil(shop, cart, 'confirm');
  expect([level(shop), units(shop, cart)]).toEqual([
    [5, 2],
    ['onhold', 'onhold'],
  ]);
  expect(shipments(shop, cart)).toEqual(['onhold']);
  takeUntil(shop, pending, 'purchase');
  expect([level(shop), units(shop, cart)]).toEqual([
    [3, 0],
    ['sold', 'sold'],
  ]);
  expect(shipments(shop, cart)).toEqual(['ready']);
});

test('a variant without stock items is always available', () => {
  const shop = openShop({ backorders: false });
  const paid = takeUntil(shop, order(shop, sell(shop), 2), 'purchase');
  expect([units(shop, paid), shipments(shop, paid)]).toEqual([['sold', 'sold'], ['ready']]);
  expect(shop.db.stockItems.count()).toBe(0);
});

test('a unit that is not on hand is backordered, with all shipments of its order', () => {
  const { shop, teapot } = shopWith(1);
  const cup = sell(shop);
  stock(shop, cup, 5);
  const items = [{ ...teapot, quantity: 2 }, cup];
  const paid = takeUntil(shop, fillCart(shop, items), 'purchase');
  expect(units(shop, paid)).toEqual(['sold', 'backordered', 'sold']);
  expect(shipments(shop, paid)).toEqual(['backordered', 'backordered']);
  expect(level(shop)).toEqual([0, 0]);
});

test('stock on hold for one order is not available to another', () => {
  const { shop, teapot } = shopWith(3);
  const first = takeUntil(shop, order(shop, teapot, 2), 'confirm');
  const second = takeUntil(shop, order(shop, teapot, 2), 'confirm');
  expect(level(shop)).toEqual([3, 3]);
  expect(units(shop, takeUntil(shop, second, 'purchase'))).toEqual(['sold', 'backordered']);
  expect(units(shop, takeUntil(shop, first, 'purchase'))).toEqual(['sold', 'sold']);
  expect(level(shop)).toEqual([0, 0]);
});

test('confirm uses another location if the planned one has no stock left', () => {
  const { shop, teapot } = shopWith(2);
  const cart = takeUntil(shop, order(shop, teapot, 2), 'payment');
  const second = stock(shop, teapot, 1);
  shop.checkout.setStock({ stock_location_id: 1, variant_id: teapot.id, on_hand: 1 });
  takeUntil(shop, cart, 'confirm');
  expect([level(shop), shop.db.stockItems.get(second)?.on_hold]).toEqual([[1, 1], 1]);
  expect(units(shop, takeUntil(shop, now(shop, cart.id), 'purchase'))).toEqual(['sold', 'sold']);
});

test('a unit on hold whose stock is no longer on hand is backordered', () => {
  const { shop, teapot } = shopWith(3);
  const pending = takeUntil(shop, order(shop, teapot, 3), 'confirm');
  shop.checkout.setStock({ stock_location_id: 1, variant_id: teapot.id, on_hand: 1 });
  expect(level(shop)).toEqual([1, 3]);
  const paid = takeUntil(shop, pending, 'purchase');
  expect(units(shop, paid)).toEqual(['sold', 'backordered', 'backordered']);
  expect(level(shop)).toEqual([0, 0]);
});

test('new stock is sold to the oldest backordered units first, and a complete order becomes ready', () => {
  const { shop, teapot } = shopWith(0);
  const [first, second] = [2, 2].map((n) => takeUntil(shop, order(shop, teapot, n), 'purchase'));
  const rise = (on_hand: number) =>
    shop.checkout.setStock({ stock_location_id: 1, variant_id: teapot.id, on_hand });
  expect(rise(1)).toMatchObject({ on_hand: 0 });
  expect(units(shop, first!)).toEqual(['sold', 'backordered']);
  expect(shipments(shop, first!)).toEqual(['backordered']);
  expect(rise(2)).toMatchObject({ on_hand: 0 });
  expect([units(shop, first!), shipments(shop, first!)]).toEqual([['sold', 'sold'], ['ready']]);
  expect(units(shop, second!)).toEqual(['sold', 'backordered']);
  expect(rise(7)).toMatchObject({ on_hand: 6 });
  expect(shipments(shop, second!)).toEqual(['ready']);
});

test('no shipment is ready before all units of the order are sold', () => {
  const { shop, teapot } = shopWith(1);
  const cup = sell(shop);
  stock(shop, cup, 1);
  const items = [teapot, { ...cup, quantity: 3 }];
  const paid = takeUntil(shop, fillCart(shop, items), 'purchase');
  expect(shipments(shop, paid)).toEqual(['backordered', 'backordered']);
  shop.checkout.setStock({ stock_location_id: 2, variant_id: cup.id, on_hand: 1 });
  expect(shipments(shop, paid)).toEqual(['backordered', 'backordered']);
  shop.checkout.setStock({ stock_location_id: 2, variant_id: cup.id, on_hand: 1 });
  expect(shipments(shop, paid)).toEqual(['ready', 'ready']);
});

test('backordered units are not sold from a disabled location', () => {
  const { shop, teapot } = shopWith(0);
  const paid = takeUntil(shop, order(shop, teapot, 1), 'purchase');
  stock(shop, sell(shop), 0);
  shop.db.stockLocations.change(2, { enabled: false });
  shop.checkout.setStock({ stock_location_id: 2, variant_id: teapot.id, on_hand: 5 });
  expect(units(shop, paid)).toEqual(['backordered']);
  expect(shop.db.stockItems.findUnique('place', `${teapot.id} at 2`)?.on_hand).toBe(5);
});

test('cancelling an order returns its stock and ends its backorders', () => {
  const { shop, teapot } = shopWith(1);
  const [first, second] = [2, 1].map((n) => takeUntil(shop, order(shop, teapot, n), 'purchase'));
  shop.checkout.transition('order', first!.id, 'cancel');
  expect(units(shop, first!)).toEqual(['returned', 'backordered']);
  expect(units(shop, second!)).toEqual(['sold']);
  expect(shipments(shop, second!)).toEqual(['ready']);
  shop.checkout.setStock({ stock_location_id: 1, variant_id: teapot.id, on_hand: 3 });
  expect(units(shop, first!)).toEqual(['returned', 'backordered']);
  expect(level(shop)).toEqual([3, 0]);
});

test('releasing an order makes its stock available to backordered units', () => {
  const { shop, teapot } = shopWith(2);
  const held = takeUntil(shop, order(shop, teapot, 2), 'confirm');
  const waiting = takeUntil(shop, order(shop, teapot, 1), 'purchase');
  expect(units(shop, waiting)).toEqual(['backordered']);
  shop.checkout.transition('order', held.id, 'release');
  expect([units(shop, held), shipments(shop, held)]).toEqual([
    ['checkout', 'checkout'],
    ['checkout'],
  ]);
  expect(units(shop, waiting)).toEqual(['sold']);
  expect(level(shop)).toEqual([1, 0]);
});

test('a transition of one unit changes stock by one', () => {
  const { shop, teapot } = shopWith(5);
  takeUntil(shop, order(shop, teapot, 3), 'confirm');
  expect(level(shop)).toEqual([5, 3]);
  shop.checkout.transition('inventory_unit', 1, 'release');
  expect(level(shop)).toEqual([5, 2]);
  shop.checkout.transition('inventory_unit', 2, 'backorder');
  expect(level(shop)).toEqual([5, 1]);
  shop.checkout.transition('inventory_unit', 3, 'sell');
  expect(level(shop)).toEqual([4, 0]);
  shop.checkout.transition('inventory_unit', 1, 'hold');
  expect(level(shop)).toEqual([4, 1]);
  shop.checkout.transition('inventory_unit', 3, 'return');
  expect(level(shop)).toEqual([5, 1]);
});

test('returned units are on hand again', () => {
  const { shop, teapot } = shopWith(2);
  const paid = takeUntil(shop, order(shop, teapot, 2), 'purchase');
  shop.checkout.transition('shipment', 1, 'ship');
  shop.checkout.transition('order', paid.id, 'return');
  expect([units(shop, paid), level(shop)]).toEqual([
    ['returned', 'returned'],
    [2, 0],
  ]);
});

test('units of a deleted shipment return with their order', () => {
  const { shop, teapot } = shopWith(2);
  const paid = takeUntil(shop, order(shop, teapot, 2), 'purchase');
  shop.db.shipments.remove(1);
  shop.checkout.transition('order', paid.id, 'cancel');
  expect([units(shop, paid), level(shop)]).toEqual([
    ['returned', 'returned'],
    [2, 0],
  ]);
});

test('without `backorders`, an item beyond the stock is rejected', () => {
  const { shop, teapot } = shopWith(3, { backorders: false });
  const cart = order(shop, teapot, 2);
  const line = { variant_id: teapot.id, unit_price: 100 };
  expect(problemOf(() => shop.checkout.addItem(cart.id, { ...line, quantity: 2 }))?.fields).toEqual(
    [{ path: ['quantity'], message: 'Only 3 Teapot(s) on hand, 4 requested.' }],
  );
  expect(shop.checkout.addItem(cart.id, { ...line, quantity: 1 }).quantity).toBe(1);
});

test('without `backorders`, confirm is rejected if the stock has run out', () => {
  const { shop, teapot } = shopWith(3, { backorders: false });
  const [first, second] = [2, 2].map((n) => takeUntil(shop, order(shop, teapot, n), 'payment'));
  takeUntil(shop, first!, 'confirm');
  expect(problemOf(() => takeUntil(shop, second!, 'confirm'))).toMatchObject({
    kind: 'refused',
    message: 'Only 1 Teapot(s) on hand, 2 requested.',
  });
});

test.each([
  [{ stock_location_id: 9 }, 'stockLocation'],
  [{ variant_id: 9 }, 'variant'],
  [{ on_hand: -1 }, 'onHand'],
  [{ on_hand: 0.5 }, 'onHand'],
])('a stock level with %j is invalid', (wrong, field) => {
  const { shop, teapot } = shopWith(3);
  const fields = { stock_location_id: 1, variant_id: teapot.id, on_hand: 5, ...wrong };
  expect(problemOf(() => shop.checkout.setStock(fields))?.fields).toMatchObject([
    { path: [field] },
  ]);
});
