import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { as, openServer } from '../support/server.ts';
import { runs } from '../support/runs.ts';

const cart = { channel: 1, user: 1, currency: 'EUR' };

test.each([
  ['the header', 'POST /api/orders/', as('ada'), 'GET /api/orders/121/', as('ada')],
  [
    'a cookie',
    'POST /api/orders/',
    { cookie: 'a=b; backlot-session=ada; c=d' },
    'GET /api/orders/121/',
    as('ada'),
  ],
  ['the path', 'POST /s/ada/api/orders/', {}, 'GET /api/orders/121/', as('ada')],
])('%s selects a session, which is opened by its first request', (_, write, how, read, asAda) => {
  const { call } = openServer();
  expect(call(write, cart, how)).toMatchObject({
    status: 201,
    headers: { 'x-backlot-session': 'ada' },
  });
  expect(call(read, undefined, asAda).status).toBe(200);
  expect(call(read).status).toBe(404);
  expect(call(read, undefined, as('eve')).status).toBe(404);
});

test('the session in the path overrides the header, and the header overrides the cookie', () => {
  const { call } = openServer();
  const headers = { ...as('header'), cookie: 'backlot-session=cookie' };
  expect(call('GET /s/path/api/users/1', undefined, headers).headers['x-backlot-session']).toBe(
    'path',
  );
  expect(call('GET /api/users/1', undefined, headers).headers['x-backlot-session']).toBe('header');
});

test('all links below the path of a session have that path, and nothing else in a response changes', () => {
  const { call } = openServer();
  const here = JSON.stringify(call('GET /api/orders/?limit=3').body);
  const there = JSON.stringify(call('GET /s/ada/api/orders/?limit=3').body);
  expect(there).toContain('{"href":"/s/ada/api/orders/?page=2&limit=3"}');
  expect(there).toBe(here.replaceAll('{"href":"/api/', '{"href":"/s/ada/api/'));
  const product = { name: '"href":"/api/orders/1"', description: 'A text.', price: 100 };
  expect(call('POST /s/ada/api/products/', product).body.name).toBe(product.name);
});

test('each session has its own clock, script, snapshots and settings', () => {
  const { call } = openServer();
  call('POST /_backlot/sessions', { name: 'bare', scenario: 'empty' });
  call('PUT /s/ada/_backlot/clock', { advance: 'P1D' });
  call('POST /s/ada/_backlot/script', { on: 'create', refuse: { message: 'Closed.' } });
  call('POST /s/ada/_backlot/snapshot', { name: 'mine' });
  expect(call('POST /s/ada/api/orders/', cart).status).toBe(400);
  expect(call('POST /s/eve/api/orders/', cart)).toMatchObject({
    status: 201,
    body: { created_at: '2026-03-02T09:00:00+0000' },
  });
  expect(call('GET /s/eve/_backlot/snapshot').body).toEqual([]);
  expect(call('GET /s/bare/api/orders/').body.total).toBe(0);
});

test('sessions used in turn behave as if each were alone', () => {
  const request = fc.constantFrom<[string, unknown?]>(
    ['POST /api/orders/', cart],
    ['POST /api/orders/121/items/', { variant: 3, quantity: 2, unitPrice: 500 }],
    ['DELETE /api/orders/2'],
    ['PATCH /api/users/1', { firstName: 'Eve' }],
    ['PUT /_backlot/clock', { advance: 'PT2H' }],
    ['PUT /_backlot/stock', { stockLocation: 1, variant: 3, onHand: 7 }],
    ['POST /_backlot/reset'],
    ['GET /api/orders/?limit=5'],
  );
  const step = fc.tuple(fc.constantFrom('ada', 'eve', 'kim'), request);
  fc.assert(
    fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
      const together = openServer();
      const seen = steps.map(([name, [line, body]]) => together.call(line, body, as(name)));
      for (const alone of ['ada', 'eve', 'kim']) {
        const server = openServer();
        for (const [index, [name, [line, body]]] of steps.entries()) {
          if (name === alone) expect(server.call(line, body, as(name))).toEqual(seen[index]);
        }
      }
    }),
    { numRuns: runs(25) },
  );
});

