import { expect, test } from 'vitest';
import type { PaymentOutcome } from '../../src/shop/models/script-rule.ts';
import { card } from '../support/checkout-steps.ts';
import {
  everything,
  fillCart,
  now,
  openShop,
  problemOf,
  sell,
  type BackOffice,
  stock,
  takeStep,
  takeUntil,
} from '../support/checkout.ts';

function wait(shop: BackOffice, duration: string): void {
  shop.clock.advance(duration);
}

function openCart(settings = {}): BackOffice {
  const shop = openShop(settings);
  const teapot = sell(shop);
  stock(shop, teapot, 5);
  fillCart(shop, [teapot]);
  return shop;
}

test('a cart is abandoned once the clock is past its `expires_at`, not at it', () => {
  const shop = openCart();
  takeUntil(shop, now(shop, 1), 'payment');
  wait(shop, 'PT3H');
  expect(now(shop, 1).state).toBe('cart');
  wait(shop, 'PT1S');
  expect(now(shop, 1)).toMatchObject({ state: 'abandoned', checkout_state: 'payment' });
  expect(shop.db.payments.get(1)?.state).toBe('void');
  expect(shop.db.shipments.get(1)?.state).toBe('cancelled');
  expect(problemOf(() => takeStep(shop, now(shop, 1), 'confirm'))?.message).toBe(
    'Order 1 is in state abandoned, its checkout in state payment: it awaits no further step; it expired at 2026-03-02T12:00:00+0000.',
  );
});

test('the settings `cartLifetime` and `expiry` apply to carts', () => {
  const shop = openCart({ cartLifetime: 'P1D' });
  expect(now(shop, 1).expires_at).toBe('2026-03-03T09:00:00+0000');
  const unlimited = openCart({ expiry: 'ignore' });
  wait(unlimited, 'P9Y');
  expect(now(unlimited, 1).state).toBe('cart');
});

test.each(['3 hours', '-PT3H', 'P99999999Y', 'P9000Y', 'P'])(
  '%s is rejected as a lifetime',
  (cartLifetime) => {
    expect(problemOf(() => openShop({ cartLifetime }))?.kind).toBe('invalid');
    expect(problemOf(() => openShop({ pendingLifetime: cartLifetime }))?.kind).toBe('invalid');
  },
);

test('a confirmed order does not expire', () => {
  const shop = openCart();
  takeUntil(shop, now(shop, 1), 'confirm');
  wait(shop, 'P1Y');
  expect(now(shop, 1).state).toBe('pending');
});

test('with `pendingLifetime`, a pending order is released after it, with its stock', () => {
  const shop = openCart({ pendingLifetime: 'P2D' });
  shop.clock.advance('PT1H');
  takeUntil(shop, now(shop, 1), 'confirm');
  expect(shop.db.stockItems.get(1)?.on_hold).toBe(1);
  wait(shop, 'P2D');
  expect(now(shop, 1).state).toBe('pending');
  wait(shop, 'PT1S');
  expect(now(shop, 1).state).toBe('released');
  expect(shop.db.stockItems.get(1)).toMatchObject({ on_hand: 5, on_hold: 0 });
});

/** A shop with an order whose pending payment settles in ten minutes. */
function pending(outcome: PaymentOutcome, settings = {}): BackOffice {
  const shop = openCart(settings);
  const settle = { after: 'PT10M', outcome, reason: 'bank said so' };
  shop.script.add({ on: 'purchase', outcome: 'pending', first: 1, settle });
  takeUntil(shop, now(shop, 1), 'purchase');
  return shop;
}

test.each([
  ['approved', 'completed', 'confirmed'],
  ['declined', 'failed', 'pending'],
  ['authorized', 'authorized', 'pending'],
  ['cancelled', 'cancelled', 'pending'],
  ['pending', 'processing', 'pending'],
  ['error', 'unknown', 'pending'],
] as const)('a pending payment settles as %s after its delay', (outcome, payment, order) => {
  const shop = pending(outcome);
  expect(shop.db.payments.get(1)?.state).toBe('processing');
  wait(shop, 'PT9M59S');
  expect(shop.db.payments.get(1)?.state).toBe('processing');
  wait(shop, 'PT1S');
  expect(shop.db.payments.get(1)).toMatchObject({ state: payment, reason: 'bank said so' });
  expect(now(shop, 1).state).toBe(order);
  expect(shop.db.settlements.count()).toBe(0);
});

test('cancelling a pending payment deletes its settlement', () => {
  const shop = pending('approved');
  shop.checkout.transition('payment', 1, 'cancel');
  expect(shop.db.settlements.count()).toBe(0);
  wait(shop, 'PT1H');
  expect(shop.db.payments.get(1)?.state).toBe('cancelled');
});

test('a settlement of a deleted payment has no effect', () => {
  const shop = pending('approved');
  shop.db.payments.remove(1);
  wait(shop, 'PT1H');
  expect([now(shop, 1).state, shop.db.settlements.count()]).toEqual(['pending', 0]);
});

test('a pending payment never settles after another payment completes', () => {
  const shop = pending('approved');
  shop.checkout.purchase(1, card);
  wait(shop, 'PT1H');
  expect(shop.db.payments.page(0, 9).map(({ state }) => state)).toEqual(['cancelled', 'completed']);
});

test('events within one advance of the clock run in order of time', () => {
  const settled = pending('approved', { pendingLifetime: 'PT11M' });
  wait(settled, 'P1D');
  expect(now(settled, 1).state).toBe('confirmed');
  const released = pending('declined', { pendingLifetime: 'PT9M' });
  wait(released, 'P1D');
  expect(now(released, 1).state).toBe('released');
  expect(released.db.payments.get(1)?.state).toBe('failed');
});

test('advancing the clock without due events changes nothing', () => {
  const shop = pending('approved');
  const before = everything(shop);
  wait(shop, 'PT1S');
  expect(everything(shop)).toEqual(before);
});
