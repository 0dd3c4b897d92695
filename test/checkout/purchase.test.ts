import fc from 'fast-check';
import { expect, test } from 'vitest';
import { expiryYearRange, isCardNumber, testCards } from '../../src/checkout/card.ts';
import { takePurchase } from '../../src/checkout/purchase.ts';
import { addRule } from '../../src/checkout/script-rules.ts';
import type { Order } from '../../src/models/order.ts';
import type { PaymentOutcome } from '../../src/models/script-rule.ts';
import {
  card,
  everything,
  fillCart,
  openShop,
  sell,
  type SmallShop,
  takeUntil,
} from '../support/checkout.ts';

function confirmed(): { shop: SmallShop; order: Order } {
  const shop = openShop();
  return { shop, order: takeUntil(shop, fillCart(shop, [sell(shop)]), 'confirm') };
}

const paymentsOf = (shop: SmallShop) =>
  shop.db.payments.page(0, 9).map(({ state, card: digits, reason }) => ({ state, digits, reason }));

test('an approved purchase confirms the order', () => {
  const { shop, order } = confirmed();
  expect(takePurchase(shop, order, card)).toMatchObject({
    state: 'confirmed',
    checkout_state: 'completed',
  });
  expect(paymentsOf(shop)).toEqual([{ state: 'completed', digits: '4242' }]);
  expect(shop.db.shipments.get(1)?.state).toBe('ready');
});

test.each([
  ['approved', 'completed', 'confirmed', 'completed'],
  ['declined', 'failed', 'pending', 'finalize'],
  ['pending', 'processing', 'pending', 'finalize'],
  ['authorized', 'authorized', 'pending', 'finalize'],
  ['cancelled', 'cancelled', 'pending', 'finalize'],
  ['error', 'unknown', 'pending', 'finalize'],
] as const)('a purchase that is %s leaves the payment %s', (outcome, payment, state, checkout) => {
  const { shop, order } = confirmed();
  addRule(shop, { on: 'purchase', outcome });
  expect(takePurchase(shop, order, card)).toMatchObject({ state, checkout_state: checkout });
  expect(shop.db.payments.get(1)?.state).toBe(payment);
});

test.each(['declined', 'pending', 'authorized', 'cancelled', 'error'] as PaymentOutcome[])(
  'after a purchase that is %s the next one makes a new payment like it',
  (outcome) => {
    const { shop, order } = confirmed();
    addRule(shop, { on: 'purchase', outcome, first: 1 });
    const again = takePurchase(shop, order, card);
    expect(takePurchase(shop, again, { ...card, number: '5555555555554444' }).state).toBe(
      'confirmed',
    );
    const [first, second, ...more] = shop.db.payments.page(0, 9);
    expect(more).toEqual([]);
    const { method_id, amount, currency } = first!;
    expect(second).toMatchObject({ method_id, amount, currency, state: 'completed', card: '4444' });
  },
);

test('a payment that is still open when another one pays is cancelled', () => {
  const { shop, order } = confirmed();
  addRule(shop, { on: 'purchase', outcome: 'authorized', first: 1 });
  takePurchase(shop, takePurchase(shop, order, card), card);
  expect(paymentsOf(shop).map(({ state }) => state)).toEqual(['cancelled', 'completed']);
});

test.each(Object.entries(testCards))('test card %s comes to %j', (number, { outcome, reason }) => {
  const { shop, order } = confirmed();
  expect(isCardNumber(number)).toBe(true);
  takePurchase(shop, order, { ...card, number });
  const state = outcome === 'approved' ? 'completed' : 'failed';
  expect(paymentsOf(shop)).toEqual([{ state, digits: number.slice(-4), reason }]);
});

test('nothing of a card is kept but its last four digits', () => {
  const { shop, order } = confirmed();
  const secret = { ...card, number: '4000 0000 0000 9995', cardholderName: 'Zoe Quill' };
  takePurchase(shop, order, { ...secret, securityCode: '8765' });
  const kept = JSON.stringify(everything(shop));
  expect(kept).toContain('"card":"9995"');
  expect(kept).not.toMatch(/00009995|0000 9995|Quill|8765/);
});

test.each([
  ['4242424242424242', true],
  ['4242 4242 4242 4242', true],
  ['4242-4242-4242-4242', true],
  ['378282246310005', true],
  ['4242424242424241', false],
  ['42424242424', false],
  ['0', false],
  ['', false],
  ['4242x242424242424', false],
  ['００００００００００００００００', false],
])('%s is a card number: %s', (text, isOne) => {
  expect(isCardNumber(text)).toBe(isOne);
});

test('one digit that is wrong is always noticed', () => {
  const digit = fc.integer({ min: 0, max: 9 });
  fc.assert(
    fc.property(fc.nat(15), digit, (at, other) => {
      const right = '4242424242424242';
      const text = right.slice(0, at) + other + right.slice(at + 1);
      expect(isCardNumber(text)).toBe(text === right);
    }),
  );
});

test('a card expires this year at the earliest, and in twenty years at the latest', () => {
  expect(expiryYearRange('2026-03-02T09:00:00+0000')).toEqual({ from: 2026, to: 2046 });
});
