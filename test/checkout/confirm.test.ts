import { expect, test } from 'vitest';
import {
  fillCart,
  openCart,
  openShop,
  promote,
  sell,
  shopWithCart,
  takeUntil,
} from '../support/checkout.ts';

test('confirm sets a number and a time, and puts units and shipments on hold', () => {
  const { shop, order } = shopWithCart();
  const ready = takeUntil(shop, order, 'payment');
  shop.clock.advance('PT5M');
  expect(shop.checkout.confirm(ready.id)).toMatchObject({
    number: '000000001',
    completed_at: '2026-03-02T09:05:00+0000',
    state: 'pending',
    checkout_state: 'finalize',
  });
  expect(shop.db.inventoryUnits.get(1)?.inventory_state).toBe('onhold');
  expect(shop.db.shipments.get(1)?.state).toBe('onhold');
  expect(shop.db.payments.get(1)?.state).toBe('new');
});

test('order numbers increase, skip numbers that exist, and are never reused', () => {
  const shop = openShop();
  const number = () => takeUntil(shop, fillCart(shop, [sell(shop)]), 'confirm').number;
  expect(number()).toBe('000000001');
  shop.db.orders.change(openCart(shop).id, { number: '000000002' });
  expect(number()).toBe('000000003');
  shop.db.orders.remove(3);
  expect(number()).toBe('000000004');
});

test('confirm keeps the prices that the client sent', () => {
  const { shop, order } = shopWithCart();
  shop.db.variants.change(1, { price: 1200 });
  expect(takeUntil(shop, order, 'confirm').total).toBe(1500);
});

test('with `repriceAtConfirm`, confirm updates items to the price of their variant, and the payment to the new total', () => {
  const { shop, order } = shopWithCart({ repriceAtConfirm: true });
  const gift = sell(shop, { price: 900 });
  promote(shop, {
    actions: [
      { type: 'add_product', configuration: { variant: gift.id, price: 10 } },
      { type: 'percentage_discount', configuration: { percentage: 0.1 } },
    ],
  });
  const ready = takeUntil(shop, order, 'payment');
  expect(ready.total).toBe(1000 + 10 - 101 + 500);
  shop.db.variants.change(1, { price: 1200 });
  expect(shop.checkout.confirm(ready.id)).toMatchObject({
    items_total: 1210,
    total: 1210 - 121 + 500,
  });
  expect(shop.db.payments.get(1)?.amount).toBe(1589);
});
