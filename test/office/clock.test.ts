import { expect, test, vi } from 'vitest';
import { card, put } from '../support/checkout-steps.ts';
import { openOffice } from '../support/office.ts';
import { openServer } from '../support/server.ts';

const cart = { channel: 1, user: 1, currency: 'EUR' };

test('the clock is frozen until it is set or advanced', async () => {
  const { call, clock } = openOffice();
  expect(clock.state).toEqual({ now: '2026-03-02T09:00:00+0000', mode: 'frozen' });
  clock.advance('P1DT2H');
  const { body } = await call('POST /api/orders/', cart);
  expect(body).toMatchObject({
    created_at: '2026-03-03T11:00:00+0000',
    expires_at: '2026-03-03T14:00:00+0000',
  });
});

test('due events have run when a call that moves the clock returns', () => {
  const { clock, db } = openOffice();
  const open = db.orders.findMany((query) => query.where({ state: 'cart' }));
  expect(open).not.toEqual([]);
  clock.advance('P1D');
  expect(new Set(open.map(({ id }) => db.orders.get(id)?.state))).toEqual(new Set(['abandoned']));
});

test.each([
  ['2026-03-05', '2026-03-05T00:00:00+0000'],
  ['2026-03-05T10:00', '2026-03-05T10:00:00+0000'],
  ['2026-03-05T10:00:00Z', '2026-03-05T10:00:00+0000'],
  ['2026-03-05T10:00:00+02:00', '2026-03-05T08:00:00+0000'],
  ['2026-03-05T10:00:00+0000', '2026-03-05T10:00:00+0000'],
  ['2025-01-01', '2025-01-01T00:00:00+0000'],
])('the clock can be set to the date-time %s', (text, expected) => {
  const { clock } = openOffice();
  clock.set(text);
  expect(clock.now()).toBe(expected);
});

test('a ticking clock follows real time in whole seconds from any date-time', () => {
  const { call, pass } = openServer({ clock: 'ticking' });
  pass(90.9);
  expect(call('GET /_backlot/clock').body).toEqual({
    now: '2026-03-02T09:01:30+0000',
    mode: 'ticking',
  });
  pass(0.1);
  expect(call('GET /_backlot/clock').body.now).toBe('2026-03-02T09:01:31+0000');
  call('PUT /_backlot/clock', { now: '2030-01-01', advance: 'PT1M' });
  pass(5);
  expect(call('GET /_backlot/clock').body.now).toBe('2030-01-01T00:01:05+0000');
});

test('a ticking clock can be frozen and started again', () => {
  const { call, pass } = openServer();
  expect(call('PUT /_backlot/clock', { mode: 'ticking' }).body.mode).toBe('ticking');
  pass(10);
  expect(call('PUT /_backlot/clock', { mode: 'frozen' }).body).toEqual({
    now: '2026-03-02T09:00:10+0000',
    mode: 'frozen',
  });
  pass(10);
  expect(call('GET /_backlot/clock').body.now).toBe('2026-03-02T09:00:10+0000');
});

test('carts expire under a ticking clock when real time passes', () => {
  const { call, pass } = openServer({ clock: 'ticking' });
  const { id } = call('POST /api/orders/', cart).body;
  pass(3 * 3600 + 1);
  expect(call(`GET /api/orders/${id}`).body.state).toBe('abandoned');
});

