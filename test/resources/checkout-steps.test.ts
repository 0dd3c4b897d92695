import { expect, test } from 'vitest';
import { address, put, stepNames, steps, submitStep } from '../support/checkout-steps.ts';
import { contents } from '../support/office.ts';
import { at, openSmallShop } from '../support/small-shop.ts';

const awaits = {
  [at.cart]: 'addressing',
  [at.addressing]: 'shipping',
  [at.shipping]: 'payment',
  [at.payment]: 'confirm',
  [at.confirmed]: 'purchase',
  [at.paid]: 'no further step',
};
const outOfTurn = Object.entries(awaits).flatMap(([id, awaited]) =>
  stepNames.filter((step) => step !== awaited).map((step) => ({ id: Number(id), awaited, step })),
);

test.each(outOfTurn)(
  'order $id rejects the step $step with a message that it awaits $awaited',
  async ({ id, awaited, step }) => {
    const { call } = openSmallShop();
    const before = (await call(`GET /api/orders/${id}`)).body;
    const { status, body } = await submitStep(call, id, step);
    expect(status).toBe(400);
    expect(Object.keys(body)).toEqual(['code', 'message']);
    expect(body.message).toContain(before.checkout_state);
    expect(body.message).toContain(awaited);
    expect((await call(`GET /api/orders/${id}`)).body).toEqual(before);
  },
);

test('a step that is not the next one is rejected before its parameters are validated', async () => {
  const { call } = openSmallShop();
  expect((await put(call, at.paid, { paymentMethod: 'x' })).body).not.toHaveProperty('errors');
});

test('an expired cart is abandoned and its checkout is rejected', async () => {
  const { call, clock } = openSmallShop();
  clock.set('2026-03-02T10:40:00+0000');
  expect((await call(`GET /api/orders/${at.cart}`)).body).toMatchObject({ state: 'cart' });
  clock.advance('PT1S');
  const { status, body } = await submitStep(call, at.cart, 'addressing');
  expect(status).toBe(400);
  expect(body.message).toMatch(/abandoned.*expired at 2026-03-02T10:40:00\+0000/);
  expect((await call(`GET /api/orders/${at.cart}`)).body).toMatchObject({ state: 'abandoned' });
  const item = { variant: 1, unitPrice: 1, quantity: 1 };
  expect(await call(`POST /api/orders/${at.cart}/items/`, item)).toMatchObject({ status: 400 });
});

test.each([at.cart, at.addressing, at.shipping])(
  'GET of the checkout of the expired order %i responds with 400',
  async (id) => {
    const { call, clock } = openSmallShop();
    clock.advance('P1D');
    const { status, body } = await call(`GET /api/checkouts/${id}`);
    expect(status).toBe(400);
    expect(body.message).toMatch(/abandoned.*awaits no further step; it expired at/);
  },
);

test('with `expiry: ignore`, the checkout of an expired cart continues', async () => {
  const { call, clock } = openSmallShop({ settings: { expiry: 'ignore' } });
  clock.advance('P3D');
  expect(await submitStep(call, at.cart, 'addressing')).toMatchObject({ status: 200 });
});

test('with `stepBack`, an earlier step can be repeated and discards the results of later steps', async () => {
  const { call } = openSmallShop({ settings: { stepBack: true } });
  const { status, body } = await submitStep(call, at.payment, 'addressing');
  expect(status).toBe(200);
  expect(body).toMatchObject({
    checkout_state: 'addressing',
    shipping_address: { first_name: 'Ada' },
    adjustments: [],
    shipments: [],
    payments: [],
    total: 3980,
  });
});

test('an unknown parameter is rejected and never confirms, whatever `unknownParameters` is', async () => {
  const strict = await put(openSmallShop().call, at.payment, { gift: true });
  expect(strict).toMatchObject({
    status: 400,
    body: { errors: { errors: ['This form should not contain extra fields.'] } },
  });
  const office = openSmallShop({ settings: { unknownParameters: 'ignore' } });
  const before = contents(office);
  // What a client of 2016 sends to choose a payment method.
  const sent = { 'payments[0][method]': '1', differentBillingAddress: '0' };
  expect(await put(office.call, at.payment, sent)).toMatchObject({
    status: 400,
    body: {
      code: 400,
      message:
        'Unknown parameters: payments, differentBillingAddress. Order 4 awaits confirm: send an empty body to confirm it.',
    },
  });
  expect(contents(office)).toBe(before);
  expect((await put(office.call, at.payment, {})).status).toBe(200);
});

test('with `unknownParameters: ignore` a real addressing request of 2016 sets the addresses', async () => {
  const { call } = openSmallShop({ settings: { unknownParameters: 'ignore' } });
  const shippingAddress = { ...address, company: 'Novak Ltd', phoneNumber: '555' };
  const { status, body } = await submitStep(call, at.cart, 'addressing', {
    shippingAddress,
    differentBillingAddress: false,
  });
  expect({ status, step: body.checkout_state }).toEqual({ status: 200, step: 'addressing' });
});

test('a request with parameters of two steps is rejected', async () => {
  const { call } = openSmallShop();
  expect(await submitStep(call, at.shipping, 'payment', { gift: 1 })).toMatchObject({
    status: 400,
  });
  expect(await submitStep(call, at.cart, 'addressing', steps.payment)).toMatchObject({
    status: 400,
  });
});

test.each(['GET', 'PUT'])(
  '%s of the checkout of a missing order responds with 404',
  async (method) => {
    const { call } = openSmallShop();
    for (const id of ['99', '0', 'x', '1.5', '-1']) {
      expect(await call(`${method} /api/checkouts/${id}`)).toMatchObject({
        status: 404,
        body: { message: `Requested order does not exist with these criteria: {"id":"${id}"}.` },
      });
    }
  },
);
