import express from 'express';
import { expect, test } from 'vitest';
import { createExpressRouter } from '../../src/mounts/express.ts';
import { openServer } from '../support/server.ts';
import { serveApp } from '../support/raw-http.ts';

const cart = { channel: 1, user: 1, currency: 'EUR' };

function openDemo(options: Parameters<typeof openServer>[0] = {}) {
  let visitors = 0;
  return openServer({ sessions: 'own', newName: () => `visitor-${++visitors}`, ...options });
}

test('each visitor gets an isolated session by cookie', () => {
  const { call } = openDemo();
  const first = call('POST /api/orders/', cart);
  expect(first).toMatchObject({ status: 201, body: { id: 121 } });
  expect(first.headers['set-cookie']).toMatch(/^backlot-session=visitor-1; Path=\/; HttpOnly/);
  expect(call('POST /api/orders/', cart)).toMatchObject({ status: 201, body: { id: 121 } });
  const again = call('GET /api/orders/121/', undefined, { cookie: 'backlot-session=visitor-1' });
  expect(again.status).toBe(200);
  expect(again.headers).not.toHaveProperty('set-cookie');
});

test('reads without a cookie create no session', () => {
  const { call } = openDemo({ maxSessions: 1 });
  for (let reading = 0; reading < 5; reading++) {
    expect(call('GET /api/orders/1/').status).toBe(200);
  }
  expect(call('GET /_backlot/health').body.sessions).toBe(0);
  call('POST /api/orders/', cart);
  expect(call('POST /api/orders/', cart)).toMatchObject({ status: 429 });
  expect(call('GET /api/orders/').body.total).toBe(call('GET /api/orders/').body.total);
});

test('a visitor controls only their own session', () => {
  const { call } = openDemo();
  const { headers } = call('PUT /_backlot/clock', { advance: 'P1D' });
  const cookie = headers['set-cookie']?.split(';', 1)[0] ?? '';
  expect(call('GET /_backlot/clock', undefined, { cookie }).body.now).toBe(
    '2026-03-03T09:00:00+0000',
  );
  expect(call('GET /_backlot/clock').body.now).toBe('2026-03-02T09:00:00+0000');
  for (const line of [
    'GET /_backlot/sessions',
    'DELETE /_backlot/sessions',
    'GET /_backlot/sessions/visitor-1',
  ]) {
    expect(call(line, undefined, { cookie })).toMatchObject({
      status: 403,
      body: { code: 403, message: expect.stringContaining('cannot see those of others') },
    });
  }
});

test('a request that exceeds the records of a session is rejected and changes nothing', () => {
  const { call, sessions } = openServer({ maxRows: 2 });
  expect(call('POST /api/orders/', cart).status).toBe(201);
  expect(call('POST /api/orders/', cart).status).toBe(201);
  const before = JSON.stringify(sessions.shared.export());
  const refused = call('POST /api/orders/', cart);
  expect(refused).toMatchObject({
    status: 429,
    body: {
      message: 'Limit of records beside those of the scenario (2) reached. Reset to continue.',
    },
  });
  call('DELETE /api/orders/121');
  expect(call('POST /api/orders/', cart).status).toBe(429);
  expect(call('POST /_backlot/script', { on: 'purchase', outcome: 'declined' }).status).toBe(429);
  call('POST /_backlot/reset');
  expect(call('POST /api/orders/', cart).status).toBe(201);
  expect(before).toContain('"id":122');
});

test('an import that exceeds the records of a session is rejected', () => {
  const [large, small] = [openServer(), openServer({ scenario: 'empty', maxRows: 10 })];
  const { status, body } = small.call(
    'POST /_backlot/import',
    large.call('GET /_backlot/export').body,
  );
  expect(status).toBe(429);
  expect(body.message).toContain('scenario (10) reached');
  expect(small.call('GET /api/orders/').body.total).toBe(0);
});

test('the rate of a session limits its requests and not those of other sessions', () => {
  const { call, pass } = openServer({ requestRate: 2 });
  const statuses = (path: string, times: number): number[] =>
    Array.from({ length: times }, () => call(`GET ${path}`).status);
  expect(statuses('/s/ada/api/users/1', 10)).toEqual(Array.from({ length: 10 }, () => 200));
  expect(call('GET /s/ada/api/users/1')).toMatchObject({
    status: 429,
    headers: { 'retry-after': '1' },
    body: { message: 'This session sends more than 2 requests a second. Retry in 1 s.' },
  });
  expect(statuses('/s/eve/api/users/1', 1)).toEqual([200]);
  expect(statuses('/api/users/1', 11)).toContain(429);
  pass(1);
  expect(statuses('/s/ada/api/users/1', 3)).toEqual([200, 200, 429]);
});

test('an export or an import counts as ten requests for the rate of a session', () => {
  const { call, pass } = openServer({ requestRate: 4 });
  const file = openServer().call('GET /_backlot/export').body;
  for (const [line, body] of [
    ['GET /s/ada/_backlot/journal/export?as=har', undefined],
    ['GET /s/ada/_backlot/export', undefined],
    ['POST /s/ada/_backlot/import', file],
  ] as const) {
    expect(call('POST /s/ada/api/orders/', cart).status).toBe(201);
    expect(call(line, body).status).toBe(200);
    expect(call(line, body)).toMatchObject({
      status: 429,
      headers: { 'retry-after': '1' },
    });
    expect(call('GET /s/ada/api/orders/').status).toBe(200);
    pass(5);
  }
  // A bucket that is smaller than ten requests is emptied.
  expect(openServer({ requestRate: 1 }).call('GET /s/ada/_backlot/export').status).toBe(200);
});

