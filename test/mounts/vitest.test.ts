import axios from 'axios';
import { http, HttpResponse } from 'msw';
import { afterAll, describe, expect, expectTypeOf } from 'vitest';
import type { OrderView } from '../../src/contract.ts';
import { createBackOffice } from '../../src/mounts/node.ts';
import { test, type ExpectedRequest } from '../../src/mounts/vitest.ts';
import { address, declinedCard, submitStep } from '../support/checkout-steps.ts';
import { caller } from '../support/office.ts';

const shop = 'http://shop.test';
const order = { channel: 1, user: 1, currency: 'EUR' };

describe('concurrent tests', () => {
  const fresh = createBackOffice().db.orders.count();

  test.concurrent.for([1, 2, 3, 4, 5])(
    'have separate back offices, %i',
    async (times, { office }) => {
      for (let time = 0; time < times; time++) {
        await fetch(`${shop}/api/orders/`, {
          method: 'POST',
          body: new URLSearchParams('channel=1&user=1&currency=EUR'),
        });
        await axios.post(`${shop}/api/orders/`, order);
      }
      expect(office.db.orders.count()).toBe(fresh + 2 * times);
      expect(office).toHaveReceived('POST /api/orders/', { times: 2 * times });
    },
  );
});

describe('concurrent tests with a beforeEach', () => {
  test.beforeEach(async ({ office }) => {
    const { id } = office.given.aUser({ lastName: 'Lovelace' });
    await fetch(`${shop}/api/users/${id}`);
  });

  test.concurrent.for([1, 2, 3, 4, 5])(
    'share the back office of their hook, %i',
    async (times, { office }) => {
      for (let time = 0; time < times; time++) await fetch(`${shop}/api/users/?page=${times}`);
      await axios.get(`${shop}/api/users/${times}`);
      expect(office).toHaveReceived('GET /api/users/', { times, query: { page: times } });
      expect(office).toHaveReceived('GET /api/users/:user_id', { times: 2 });
    },
  );
});

describe('a back office with handlers of the user', () => {
  test.override({
    officeOptions: { handlers: [http.get('/api/reports/:year', () => HttpResponse.text('own'))] },
  });

  test('officeOptions accepts MSW handlers, which run first', async ({ office }) => {
    expect(await (await fetch(`${shop}/api/reports/2026`)).text()).toBe('own');
    expect((await fetch(`${shop}/api/users/7`)).status).toBe(200);
    expect(office.journal.count()).toBe(1);
  });
});

describe('a back office with the client fetch', () => {
  const before = globalThis.fetch;
  afterAll(() => expect(globalThis.fetch).toBe(before));

  test.override({
    officeOptions: {
      clients: 'fetch',
      baseUrl: 'https://shop.example',
      now: '2026-05-01T00:00:00+0000',
    },
  });

  test('officeOptions accepts the options of createBackOffice and listen', async ({ office }) => {
    expect(globalThis.fetch).not.toBe(before);
    expect(office.clock.now()).toBe('2026-05-01T00:00:00+0000');
    expect((await fetch('https://shop.example/api/users/1')).status).toBe(200);
    await expect(fetch(`${shop}/api/users/1`)).rejects.toThrow('No back office answers');
  });
});

test('toHaveReceived finds a request by its endpoint and its parameters', async ({ office }) => {
  const { id } = office.given.anOrder({ at: 'shipping' });
  await submitStep(caller(office.fetch), id, 'payment');
  await office.fetch('/api/users/?page=2');
  expect(office).toHaveReceived('PUT /api/checkouts/:order_id', {
    times: 1,
    step: 'payment',
    body: { paymentMethod: 1 },
    status: 200,
  });
  expect(office).toHaveReceived('GET /api/users/', { query: { page: 2 } });
  expect(office).not.toHaveReceived('DELETE /api/orders/:order_id');
});

test('toHaveReceived checks the parameter names of the endpoint', () => {
  type Names<Expected extends { body?: object }> = keyof NonNullable<Expected['body']>;
  expectTypeOf<Names<ExpectedRequest<'POST /api/orders/'>>>().toEqualTypeOf<
    'channel' | 'user' | 'currency' | `${string}[${string}`
  >();
  expectTypeOf<'paymentMethod'>().toExtend<
    Names<ExpectedRequest<'PUT /api/checkouts/:order_id'>>
  >();
  expectTypeOf<'paymentmethod'>().not.toExtend<
    Names<ExpectedRequest<'PUT /api/checkouts/:order_id'>>
  >();
  expectTypeOf<Names<ExpectedRequest<'PUT /api/checkouts/3'>>>().toEqualTypeOf<string>();
});

test('toHaveReceived names all that can be expected, and only matching requests beside a match', async ({
  office,
}) => {
  await office.fetch('/api/users/');
  await office.fetch('/api/users/1');
  const expected: object = { time: 1 };
  expect(() => expect(office).toHaveReceived('GET /api/users/', expected)).toThrow(
    'toHaveReceived has no time; known: times, atLeast, atMost, ',
  );
  expect(() => expect(office).toHaveReceived('GET /api/users/', { times: 2 })).toThrow(
    /^Expected GET \/api\/users\/ 2 times, but found 1\.\n  = #1 GET \/api\/users\/ → 200$/,
  );
});

