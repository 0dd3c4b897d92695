import { expect, test } from 'vitest';
import type { Order } from '../../src/shop/models/order.ts';
import {
  address,
  everything,
  now,
  openShop,
  problemOf,
  promote,
  sell,
  shopWithCart,
  type BackOffice,
  takeStep,
  takeUntil,
  type Step,
} from '../support/checkout.ts';

const { steps } = openShop().checkout;

test('a complete checkout has the states of the specification', () => {
  const { shop, order } = shopWithCart();
  const states = steps.map((step) => {
    const { state, checkout_state } = takeStep(shop, now(shop, order.id), step);
    return [step, state, checkout_state];
  });
  expect(states).toEqual([
    ['addressing', 'cart', 'addressing'],
    ['shipping', 'cart', 'shipping'],
    ['payment', 'cart', 'payment'],
    ['confirm', 'pending', 'finalize'],
    ['purchase', 'confirmed', 'completed'],
  ]);
});

type Go = (shop: BackOffice, order: Order) => Order;

const stages: readonly (readonly [string, Go, Step | undefined])[] = [
  ['cart', (_, order) => order, 'addressing'],
  ['addressing', (shop, order) => takeUntil(shop, order, 'addressing'), 'shipping'],
  ['shipping', (shop, order) => takeUntil(shop, order, 'shipping'), 'payment'],
  ['payment', (shop, order) => takeUntil(shop, order, 'payment'), 'confirm'],
  ['finalize', (shop, order) => takeUntil(shop, order, 'confirm'), 'purchase'],
  ['completed', (shop, order) => takeUntil(shop, order, 'purchase'), undefined],
  ['abandoned', given('abandon'), undefined],
  ['released', given('release', 'confirm'), 'purchase'],
  ['cancelled', given('cancel', 'purchase'), undefined],
];

function given(name: string, last?: Step): Go {
  return (shop, order) => {
    const ready = last === undefined ? order : takeUntil(shop, order, last);
    shop.checkout.transition('order', ready.id, name);
    return now(shop, ready.id);
  };
}

test.each(stages)('an order at %s accepts its next step only', (_name, go, next) => {
  const { shop, order } = shopWithCart();
  const there = go(shop, order);
  expect(shop.checkout.awaited(there.id)).toBe(next);
  for (const step of steps.filter((one) => one !== next)) {
    const before = everything(shop);
    const problem = problemOf(() => takeStep(shop, there, step));
    expect(problem?.kind).toBe('refused');
    expect(problem?.message).toContain(`is in state ${there.state}`);
    expect(problem?.message).toContain(next === undefined ? 'no further step' : `awaits ${next}`);
    expect(everything(shop)).toEqual(before);
  }
});

test('a rejected step names the state of the order and its next step', () => {
  const { shop, order } = shopWithCart();
  expect(problemOf(() => shop.checkout.payment(order.id, 1))?.message).toBe(
    'Order 1 is in state cart, its checkout in state cart: it awaits addressing, not payment.',
  );
});

test('an earlier step is rejected without `stepBack`', () => {
  const { shop, order } = shopWithCart();
  const shipped = takeUntil(shop, order, 'shipping');
  expect(problemOf(() => takeStep(shop, shipped, 'addressing'))?.kind).toBe('refused');
});

test('repeating an earlier step deletes all records of later steps', () => {
  const { shop, order } = shopWithCart({ stepBack: true });
  const ready = takeUntil(shop, order, 'payment');
  const back = takeStep(shop, ready, 'addressing', { ...address, city: 'Hamburg' });
  expect(back).toMatchObject({ checkout_state: 'addressing', total: 1000, shipping_address_id: 1 });
  expect(shop.db.addresses.page(0, 9)).toMatchObject([{ city: 'Hamburg' }, { city: 'Hamburg' }]);
  expect([shop.db.shipments.count(), shop.db.payments.count()]).toEqual([0, 0]);
  const again = takeUntil(shop, back, 'payment');
  expect(takeStep(shop, again, 'shipping')).toMatchObject({ checkout_state: 'shipping' });
  expect([shop.db.shipments.count(), shop.db.payments.count()]).toEqual([1, 0]);
});

test('repeating a step replaces its adjustments, and keeps unchanged items', () => {
  const { shop, order } = shopWithCart({ stepBack: true });
  promote(shop);
  const once = takeUntil(shop, order, 'shipping');
  const { db } = shop;
  const items = db.orderItems.page(0, 9);
  const before = db.adjustments.page(0, 9);
  shop.clock.advance('PT1M');
  takeStep(shop, once, 'shipping');
  expect(db.orderItems.page(0, 9)).toEqual(items);
  const stamp = shop.clock.now();
  expect(db.adjustments.page(0, 9)).toEqual(
    before.map((row) => ({ ...row, id: row.id + 2, created_at: stamp, updated_at: stamp })),
  );
});

test('repeating payment replaces the payment', () => {
  const { shop, order } = shopWithCart({ stepBack: true });
  shop.db.paymentMethods.add({ name: 'Cheque', enabled: true });
  const ready = takeUntil(shop, order, 'payment');
  shop.checkout.payment(ready.id, 2);
  expect(shop.db.payments.by('order', order.id)).toMatchObject([{ method_id: 2, state: 'new' }]);
});

test('a confirmed order cannot repeat a step', () => {
  const { shop, order } = shopWithCart({ stepBack: true });
  const pending = takeUntil(shop, order, 'confirm');
  expect(problemOf(() => takeStep(shop, pending, 'payment'))?.kind).toBe('refused');
});

test.each(['addressing', 'shipping', 'payment'] as const)(
  'repeating %s changes only the ids of adjustments',
  (step) => {
    const { shop, order } = shopWithCart({ stepBack: true });
    promote(shop, {
      actions: [
        { type: 'add_product', configuration: { variant: sell(shop).id } },
        { type: 'shipping_discount', configuration: { percentage: 0.3 } },
      ],
    });
    const once = takeUntil(shop, order, step);
    const before = withoutIds(shop);
    takeStep(shop, once, step);
    expect(withoutIds(shop)).toEqual(before);
  },
);

/** Everything that is stored, adjustments without their ids. */
function withoutIds(shop: BackOffice): Record<string, unknown> {
  const adjustments = shop.db.adjustments.all().map((row) => ({ ...row, id: undefined }));
  return { ...everything(shop), adjustments };
}
