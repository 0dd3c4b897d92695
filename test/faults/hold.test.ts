import express from 'express';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createExpressRouter, openBackOffice, openSessions } from '../../src/mounts/express.ts';
import { caller, openOffice } from '../support/office.ts';
import { openServer } from '../support/server.ts';
import { serveApp } from '../support/raw-http.ts';

const orders = { match: { path: '/api/orders' }, hold: 'orders' } as const;

/** Whether a promise is settled by now, without a wait for a timer. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  const pending = Symbol('pending');
  await new Promise((resolve) => {
    setImmediate(resolve);
  });
  return (await Promise.race([promise, Promise.resolve(pending)])) !== pending;
}

test('a hold keeps a response until its name is released', async () => {
  const office = openOffice();
  const { id } = office.faults.add(orders);
  const response = office.call('GET /api/orders/?limit=1');
  expect(await isSettled(response)).toBe(false);
  expect(office.held()).toEqual([
    {
      name: 'orders',
      method: 'GET',
      url: '/api/orders/?limit=1',
      since: office.clock.now(),
    },
  ]);
  expect((await office.call('GET /api/channels/1')).status).toBe(200);
  expect(office.release('orders')).toBe(1);
  expect((await response).status).toBe(200);
  expect(office.held()).toEqual([]);
  expect(office.journal.entries('GET /api/orders/')[0]).toMatchObject({
    answer: { status: 200, hold: ['orders'] },
    faults: [id],
  });
});

test('a request after the release is not held, and a fault that is added later holds again', async () => {
  const office = openOffice();
  office.faults.add(orders);
  expect(office.release('orders')).toBe(0);
  expect((await office.call('GET /api/orders/')).status).toBe(200);
  expect(office.faults.list()).toMatchObject([{ hold: 'orders', released: true }]);
  office.faults.add(orders);
  const response = office.call('GET /api/orders/');
  expect(await isSettled(response)).toBe(false);
  expect(office.release('orders')).toBe(1);
  expect((await response).status).toBe(200);
});

test('a reset and a restored snapshot hold again what was released', async () => {
  const faults = [{ ...orders, match: { path: '/api/orders' } }];
  const office = openOffice({ scenario: { name: 'slow', description: '', faults } });
  const snapshot = office.snapshot();
  for (const restart of [() => office.reset(), () => office.restore(snapshot)]) {
    office.release('orders');
    restart();
    const response = office.call('GET /api/orders/');
    expect(await isSettled(response)).toBe(false);
    office.release('orders');
    await response;
  }
});

test.each<[string, (office: ReturnType<typeof openOffice>) => void]>([
  ['a reset', (office) => office.reset()],
  ['an import', (office) => office.import(openOffice().export())],
  ['a restored snapshot', (office) => office.restore(openOffice().snapshot())],
  ['the removal of the fault', (office) => office.faults.clear()],
  ['releaseAll', (office) => expect(office.releaseAll()).toBe(2)],
])('%s sends held responses', async (_, end) => {
  const office = openOffice();
  office.faults.add(orders);
  const held = [office.call('GET /api/orders/'), office.call('HEAD /api/orders/')];
  expect(await isSettled(Promise.race(held))).toBe(false);
  end(office);
  expect(office.held()).toEqual([]);
  expect(await Promise.all(held)).toMatchObject([{ status: 200 }, { status: 200 }]);
});

test('a response that two faults hold is sent when both names are released', async () => {
  const office = openOffice();
  office.faults.add({ hold: 'first' });
  office.faults.add({ hold: 'second', status: 503 });
  const response = office.call('GET /api/orders/1');
  expect(await isSettled(response)).toBe(false);
  office.release('first');
  expect(await isSettled(response)).toBe(false);
  expect(office.held().map(({ name }) => name)).toEqual(['second']);
  office.release('second');
  expect((await response).status).toBe(503);
});

test('a hold keeps what the request writes, and uses neither real nor virtual time', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const office = openOffice();
  const before = office.db.orders.count();
  office.faults.add({ match: { method: 'POST' }, hold: 'create' });
  const body = { channel: 1, user: 1, currency: 'EUR' };
  const response = office.call('POST /api/orders/', body);
  expect(await isSettled(response)).toBe(false);
  expect(office.db.orders.count()).toBe(before + 1);
  expect(vi.getTimerCount()).toBe(0);
  office.clock.advance('P1D');
  expect(await isSettled(response)).toBe(false);
  office.release('create');
  expect((await response).status).toBe(201);
});

test('a request that its client aborts is no longer held', async () => {
  const office = openOffice();
  office.faults.add(orders);
  const client = new AbortController();
  const response = office.fetch('/api/orders/', { signal: client.signal });
  expect(await isSettled(response)).toBe(false);
  client.abort();
  await expect(response).rejects.toThrow(/aborted/);
  expect(office.held()).toEqual([]);
});

test('a held request is known as soon as the journal has its entry', async () => {
  const office = openOffice();
  office.faults.add(orders);
  const entry = office.journal.waitFor('GET /api/orders/');
  const response = office.call('GET /api/orders/');
  await entry;
  expect(office.release('orders')).toBe(1);
  await response;
});

test('a request holds its own response with Prefer', async () => {
  const office = openOffice();
  const response = office.call('GET /api/orders/1', undefined, { Prefer: 'hold=mine' });
  expect(await isSettled(response)).toBe(false);
  expect(office.release('mine')).toBe(1);
  expect((await response).headers['preference-applied']).toBe('hold=mine');
});

test('the name of a hold fits into a path', () => {
  const office = openOffice();
  expect(() => office.faults.add({ hold: 'all orders' })).toThrow(
    expect.objectContaining({
      fields: [{ path: ['hold'], message: expect.stringMatching(/^Expected up to 64 letters/) }],
    }),
  );
});

test('the number of held responses of a session is limited', async () => {
  const office = openBackOffice({ session: 'ada' });
  office.faults.add({ hold: 'all' });
  const request = { method: 'GET', url: '/api/orders/1', headers: {} };
  const { signal } = new AbortController();
  const held = Array.from(
    { length: 100 },
    () =>
      office.answer(request).deferred?.answer(signal) ??
      Promise.reject(new Error('The response is not held.')),
  );
  expect(office.held().length).toBe(100);
  expect(office.answer(request)).toMatchObject({
    status: 429,
    body: expect.stringContaining('Limit of held responses (100) reached.'),
  });
  office.release('all');
  expect(await Promise.all(held)).toHaveLength(100);
});

async function serve() {
  const office = openBackOffice();
  const sessions = openSessions(office, { milliseconds: () => performance.now() });
  const url = await serveApp(express().use(createExpressRouter(sessions)));
  return { office, sessions, url, call: caller((to, init) => fetch(to, init), url) };
}

test('a server holds responses of a session until the control API releases them', async () => {
  const { call, office } = await serve();
  await call('POST /s/ada/_backlot/faults', { hold: 'all', delay: 1 });
  const response = call('GET /s/ada/api/orders/?limit=1');
  await expect
    .poll(async () => (await call('GET /s/ada/_backlot/holds')).body)
    .toMatchObject([{ name: 'all', method: 'GET', url: '/api/orders/?limit=1' }]);
  expect(office.held()).toEqual([]);
  expect(await call('POST /s/ada/_backlot/holds/all/release')).toMatchObject({
    status: 200,
    body: { released: 1 },
  });
  const { headers, body } = await response;
  expect(headers['x-backlot-session']).toBe('ada');
  expect(body._links.self.href).toBe('/s/ada/api/orders/?page=1&limit=1');
});

test('a server sends held responses when their session is deleted or all is reset', async () => {
  const { call, sessions } = await serve();
  for (const end of [() => sessions.sessions.remove('ada'), () => sessions.resetAll()]) {
    await call('POST /s/ada/_backlot/faults', orders);
    const response = call('GET /s/ada/api/orders/');
    await expect.poll(async () => (await call('GET /s/ada/_backlot/holds')).body.length).toBe(1);
    end();
    expect((await response).status).toBe(200);
  }
});

test('a server no longer holds a request when its client disconnects', async () => {
  const { office, url } = await serve();
  office.faults.add(orders);
  const client = new AbortController();
  const response = fetch(`${url}/api/orders/`, { signal: client.signal }).catch(String);
  await expect.poll(() => office.held().length).toBe(1);
  client.abort();
  await response;
  await expect.poll(() => office.held().length).toBe(0);
});

test('a host that cannot wait sends a held response at once', () => {
  const { call, sessions } = openServer();
  sessions.shared.faults.add(orders);
  expect(call('GET /api/orders/').status).toBe(200);
  expect(call('GET /_backlot/holds').body).toEqual([]);
  expect(call('POST /_backlot/holds/orders/release').body).toEqual({ released: 0 });
});