/** Returns an IPv6 address in a separate network. */
function network(at: number): string {
  return `2001:db8:0:${at.toString(16)}::1`;
}

test('requests without a session are rate-limited by client address', () => {
  const { sessions, pass } = openServer({ requestRate: 1 });
  const statuses = (client: string | undefined, times: number): number[] =>
    Array.from({ length: times }, () => {
      const request = { method: 'GET', url: '/api/users/1', headers: {}, client };
      return sessions.answer(request).status;
    });
  expect(statuses('192.0.2.1', 6)).toEqual([200, 200, 200, 200, 200, 429]);
  expect(statuses('192.0.2.2', 1)).toEqual([200]);
  expect(statuses(undefined, 6)).toContain(429);
  const visitors = Array.from({ length: 20_000 }, (_, at) => statuses(network(at), 1)).flat();
  expect(new Set(visitors)).toEqual(new Set([200]));
  pass(2);
  expect(statuses(network(19_999), 6)).toEqual([200, 200, 200, 200, 200, 429]);
});

test('bodies for the store API and for the control API have separate limits', () => {
  const { call } = openServer({
    settings: { maxBodyBytes: 50 },
    maxControlBytes: 100,
    maxImportBytes: 200,
  });
  const text = 'x'.repeat(60);
  expect(call('POST /api/users/', { firstName: text }).status).toBe(413);
  expect(call('POST /_backlot/reset', { scenario: text }).status).toBe(404);
  expect(call('POST /_backlot/faults', { status: 503, body: text.repeat(2) })).toMatchObject({
    status: 413,
    body: { message: 'The body is larger than 100 bytes.' },
  });
  expect(call('POST /_backlot/import', { format: text.repeat(2) }).body.message).toContain(
    'The file must be an export',
  );
  expect(call('POST /_backlot/import', { format: text.repeat(4) })).toMatchObject({
    status: 413,
    body: { message: 'The body is larger than 200 bytes.' },
  });
});

test('clients can choose only the listed scenarios', () => {
  const { call } = openServer({ scenarios: ['empty'] });
  expect(call('GET /_backlot/scenarios').body.map(({ name }: { name: string }) => name)).toEqual([
    'default',
    'empty',
  ]);
  expect(call('POST /_backlot/reset', { scenario: 'large' })).toMatchObject({
    status: 404,
    body: { message: "Scenario 'large' not found. Choose one of default, empty." },
  });
});

test('on a server with fixed starts, a reset cannot set a seed or a start time', () => {
  const { call } = openServer({ fixedStarts: true });
  for (const start of [{ seed: 2 }, { now: '2027-01-01' }, { scenario: 'sale', seed: 3 }]) {
    expect(call('POST /s/ada/_backlot/reset', start)).toMatchObject({
      status: 403,
      body: { message: expect.stringContaining('accepts no seed and no start time') },
    });
  }
  expect(call('POST /s/ada/_backlot/reset', { scenario: 'sale' }).status).toBe(200);
});

test('a control API that is off rejects every request, and the store API responds', () => {
  const { call } = openServer({ control: false });
  for (const line of ['GET /_backlot/', 'POST /_backlot/reset', 'GET /s/ada/_backlot/health']) {
    expect(call(line)).toMatchObject({
      status: 403,
      body: { message: 'The control API of this server is off.' },
    });
  }
  expect(call('GET /api/orders/').status).toBe(200);
  expect(call('GET /_backlotter').status).toBe(404);
});

test('a control API with a token accepts requests that send it', () => {
  const { call } = openServer({ controlToken: 'sesame' });
  for (const headers of [{}, { 'x-backlot-token': 'nut' }, { authorization: 'Bearer nut' }]) {
    expect(call('POST /_backlot/reset', undefined, headers)).toMatchObject({
      status: 401,
      body: { message: expect.stringContaining('X-Backlot-Token') },
    });
  }
  for (const headers of [{ 'x-backlot-token': 'sesame' }, { authorization: 'Bearer sesame' }]) {
    expect(call('POST /_backlot/reset', undefined, headers).status).toBe(200);
  }
  for (const line of ['GET /_backlot/', 'GET /_backlot/docs', 'GET /_backlot/health']) {
    expect(call(line).status).toBe(200);
  }
  expect(call('POST /api/orders/', cart).status).toBe(201);
});

test('the body of a request without the required token is rejected unread', async () => {
  const { sessions } = openServer({ controlToken: 'sesame', maxImportBytes: 100 });
  const url = '/_backlot/import';
  const token = { 'x-backlot-token': 'sesame' };
  expect(sessions.maxBodyBytes({ url, headers: {} })).toBe(0);
  expect(sessions.maxBodyBytes({ url, headers: token })).toBe(100);
  const app = express().use(createExpressRouter(sessions));
  const base = await serveApp(app);
  const send = (headers: Record<string, string>): Promise<Response> =>
    fetch(`${base}${url}`, { method: 'POST', body: 'x'.repeat(1000), headers });
  expect((await send({})).status).toBe(401);
  expect((await send(token)).status).toBe(415);
  const json = { ...token, 'content-type': 'application/json' };
  expect((await send(json)).status).toBe(413);
});