test('toHaveReceived lists the closest requests when it fails', async ({ office }) => {
  await office.fetch('/api/users/?page=2');
  await office.fetch('/api/users/1');
  const said = message(() =>
    expect(office).toHaveReceived('GET /api/users/', { query: { page: 3 } }),
  );
  expect(said).toContain('Expected GET /api/users/');
  expect(said).toMatch(/similar requests:\s+~ #1 GET \/api\/users\/\?page=2/);
  expect(message(() => expect(office).not.toHaveReceived('GET /api/users/:user_id'))).toContain(
    'never, but found 1',
  );
  expect(message(() => expect(office).toHaveReceived('GET /api/visitors/'))).toContain(
    'the closest is GET /api/users/',
  );
});

test('given.anOrder creates an order at every step of its checkout', ({ office }) => {
  const steps = ['cart', 'addressing', 'shipping', 'payment', 'finalize', 'completed'] as const;
  const reached = steps.map((at) => office.given.anOrder({ at }).checkout_state);
  expect(reached).toEqual(steps);
  expect(office).not.toHaveReceived('POST /api/orders/');
});

test('given functions create records with the given values', ({ office }) => {
  const { given } = office;
  const user = given.aUser({ lastName: 'Lovelace' });
  const { masterVariant } = given.aProduct({ name: 'Tent', price: 14_900, stock: 1 });
  const ordered = given.anOrder({
    user: user.id,
    items: [{ variant: masterVariant.id, quantity: 2 }],
    shippingAddress: { city: 'Galway' },
    at: 'completed',
  });
  expectTypeOf(ordered).toEqualTypeOf<OrderView>();
  expect(ordered).toMatchObject({
    items_total: 29_800,
    user: { id: user.id },
    shipping_address: { city: 'Galway' },
    shipments: [{ state: 'backordered' }],
    payments: [{ state: 'completed' }],
  });
  const declined = given.anOrder({
    at: 'completed',
    card: declinedCard.number,
    billingAddress: { ...address, city: 'Cork' },
    shippingMethod: 2,
    paymentMethod: 2,
  });
  expect(declined).toMatchObject({
    billing_address: { city: 'Cork' },
    shipments: [{ method: { id: 2 } }],
    payments: [{ state: 'failed', method: { id: 2 } }],
  });
  const channel = given.aChannel({ code: 'kiosk' });
  expect(given.anOrder({ channel: channel.id }).channel?.code).toBe('kiosk');
  expect(given.aStockLocation().enabled).toBe(true);
  const { code } = given.aCoupon();
  expect(given.anOrder({ coupons: [code], at: 'addressing' }).checkout_state).toBe('addressing');
});

test('an order is given at the step that it awaits', async ({ office }) => {
  for (const awaits of ['addressing', 'shipping', 'payment', 'confirm', 'purchase'] as const) {
    const { id } = office.given.anOrder({ awaits });
    const other = awaits === 'shipping' ? 'payment' : 'shipping';
    const { body } = await submitStep(caller(office.fetch), id, other);
    expect(body.message).toContain(`it awaits ${awaits}, not `);
  }
  expect(office.given.anOrder().checkout_state).toBe('cart');
});

test('an order that cannot be given is refused with the possible values', ({ office }) => {
  const give = (values: object) => () => office.given.anOrder(values);
  const steps = 'one of addressing, shipping, payment, confirm, purchase';
  const states = 'one of cart, addressing, shipping, payment, finalize, completed';
  expect(give({ awaits: 'finalize' })).toThrow(`\`awaits\` must be ${steps}, not finalize`);
  expect(give({ awaits: 'completed' })).toThrow(
    "not completed. For this state of the checkout, pass `at: 'completed'`",
  );
  expect(give({ at: 'paid' })).toThrow(`\`at\` must be ${states}, not paid`);
  expect(give({ at: 'purchase' })).toThrow(
    "For an order that awaits it, pass `awaits: 'purchase'`",
  );
  expect(give({ at: 'cart', awaits: 'payment' })).toThrow(
    'pass either `awaits`, the next step, or',
  );
});

test('script, faults and the clock can be set, and given functions bypass faults', async ({
  office,
}) => {
  const { given } = office;
  given.aFault({ match: { path: '/api/*' }, status: 503 });
  const { id } = given.anOrder({ at: 'payment' });
  expect((await office.fetch('/api/users/1')).status).toBe(503);
  office.faults.clear();
  given.theScript({ on: 'purchase', outcome: 'declined' });
  given.theTime('2026-03-02T10:00:00Z');
  given.theTime('PT30M');
  expect(office.clock.now()).toBe('2026-03-02T10:30:00+0000');
  expect(given.anOrder({ at: 'completed' }).payments[0]?.state).toBe('failed');
  expect(office.db.orders.get(id)?.checkout_state).toBe('payment');
});

test('given functions throw for values that the API rejects', ({ office }) => {
  expect(() => office.given.aUser({ email: 'nobody' })).toThrow(/POST \/api\/users\/ returned 400/);
  expect(() => office.given.anOrder({ items: [{ variant: 999_999 }] })).toThrow(/returned 400/);
  const orders = office.db.orders.count();
  const products = office.db.products.count();
  expect(() => office.given.aProduct({ stock: -1 })).toThrow('onHand: ');
  expect(office.db.products.count()).toBe(products);
  const rules = [{ status: 503 }, { status: 42 }] as const;
  expect(() => office.given.aFault(...rules)).toThrow('status');
  expect(office.faults.list()).toEqual([]);
  const at = 'paid' as 'completed';
  expect(() => office.given.anOrder({ at })).toThrow(
    /must be one of cart, addressing, .*, not paid/,
  );
  expect(office.db.orders.count()).toBe(orders);
});

function message(work: () => void): string {
  try {
    work();
  } catch (error) {
    return (error as Error).message;
  }
  return 'nothing was wrong';
}