test('sessions are opened, listed, read, reset and deleted by name', () => {
  const { call, pass } = openServer();
  expect(call('POST /_backlot/sessions', { name: 'ada', scenario: 'empty' })).toMatchObject({
    status: 201,
    body: { name: 'ada', scenario: 'empty', path: '/s/ada' },
  });
  call('GET /s/eve/api/users/1');
  pass(5);
  call('POST /s/ada/api/users/', {});
  const list = call('GET /_backlot/sessions').body.sessions;
  expect(list).toMatchObject([
    { name: 'eve', scenario: 'default', idle_seconds: 5, age_seconds: 5 },
    { name: 'ada', scenario: 'empty', idle_seconds: 0, age_seconds: 5 },
  ]);
  expect(call('GET /_backlot/sessions/eve').body).toEqual(list[0]);
  expect(call('POST /_backlot/sessions/ada/reset', { scenario: 'default' }).body.scenario).toBe(
    'default',
  );
  expect(call('DELETE /_backlot/sessions/ada').status).toBe(204);
  expect(call('GET /_backlot/health').body.sessions).toBe(1);
  expect(call('DELETE /_backlot/sessions').status).toBe(204);
  expect(call('GET /_backlot/sessions').body).toEqual({ sessions: [], dropped: [] });
});

test.each([
  ['GET /s/a%2Fb/api/orders/', undefined, {}, 400, 'up to 64 letters, digits'],
  ['GET /api/orders/', undefined, as('näme'), 400, 'cannot be the name of a session'],
  ['GET /api/orders/', undefined, as(''), 400, '\\"\\" cannot be the name'],
  ['GET /api/orders/', undefined, as('x'.repeat(1000)), 400, 'cannot be the name'],
  ['GET /s/__proto__/api/orders/', undefined, {}, 400, 'the first of them a letter or a digit'],
  ['GET /s/%ff/api/orders/', undefined, {}, 400, 'cannot be the name'],
  ['GET /api/orders/', undefined, { cookie: 'backlot-session=a%20b' }, 400, 'cannot be the name'],
  ['POST /_backlot/sessions', { name: '../etc' }, {}, 400, 'cannot be the name of a session'],
  ['POST /_backlot/sessions', {}, {}, 400, 'This value should not be blank.'],
  [
    'POST /_backlot/sessions',
    { name: 'ada' },
    {},
    409,
    'POST /_backlot/sessions/ada/reset begins it again.',
  ],
  [
    'POST /_backlot/sessions',
    { name: 'eve', scenario: 'nope' },
    {},
    404,
    'Choose one of default, empty',
  ],
  ['GET /_backlot/sessions/eve', undefined, {}, 404, 'Session eve not found.'],
  ['DELETE /_backlot/sessions/eve', undefined, {}, 404, 'Session eve not found.'],
  ['POST /_backlot/sessions/eve/reset', {}, {}, 404, 'Session eve not found.'],
  [
    'POST /_backlot/sessions/ada/reset',
    { scenario: 'nope' },
    {},
    404,
    "Scenario 'nope' not found.",
  ],
])('%s with %o and %o is rejected and opens no session', (line, body, headers, status, reason) => {
  const { call } = openServer();
  call('POST /_backlot/sessions', { name: 'ada' });
  const answer = call(line, body, headers);
  expect([answer.status, JSON.stringify(answer.body)]).toEqual([
    status,
    expect.stringContaining(reason),
  ]);
  expect(call('GET /_backlot/sessions').body.sessions).toMatchObject([{ name: 'ada' }]);
});

test('an idle session is evicted, and its next client receives a notice', () => {
  const { call, pass } = openServer({ sessionIdle: 'PT10M' });
  call('POST /api/orders/', cart, as('ada'));
  pass(599);
  expect(call('GET /api/orders/121/', undefined, as('ada')).status).toBe(200);
  pass(600);
  call('GET /api/users/1', undefined, as('eve'));
  expect(call('GET /_backlot/sessions').body).toMatchObject({
    sessions: [{ name: 'eve' }],
    dropped: [{ name: 'ada', reason: 'it was idle for PT10M' }],
  });
  const again = call('GET /api/orders/121/', undefined, as('ada'));
  expect(again.status).toBe(404);
  expect(again.headers['x-backlot-notice']).toBe('Session ada was reset: it was idle for PT10M.');
  expect(call('GET /api/users/1', undefined, as('ada')).headers).not.toHaveProperty(
    'x-backlot-notice',
  );
  expect(call('GET /_backlot/sessions').body.dropped).toEqual([]);
});

