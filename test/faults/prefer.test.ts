import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import express from 'express';
import { getResponse } from 'msw';
import { afterEach, expect, test, vi } from 'vitest';
import { createExpressRouter } from '../../src/mounts/express.ts';
import { caller, contents, openOffice, type Call } from '../support/office.ts';
import { serveApp } from '../support/raw-http.ts';

const cart = { channel: 1, user: 1, currency: 'EUR' };

afterEach(() => {
  vi.useRealTimers();
});

test('Prefer injects a failure into one request', async () => {
  const office = openOffice();
  const before = contents(office);
  const refused = await office.call('POST /api/orders/', cart, { Prefer: 'status=503' });
  expect(refused.status).toBe(503);
  expect(refused.body).toEqual({ code: 503, message: 'Service Unavailable' });
  expect(refused.headers['preference-applied']).toBe('status=503');
  expect(contents(office)).toBe(before);
  expect((await office.call('POST /api/orders/', cart)).status).toBe(201);
  expect(office.journal.entries().map(({ prefer }) => prefer)).toEqual(['status=503', undefined]);
});

test('Prefer: after keeps what the request writes', async () => {
  const office = openOffice();
  const orders = office.db.orders.count();
  const headers = { Prefer: 'status=500, after' };
  expect((await office.call('POST /api/orders/', cart, headers)).status).toBe(500);
  expect(office.db.orders.count()).toBe(orders + 1);
});

test.each([
  ['delay=2s', 2000],
  ['delay=1.5s', 1500],
  ['Delay="250ms"', 250],
  ['respond-async, wait=10, delay=3ms; foo=bar', 3],
])('Prefer delays a response: %s', (prefer, delay) => {
  const answer = openOffice().answer({ method: 'GET', url: '/api/orders/', headers: { prefer } });
  expect(answer).toMatchObject({ status: 200, delay });
});

test.each(['__proto__=1', 'constructor=1'])(
  'a preference named as a property of every object is ignored: %s',
  async (prefer) => {
    const { call } = openOffice();
    const answer = await call('GET /api/orders/1', undefined, { Prefer: prefer });
    expect(answer.status).toBe(200);
    expect(answer.headers['preference-applied']).toBeUndefined();
    expect((await call('GET /api/boats/1', undefined, { Prefer: prefer })).status).toBe(404);
  },
);

test('unknown preferences are ignored', async () => {
  const answer = await openOffice().call('GET /api/orders/1', undefined, {
    Prefer: 'respond-async, handling=lenient',
  });
  expect(answer.status).toBe(200);
  expect(answer.headers).not.toHaveProperty('preference-applied');
});

test.each([
  ['status=99', /status must be a status from 200 to 599, not '99'/],
  ['status', /status must be a status/],
  ['delay=2', /such as 2s or 500ms, not '2'/],
  ['delay=soon', /such as 2s or 500ms, not 'soon'/],
  ['delay=9999s', /at most 600s/],
  ['connection=close', /connection must be drop/],
  ['corrupt=rotten', /corrupt must be malformed or cut-off/],
  ['after', /after requires status, connection or corrupt/],
  ['status=503, after=later', /after must be without a value, true or false/],
])(
  'an invalid preference is rejected and the request writes nothing: %s',
  async (prefer, message) => {
    const office = openOffice();
    const before = contents(office);
    const answer = await office.call('POST /api/orders/', cart, { Prefer: prefer });
    expect(answer.status).toBe(400);
    expect(answer.body.message).toMatch(message);
    expect(contents(office)).toBe(before);
  },
);

test('fetch resolves after the delay, and rejects when it is aborted', async () => {
  const office = openOffice();
  vi.useFakeTimers();
  let status = 0;
  const answered = office.fetch('/api/orders/1', { headers: { prefer: 'delay=2s' } });
  const seen = answered.then((response) => (status = response.status));
  await vi.advanceTimersByTimeAsync(1999);
  expect(status).toBe(0);
  await vi.advanceTimersByTimeAsync(1);
  expect(await seen).toBe(200);
  const control = new AbortController();
  const init = { headers: { prefer: 'delay=600s' }, signal: control.signal };
  const given = office.fetch('/api/orders/1', init);
  const failed = expect(given).rejects.toThrow(/aborted/);
  await vi.advanceTimersByTimeAsync(10);
  control.abort();
  await failed;
  expect(vi.getTimerCount()).toBe(0);
});

test('MSW handlers respond to a dropped connection with a network error', async () => {
  const { handlers } = openOffice();
  const headers = { prefer: 'connection=drop' };
  const response = await getResponse(
    handlers,
    new Request('http://shop.test/api/orders/', { headers }),
  );
  expect(response?.type).toBe('error');
});

test('a server drops connections, sends corrupt JSON and delays responses', async () => {
  await served(async (call, url) => {
    const drop = { prefer: 'connection=drop' };
    await expect(call('GET /api/orders/', undefined, drop)).rejects.toThrow('fetch failed');
    const corrupted = await fetch(`${url}/api/orders/`, { headers: { prefer: 'corrupt=cut-off' } });
    await expect(corrupted.json()).rejects.toThrow(SyntaxError);
    const slow = await call('GET /api/orders/1', undefined, { prefer: 'delay=20ms' });
    expect(slow.headers['preference-applied']).toBe('delay=20ms');
    const allowed = slow.headers['access-control-expose-headers'];
    expect(allowed).toBe('*');
  });
});

test('dropping a connection also drops the delayed responses on it', async () => {
  await served(async (_, url) => {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    const start = 'GET /api/orders/1 HTTP/1.1\r\nHost: localhost\r\nPrefer: ';
    for (const wish of ['delay=10s', 'connection=drop']) socket.write(`${start}${wish}\r\n\r\n`);
    expect(await text(socket)).toBe('');
  });
});

test('the journal has an entry for a request whose body is too large', async () => {
  const office = openOffice({ settings: { maxBodyBytes: 100 } });
  await served(async (call) => {
    const answer = await call('POST /api/orders/', { currency: 'E'.repeat(200) });
    expect(answer.status).toBe(413);
  }, office);
  expect(office.journal.entries()).toMatchObject([
    {
      url: '/api/orders/',
      request: { left_out: expect.stringMatching(/larger than 100/) },
      answer: { status: 413 },
    },
  ]);
});

async function served(
  talk: (call: Call, url: string) => Promise<void>,
  office = openOffice(),
): Promise<void> {
  const url = await serveApp(express().use(createExpressRouter(office)));
  await talk(caller(fetch, url), url);
}
