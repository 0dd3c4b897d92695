import { expect, test } from 'vitest';
import { card } from '../support/checkout-steps.ts';
import { problemOf, shopWithCart, takeStep, takeUntil } from '../support/checkout.ts';

test('a payment has the total and the currency of the order', () => {
  const { shop, order } = shopWithCart();
  const shipped = takeUntil(shop, order, 'shipping');
  shop.db.paymentMethods.add({ name: 'Cheque', enabled: false });
  expect(shop.checkout.proposePayment(shipped.id)).toMatchObject({
    methods: [{ id: 1, name: 'Card' }],
    payment: { amount: 1500, currency: 'EUR', state: 'new', created_at: shop.clock.now() },
  });
  takeStep(shop, shipped, 'payment');
  expect(shop.db.payments.by('order', order.id)).toMatchObject([
    { amount: 1500, currency: 'EUR', state: 'new', method_id: 1 },
  ]);
});

test.each([2, 9])('payment method %d, disabled or unknown, is rejected', (method) => {
  const { shop, order } = shopWithCart();
  shop.db.paymentMethods.add({ name: 'Cheque', enabled: false });
  const shipped = takeUntil(shop, order, 'shipping');
  expect(problemOf(() => shop.checkout.payment(shipped.id, method))?.fields).toEqual([
    { path: ['paymentMethod'], message: 'This value is not valid.' },
  ]);
});

test('an order whose payment was deleted awaits payment again', () => {
  const { shop, order } = shopWithCart();
  const ready = takeUntil(shop, order, 'payment');
  shop.db.payments.remove(1);
  expect(shop.checkout.awaited(ready.id)).toBe('payment');
  expect(takeUntil(shop, ready, 'purchase').state).toBe('confirmed');
});

test('a confirmed order without a payment cannot be paid', () => {
  const { shop, order } = shopWithCart();
  const ready = takeUntil(shop, order, 'confirm');
  shop.db.payments.remove(1);
  expect(problemOf(() => shop.checkout.purchase(ready.id, card))?.kind).toBe('refused');
});