test('tokens, payments, limits and carts follow a clock that is advanced over HTTP', () => {
  const { call } = openServer({ scenario: 'slow-payments', settings: { auth: 'oauth2' } });
  const move = (advance: string): unknown => call('PUT /_backlot/clock', { advance }).body.now;
  const asked = {
    grant_type: 'password',
    client_id: 'demo_client',
    client_secret: 'secret_demo_client',
    username: 'api@example.com',
    password: 'api',
  };
  const bearing = () => ({
    authorization: `Bearer ${call('POST /oauth/v2/token', asked).body.access_token}`,
  });
  const [first, second] = [bearing(), bearing()];
  const { id } = call('POST /api/orders/', cart, first).body;
  const payment = () => call('GET /api/orders/2', undefined, bearing()).body.payments[0].state;
  put(call, 2, card, first);
  call('POST /_backlot/faults', {
    match: { path: '/api/channels/1' },
    limit: { requests: 1, per: 'PT5M' },
  });
  const channel = () => call('GET /api/channels/1', undefined, bearing());
  expect([channel().status, channel().headers['retry-after']]).toEqual([200, '300']);
  expect(payment()).toBe('processing');

  expect(move('PT10M')).toBe('2026-03-02T09:10:00+0000');
  expect(channel().status).toBe(200);
  expect(payment()).toBe('completed');
  expect(call('GET /api/orders/', undefined, first).status).toBe(200);

  move('PT51M');
  expect(call('GET /api/orders/', undefined, second).body.error_description).toContain('expired');
  expect(call(`GET /api/orders/${id}`, undefined, bearing()).body.state).toBe('cart');

  move('PT2H');
  const { body: abandoned } = call(`GET /api/orders/${id}`, undefined, bearing());
  expect([abandoned.state, abandoned.updated_at]).toEqual([
    'abandoned',
    '2026-03-02T12:01:00+0000',
  ]);
  expect(call('GET /_backlot/journal').body.entries.at(-1).at).toBe('2026-03-02T12:01:00+0000');
});

test('a coupon expires at its end on the clock', () => {
  const { call } = openServer({ scenario: 'sale', settings: { expiry: 'ignore' } });
  const enter = () => call('POST /_backlot/orders/4/coupons', { coupon: 'TODAY' });
  expect(enter().status).toBe(200);
  call('POST /_backlot/reset');
  call('PUT /_backlot/clock', { advance: 'P1D' });
  expect(enter()).toMatchObject({ status: 400, body: { message: 'Validation Failed' } });
  expect(JSON.stringify(enter().body)).toContain('expired');
});

test('a reset restores the date-time and the mode of the clock', () => {
  const { call, pass } = openServer({ clock: 'ticking' });
  pass(10);
  call('PUT /_backlot/clock', { mode: 'frozen', advance: 'P1Y' });
  call('POST /_backlot/reset');
  expect(call('GET /_backlot/clock').body).toEqual({
    now: '2026-03-02T09:00:00+0000',
    mode: 'ticking',
  });
});

test.each([
  ['an invalid date-time', { now: 'soon' }, 'now'],
  ['a date that does not exist', { now: '2026-02-30' }, 'now'],
  ['an hour that does not exist', { now: '2026-02-03T25:00:00Z' }, 'now'],
  ['an invalid duration', { advance: '3 hours' }, 'advance'],
  ['an incomplete duration', { advance: 'PT' }, 'advance'],
  ['an unknown mode', { mode: 'fast' }, 'mode'],
])('the error for %s names the parameter, and the clock stays unchanged', (_, body, field) => {
  const { call } = openServer();
  const before = call('GET /_backlot/clock').body;
  const { status, body: answer } = call('PUT /_backlot/clock', body);
  expect(status).toBe(400);
  expect(answer.errors.children[field].errors).toHaveLength(1);
  expect(call('GET /_backlot/clock').body).toEqual(before);
});

test.each([
  [{}, 'Give now, advance or mode.'],
  [{ advance: 'P99999Y' }, 'P99999Y moves the clock outside the years 1000 to 8999'],
  [{ advance: `P${'9'.repeat(30)}Y` }, '9Y is too long'],
  [
    { now: '2026-01-01', advance: '-P2000Y' },
    '-P2000Y moves the clock outside the years 1000 to 8999',
  ],
])('the clock rejects %o with a reason', (body, reason) => {
  const { call } = openServer();
  const before = call('GET /_backlot/clock').body;
  const { status, body: answer } = call('PUT /_backlot/clock', body);
  expect({ status, answer: JSON.stringify(answer) }).toEqual({
    status: 400,
    answer: expect.stringContaining(reason),
  });
  expect(call('GET /_backlot/clock').body).toEqual(before);
});

test('a back office without a source of real time rejects a ticking clock', () => {
  const { clock } = openServer({ milliseconds: undefined }).sessions.shared;
  expect(() => clock.tick()).toThrow('it has no source of real time');
  expect(clock.mode).toBe('frozen');
});

test('a mounted back office has real time for a ticking clock', () => {
  const real = vi.spyOn(performance, 'now').mockReturnValue(1000);
  const { clock } = openOffice();
  clock.tick();
  real.mockReturnValue(6000);
  expect(clock.now()).toBe('2026-03-02T09:00:05+0000');
  real.mockRestore();
});
