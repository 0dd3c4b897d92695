import fc from 'fast-check';
import { anyCharacter } from '../support/any-character.ts';
import { address, card, checkoutOf, put, submitStep } from '../support/checkout-steps.ts';

/** A request: `['POST /api/orders/', { channel: 1, … }]`. */
export type Sent = readonly [line: string, body?: unknown];

const most = Number.MAX_SAFE_INTEGER;

export const number = fc.oneof(
  fc.integer({ min: 1, max: 5 }),
  fc.constantFrom(0, -1, 0.5, 10_000, 999_999_999, 1e12, 1e12 + 1),
  fc.constantFrom(most - 1, most, most + 1, -most, 1e21, 1e300, 5e-324, -0),
);
const id = fc.oneof({ weight: 5, arbitrary: fc.integer({ min: 1, max: 4 }) }, number);
export const text = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 8 }),
  fc.constantFrom('__proto__', 'constructor', '\ud800', '\u0000', 'a'.repeat(255), '1e400'),
);
export const moment = fc.oneof(
  fc.constantFrom('1000-01-01', '8999-12-31T23:59:59Z', '8999-12-31T23:59:59-14:00'),
  fc.constantFrom('1000-01-01T00:00:00+14:00', '9999-12-31', '2024-02-29', '2026-02-30'),
  fc.constantFrom('0000-01-01T00:00:00+0000', '2026-03-02T09:00:00+0000', '+010000-01-01'),
);
export const duration = fc.constantFrom(
  ...'PT0S PT3H P1D P899Y P900Y P7999Y -P1000Y P99999Y PT9007199254740991S P1Y11M -PT1S'.split(' '),
);
const json = fc.jsonValue({ maxDepth: 2, stringUnit: anyCharacter });

function post(path: string, body: Record<string, fc.Arbitrary<unknown>>, verb = 'POST') {
  return fc
    .record(body, { requiredKeys: [] })
    .map((sent): Sent => [`${verb} ${path}`, Object.fromEntries(Object.entries(sent))]);
}

function plain(line: string, body?: unknown): fc.Arbitrary<Sent> {
  return fc.constant([line, body]);
}

const ada = { firstName: 'Ada', lastName: 'Byron', email: 'ada@x.test', plainPassword: 'x' };
const outcome = fc.constantFrom('approved', 'declined', 'pending', 'error');

/** Requests to the store API, most of which are possible in the scenario `default` or `empty`. */
export const shopping: fc.Arbitrary<Sent> = fc.oneof(
  plain('POST /api/orders/', { channel: 1, user: 1, currency: 'EUR' }),
  fc
    .tuple(id, number, fc.constantFrom(1, 2, 3, 500, 10_001, most))
    .map(([variant, unitPrice, quantity]): Sent => [
      'POST /api/orders/1/items/',
      { variant, unitPrice, quantity },
    ]),
  put(plain, 1, { shippingAddress: { ...address, country: 2 } }),
  put(plain, 1, { shipments: [{ method: 2 }] }),
  submitStep(plain, 1, 'payment'),
  submitStep(plain, 1, 'confirm'),
  fc
    .constantFrom(2027, 4600, 8999, 9010)
    .map((expiryYear): Sent => [checkoutOf(1), { ...card, expiryYear }]),
  plain('DELETE /api/orders/1/items/1'),
  plain('DELETE /api/orders/1'),
  post('/api/products/', { name: text, description: text, price: number, sku: text }),
  post('/api/products/1', { price: number }, 'PATCH'),
  plain('DELETE /api/products/1'),
  post('/api/promotions/1/coupons/', { code: text, usageLimit: number }),
  plain('POST /api/users/', ada),
  fc.integer({ min: 20, max: 50 }).map((user): Sent => [`DELETE /api/users/${user}`]),
  plain('POST /api/password-resetting-requests/', { username: ada.email }),
  plain('POST /oauth/v2/token', {
    client_id: 'demo_client',
    client_secret: 'secret_demo_client',
    grant_type: 'password',
    username: 'api@example.com',
    password: 'api',
  }),
);

/** Requests to the control API. */
export const steering: fc.Arbitrary<Sent> = fc.oneof(
  post('/_backlot/clock', { now: moment, advance: duration }, 'PUT'),
  post('/_backlot/clock', { mode: fc.constantFrom('frozen', 'ticking') }, 'PUT'),
  post('/_backlot/stock', { stockLocation: id, variant: id, onHand: number }, 'PUT'),
  post('/_backlot/reset', { seed: number, now: moment }),
  post('/_backlot/reset', {
    settings: fc.record(
      { cartLifetime: duration, pendingLifetime: duration, maxLimit: number, journalSize: number },
      { requiredKeys: [] },
    ),
  }),
  post('/_backlot/script', {
    on: fc.constantFrom('purchase', 'item', 'order.confirm'),
    match: fc.record({ order: id, totalFrom: number, totalTo: number }, { requiredKeys: [] }),
    nth: number,
    outcome,
    settle: fc.record({ after: duration, outcome }),
    delay: number,
  }),
  post('/_backlot/script', {
    on: fc.constant('purchase'),
    outcome: fc.constant('pending'),
    settle: fc.record({ after: duration, outcome: fc.constant('approved') }),
  }),
  post('/_backlot/faults', {
    match: fc.record(
      {
        path: fc.constant('/api/channels/*'),
        parameters: fc.dictionary(text, fc.oneof(text, number), { maxKeys: 2 }),
      },
      { requiredKeys: [] },
    ),
    every: number,
    probability: number,
    status: fc.constantFrom(200, 418, 503),
    body: json,
    headers: fc.dictionary(text, text, { maxKeys: 2 }),
  }),
  post('/_backlot/faults', {
    limit: fc.record({ requests: fc.constantFrom(1000, most), per: duration }),
  }),
);