test('the notices of a new session and of an ignored parameter share one header', () => {
  const { call, pass } = openServer({ sessionIdle: 'PT10M' });
  call('GET /s/ada/api/users/1');
  pass(600);
  call('GET /s/eve/api/users/1');
  expect(call('GET /s/ada/api/users/1?_=1').headers['x-backlot-notice']).toBe(
    'Session ada was reset: it was idle for PT10M. Ignored unknown query parameters: _.',
  );
});

test('a control endpoint rejects an unknown query parameter', () => {
  const { status, headers } = openServer().call('GET /_backlot/journal?methd=POST');
  expect(status).toBe(400);
  expect(headers).not.toHaveProperty('x-backlot-notice');
});

test('a session beyond the maximum number is rejected with the time to wait', () => {
  const { call, pass } = openServer({ maxSessions: 2, sessionIdle: 'PT1M' });
  call('GET /s/a/api/users/1');
  pass(20);
  call('GET /s/b/api/users/1');
  const refused = call('GET /s/c/api/users/1');
  expect(refused).toMatchObject({ status: 429, headers: { 'retry-after': '40' } });
  expect(refused.body.message).toBe('Session limit (2) reached. Retry in 40 s.');
  expect(call('GET /s/a/api/users/1').status).toBe(200);
  pass(60);
  expect(call('GET /s/c/api/users/1').status).toBe(200);
});

test('a server can require a session for every request', () => {
  const { call } = openServer({ sessions: 'required' });
  const refused = call('GET /api/orders/');
  expect(refused.status).toBe(400);
  expect(refused.body.message).toContain('X-Backlot-Session');
  expect(call('PUT /_backlot/clock', { advance: 'PT1H' }).status).toBe(400);
  expect(call('GET /_backlot/health').status).toBe(200);
  expect(call('GET /api/orders/', undefined, as('ada')).status).toBe(200);
});

test('resetAll resets the shared back office and removes all sessions and snapshots', () => {
  const { call, sessions } = openServer();
  call('POST /_backlot/reset', { scenario: 'empty' });
  call('POST /_backlot/reset', { scenario: 'default', seed: 9, now: '2030-01-01' });
  call('POST /_backlot/snapshot', { name: 'a' });
  call('POST /s/ada/api/orders/', cart);
  sessions.resetAll();
  expect(call('GET /_backlot/health').body).toEqual({
    status: 'ok',
    scenario: 'default',
    now: '2026-03-02T09:00:00+0000',
    sessions: 0,
    api: 'store',
    api_path: '/api',
    list: '/orders/',
    pages: true,
    address: '',
    may: { control: true, sessions: true, starts: true, findings: false },
  });
  expect(sessions.shared.shop.seed).toBe(1);
  expect(call('GET /_backlot/snapshot').body).toEqual([]);
  const reason = 'the server was reset';
  expect(call('GET /_backlot/sessions').body.dropped).toEqual([{ name: 'ada', reason }]);
  const back = call('GET /s/ada/api/orders/');
  expect(back.headers['x-backlot-notice']).toBe(`Session ada was reset: ${reason}.`);
  expect(call('GET /s/ada/api/orders/').headers).not.toHaveProperty('x-backlot-notice');
});

test('an idle time that is not a duration is rejected when the server is opened', () => {
  expect(() => openServer({ sessionIdle: 'an hour' })).toThrow('an hour is not a duration such as');
});

test('after its start, a server prepares its lists, and the OpenAPI document only when it is asked for', () => {
  const { sessions, shared } = openServer();
  const { lists } = shared.shop.api.control!.parts().overview;
  expect(lists.length).toBeGreaterThan(0);
  expect(Array.from(sessions.warmUpReads())).toHaveLength(lists.length);
});
