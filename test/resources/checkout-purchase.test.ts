import { expect, test } from 'vitest';
import { card, declinedCard, put } from '../support/checkout-steps.ts';
import { outline } from '../support/outline.ts';
import { at, openSmallShop } from '../support/small-shop.ts';
import { order } from '../support/specification.ts';

test('missing parameters of a card are reported', async () => {
  const { call } = openSmallShop();
  const blank = { errors: ['This value should not be blank.'] };
  const { type: _, ...missing } = Object.fromEntries(
    Object.keys(card).map((name) => [name, blank]),
  );
  const { status, body } = await put(call, at.confirmed, { type: 'visa' });
  expect(status).toBe(400);
  expect(body.message).toBe('Validation Failed');
  expect(body.errors).toEqual({ children: { type: [], ...missing } });
  expect(Object.keys(body.errors.children)).toEqual(Object.keys(card));
});

test.each([
  ['number', '4242424242424241', 'The credit card number you entered is invalid.'],
  ['number', 'four', 'The credit card number you entered is invalid.'],
  ['number', '0', 'The credit card number you entered is invalid.'],
  ['cardholderName', 'Ada', expect.any(String)],
  ['securityCode', '12', expect.any(String)],
  ['securityCode', '12345', expect.any(String)],
  ['securityCode', '12a', expect.any(String)],
  ['expiryMonth', 0, expect.any(String)],
  ['expiryMonth', 13, expect.any(String)],
  ['expiryMonth', 'May', expect.any(String)],
  ['expiryYear', 2025, expect.any(String)],
  ['expiryYear', 2047, expect.any(String)],
  ['type', ' ', 'This value should not be blank.'],
])('a card with the %s %j is rejected at that parameter', async (name, value, message) => {
  const { call } = openSmallShop();
  const { status, body } = await put(call, at.confirmed, { ...card, [name]: value });
  expect(status).toBe(400);
  const { [name]: bad, ...others } = body.errors.children;
  expect(bad).toEqual({ errors: [message] });
  expect(Object.values(others)).toEqual([[], [], [], [], []]);
});

test.each([
  { expiryYear: 2026, expiryMonth: 1 },
  { expiryYear: '2046', expiryMonth: '12' },
  { number: '4242 4242 4242 4242' },
  { number: 4_242_424_242_424_242 },
  { securityCode: '1234', cardholderName: 'Adaa' },
  { securityCode: 123, type: 'any' },
])('a card with %j is accepted', async (part) => {
  const { call } = openSmallShop();
  expect(await put(call, at.confirmed, { ...card, ...part })).toMatchObject({
    status: 200,
    body: { state: 'confirmed' },
  });
});

test.each([200, 402] as const)(
  'a declined purchase responds with %i and the full order, and can be repeated',
  async (declinedStatus) => {
    const { call } = openSmallShop({ settings: { declinedStatus } });
    const declined = await put(call, at.confirmed, declinedCard);
    expect(declined).toMatchObject({
      status: declinedStatus,
      body: {
        state: 'pending',
        checkout_state: 'finalize',
        payments: [{ state: 'failed', amount: 4480 }],
        shipments: [{ state: 'onhold' }],
      },
    });
    expect(outline(declined.body)).toBe(order({ until: 'confirm', checkout: true }));
    expect((await call(`GET /api/checkouts/${at.confirmed}`)).body).toEqual(declined.body);
    const again = await put(call, at.confirmed, card);
    expect(again).toMatchObject({
      status: 200,
      body: {
        state: 'confirmed',
        checkout_state: 'completed',
        payments: [{ state: 'failed' }, { state: 'completed', amount: 4480, method: { id: 1 } }],
      },
    });
  },
);

test.each([
  ['4242424242424242', 'completed'],
  ['4000000000000002', 'failed'],
  ['4000000000009995', 'failed'],
  ['4000000000000069', 'failed'],
  ['4000000000000127', 'failed'],
  ['4000000000000119', 'failed'],
  ['5555555555554444', 'completed'],
])('a purchase with the card %s leaves the payment %s', async (number, state) => {
  const { call } = openSmallShop();
  const { body } = await put(call, at.confirmed, { ...card, number });
  expect(body.payments).toMatchObject([{ state }]);
});

test("only a card's last four digits are kept", async () => {
  const { call, db } = openSmallShop();
  const number = '5555555555554444';
  const own = { securityCode: '987', cardholderName: 'Zebulon Quix' };
  await put(call, at.confirmed, { ...card, number, ...own });
  const stored = JSON.stringify(Object.values(db).map((table) => table.all()));
  expect(stored).toContain('"4444"');
  expect(stored).not.toMatch(/55555555|"987"|Zebulon/);
});
