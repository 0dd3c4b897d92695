import { expect, test } from 'vitest';
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
import { orderAt } from './order-at.ts';

const states = ({ db }: BackOffice) => ({
  order: db.orders.get(1)?.state,
  shipments: db.shipments.by('order', 1).map(({ state }) => state),
  units: db.inventoryUnits.by('order', 1).map((unit) => unit.inventory_state),
  payments: db.payments.by('order', 1).map(({ state }) => state),
});

test('releasing an order releases its stock and voids its payment', () => {
  const { shop } = orderAt('confirm');
  shop.checkout.transition('order', 1, 'release');
  expect(states(shop)).toEqual({
    order: 'released',
    shipments: ['checkout', 'checkout'],
    units: ['checkout', 'checkout'],
    payments: ['void'],
  });
});

test('a released order can still be paid', () => {
  const { shop } = orderAt('confirm');
  shop.checkout.transition('order', 1, 'release');
  takeUntil(shop, now(shop, 1), 'purchase');
  expect(states(shop)).toEqual({
    order: 'confirmed',
    shipments: ['ready', 'ready'],
    units: ['sold', 'sold'],
    payments: ['void', 'completed'],
  });
});

test('abandoning an order cancels its shipments, voids its payment and releases its stock', () => {
  const { shop } = orderAt('confirm');
  shop.checkout.transition('order', 1, 'abandon');
  expect(states(shop)).toEqual({
    order: 'abandoned',
    shipments: ['cancelled', 'cancelled'],
    units: ['checkout', 'checkout'],
    payments: ['void'],
  });
  expect(shop.db.stockItems.page(0, 9)).toMatchObject([{ on_hold: 0 }, { on_hold: 0 }]);
});

test('completing a payment by a transition confirms its order', () => {
  const { shop } = orderAt('confirm');
  shop.checkout.transition('payment', 1, 'authorize');
  shop.checkout.transition('payment', 1, 'complete');
  expect(states(shop)).toMatchObject({ order: 'confirmed', payments: ['completed'] });
});

test('completing a payment before confirm also places the order', () => {
  const { shop } = orderAt('payment');
  shop.checkout.transition('payment', 1, 'complete');
  expect(now(shop, 1)).toMatchObject({
    state: 'confirmed',
    checkout_state: 'completed',
    number: '000000001',
  });
  expect(states(shop)).toMatchObject({ units: ['sold', 'sold'], shipments: ['ready', 'ready'] });
});

test('an order that is not paid in full is not confirmed', () => {
  const { shop } = orderAt('confirm');
  const reason = 'Order 1 is not paid in full: 0 of 3000 EUR (minor units).';
  expect(problemOf(() => shop.checkout.transition('order', 1, 'confirm'))?.message).toBe(reason);
  shop.db.payments.change(1, { amount: 2999 });
  shop.checkout.transition('payment', 1, 'complete');
  expect(states(shop)).toMatchObject({ order: 'pending', payments: ['completed'] });
});

test('shipping the last shipment ships the order', () => {
  const { shop } = orderAt('purchase');
  shop.checkout.transition('shipment', 2, 'ship');
  expect(states(shop)).toMatchObject({ order: 'confirmed', shipments: ['ready', 'shipped'] });
  shop.checkout.transition('shipment', 1, 'ship');
  expect(states(shop)).toMatchObject({ order: 'shipped', shipments: ['shipped', 'shipped'] });
});

test('shipping an order ships its ready shipments', () => {
  const { shop } = orderAt('purchase');
  shop.checkout.transition('order', 1, 'ship');
  expect(states(shop)).toMatchObject({ order: 'shipped', shipments: ['shipped', 'shipped'] });
});

test('an order with a shipment that is not ready cannot be shipped', () => {
  const shop = openShop();
  const teapot = sell(shop);
  stock(shop, teapot, 0);
  takeUntil(shop, fillCart(shop, [teapot]), 'purchase');
  const ship = () => shop.checkout.transition('order', 1, 'ship');
  expect(problemOf(ship)?.message).toBe('Shipment 1 is in state backordered.');
  const prepare = () => shop.checkout.transition('shipment', 1, 'prepare');
  expect(problemOf(prepare)?.message).toBe('Shipment 1 has 1 unit(s) not sold: 1 of variant 1.');
});

test('cancelling an order cancels shipments that are not shipped, and keeps completed payments', () => {
  const { shop } = orderAt('purchase');
  shop.checkout.transition('shipment', 1, 'ship');
  shop.checkout.transition('order', 1, 'cancel');
  expect(states(shop)).toEqual({
    order: 'cancelled',
    shipments: ['shipped', 'cancelled'],
    units: ['sold', 'returned'],
    payments: ['completed'],
  });
  shop.checkout.transition('payment', 1, 'refund');
  expect(states(shop)).toMatchObject({ order: 'cancelled', payments: ['refunded'] });
});

test('cancelling an order cancels its open payments', () => {
  const { shop } = orderAt('purchase');
  shop.db.payments.add({
    order_id: 1,
    method_id: 1,
    amount: 1,
    currency: 'EUR',
    state: 'authorized',
  });
  shop.checkout.transition('order', 1, 'cancel');
  expect(states(shop).payments).toEqual(['completed', 'cancelled']);
});

test('returning the last shipment returns the order', () => {
  const { shop } = orderAt('purchase');
  shop.checkout.transition('order', 1, 'ship');
  shop.checkout.transition('shipment', 1, 'return');
  expect(states(shop)).toMatchObject({ order: 'shipped', units: ['returned', 'sold'] });
  shop.checkout.transition('shipment', 2, 'return');
  expect(states(shop)).toMatchObject({ order: 'returned', units: ['returned', 'returned'] });
});

test('returning an order returns its shipments', () => {
  const { shop } = orderAt('purchase');
  shop.checkout.transition('order', 1, 'ship');
  shop.checkout.transition('order', 1, 'return');
  expect(states(shop)).toMatchObject({
    order: 'returned',
    shipments: ['returned', 'returned'],
    units: ['returned', 'returned'],
  });
});

test('transitions of units and shipments of a cart are rejected', () => {
  const { shop } = orderAt('shipping');
  for (const [machine, name] of [
    ['shipment', 'hold'],
    ['shipment', 'cancel'],
    ['inventory_unit', 'sell'],
  ] as const) {
    const problem = problemOf(() => shop.checkout.transition(machine, 1, name));
    expect(problem?.message).toMatch(/^Order 1 is (still a cart|in state cart)\.$/);
  }
});

test('holding, releasing and holding a shipment again does the same to its units', () => {
  const { shop } = orderAt('confirm');
  shop.checkout.transition('shipment', 2, 'release');
  expect(states(shop)).toMatchObject({ units: ['onhold', 'checkout'] });
  shop.checkout.transition('shipment', 2, 'hold');
  expect(states(shop)).toMatchObject({ units: ['onhold', 'onhold'] });
});
