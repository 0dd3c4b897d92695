import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Order } from '../../src/shop/models/order.ts';
import type { PaymentOutcome } from '../../src/shop/models/script-rule.ts';
import { card, submitStep } from '../support/checkout-steps.ts';
import {
  everything,
  fillCart,
  openShop,
  sell,
  type BackOffice,
  type TestShop,
  takeUntil,
} from '../support/checkout.ts';
import { caller } from '../support/office.ts';

function confirmed(): { shop: TestShop; order: Order } {
  const shop = openShop();
  return { shop, order: takeUntil(shop, fillCart(shop, [sell(shop)]), 'confirm') };
}

const paymentsOf = (shop: BackOffice) =>
  shop.db.payments.page(0, 9).map(({ state, card: digits, reason }) => ({ state, digits, reason }));

test('an approved purchase confirms the order', () => {
  const { shop, order } = confirmed();
  expect(shop.checkout.purchase(order.id, card)).toMatchObject({
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
  shop.script.add({ on: 'purchase', outcome });
  expect(shop.checkout.purchase(order.id, card)).toMatchObject({ state, checkout_state: checkout });
  expect(shop.db.payments.get(1)?.state).toBe(payment);
});

test.each(['declined', 'pending', 'authorized', 'cancelled', 'error'] as PaymentOutcome[])(
  'after a purchase that is %s, the next one creates an equal payment',
  (outcome) => {
    const { shop, order } = confirmed();
    shop.script.add({ on: 'purchase', outcome, first: 1 });
    const again = shop.checkout.purchase(order.id, card);
    expect(shop.checkout.purchase(again.id, { ...card, number: '5555555555554444' }).state).toBe(
      'confirmed',
    );
    const [first, second, ...more] = shop.db.payments.page(0, 9);
    expect(more).toEqual([]);
    const { method_id, amount, currency } = first!;
    expect(second).toMatchObject({ method_id, amount, currency, state: 'completed', card: '4444' });
  },
);

test('an open payment is cancelled when another payment completes', () => {
  const { shop, order } = confirmed();
  shop.script.add({ on: 'purchase', outcome: 'authorized', first: 1 });
  shop.checkout.purchase(order.id, card);
  shop.checkout.purchase(order.id, card);
  expect(paymentsOf(shop).map(({ state }) => state)).toEqual(['cancelled', 'completed']);
});

/** The test numbers that payment providers publish. */
test.each([
  ['4242424242424242', 'completed', undefined],
  ['4000000000000002', 'failed', 'card declined'],
  ['4000000000009995', 'failed', 'insufficient funds'],
  ['4000000000009987', 'failed', 'lost card'],
  ['4000000000009979', 'failed', 'stolen card'],
  ['4000000000000069', 'failed', 'expired card'],
  ['4000000000000127', 'failed', 'incorrect security code'],
  ['4000000000000119', 'failed', 'processing error'],
  ['4000000000006975', 'failed', 'card used too often'],
  ['4100000000000019', 'failed', 'fraudulent'],
])('test card %s leaves the payment %s, %s', (number, state, reason) => {
  const { shop, order } = confirmed();
  shop.checkout.purchase(order.id, { ...card, number });
  expect(paymentsOf(shop)).toEqual([{ state, digits: number.slice(-4), reason }]);
});

test('only the last four digits of a card are stored', () => {
  const { shop, order } = confirmed();
  const secret = { ...card, number: '4000 0000 0000 9995', cardholderName: 'Zoe Quill' };
  shop.checkout.purchase(order.id, { ...secret, securityCode: '8765' });
  const kept = JSON.stringify(everything(shop));
  expect(kept).toContain('"card":"9995"');
  expect(kept).not.toMatch(/00009995|0000 9995|Quill|8765/);
});

/** Returns the response of a purchase by card: 200, or the message of the card number. */
async function purchaseBy(fields: Readonly<Record<string, unknown>>): Promise<unknown> {
  const { shop, order } = confirmed();
  const call = caller((url, init) => shop.fetch(url, init));
  const { status, body } = await submitStep(call, order.id, 'purchase', fields);
  return status === 200 ? 200 : body.errors.children;
}

const invalid = 'The credit card number you entered is invalid.';

test.each([
  '4242424242424242',
  '4242 4242 4242 4242',
  '4242-4242-4242-4242',
  '378282246310005',
  '6304000000000000',
])('%s is accepted as a card number', async (number) => {
  expect(await purchaseBy({ number })).toBe(200);
});

test.each([
  '4242424242424241',
  '42424242424',
  '0',
  '4242x242424242424',
  '００００００００００００００００',
])('%s is rejected as a card number', async (number) => {
  expect(await purchaseBy({ number })).toMatchObject({ number: { errors: [invalid] } });
});

test('a card number with one wrong digit is rejected', async () => {
  const digit = fc.integer({ min: 0, max: 9 });
  await fc.assert(
    fc.asyncProperty(fc.nat(15), digit, async (at, other) => {
      const right = card.number;
      const number = right.slice(0, at) + other + right.slice(at + 1);
      const answer = await purchaseBy({ number });
      if (number === right) expect(answer).toBe(200);
      else expect(answer).toMatchObject({ number: { errors: [invalid] } });
    }),
  );
});

test.each([
  [2025, false],
  [2026, true],
  [2046, true],
  [2047, false],
])('in 2026, accepting a card that expires in %d is %s', async (expiryYear, isGood) => {
  const answer = await purchaseBy({ expiryYear });
  if (isGood) expect(answer).toBe(200);
  else expect(answer).toMatchObject({ expiryYear: { errors: ['This value is not valid.'] } });
});
