import { once } from 'node:events';
import http from 'node:http';
import axios from 'axios';
import { createBackOffice, saveTrace } from 'backlot/node';
import { createExpressRouter } from 'backlot/express';
import { test } from 'backlot/vitest';
import express from 'express';
import { afterEach, describe, expect, vi } from 'vitest';

const shop = 'http://shop.test/api';
const order = { channel: '1', user: '1', currency: 'EUR' };

afterEach(() => vi.useRealTimers());

function form() {
  const data = new FormData();
  for (const [name, value] of Object.entries(order)) data.set(name, value);
  return data;
}

function post(url) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', url);
    request.onload = () => resolve(request.status);
    request.onerror = () => reject(new Error('network error'));
    request.send(form());
  });
}

test('fetch is intercepted', async ({ office }) => {
  const response = await fetch(`${shop}/users/1`);
  expect(response.status).toBe(200);
  expect(await response.json()).toMatchObject({ id: 1 });
  expect(office).toHaveReceived('GET /api/users/:user_id', { times: 1 });
});

test('node:http and axios are intercepted', async ({ office }) => {
  const [response] = await once(http.get(`${shop}/users/1`), 'response');
  expect(response.resume().statusCode).toBe(200);
  for (const adapter of ['http', 'fetch'])
    expect((await axios.get(`${shop}/users/1`, { adapter })).data).toMatchObject({ id: 1 });
  expect(office).toHaveReceived('GET /api/users/:user_id', { times: 3 });
});

describe.runIf('XMLHttpRequest' in globalThis)('in a page', () => {
  test('XMLHttpRequest sends a form, to its own origin and to another', async ({ office }) => {
    expect(await post('/api/orders/')).toBe(201);
    expect(await post(`${shop}/orders/`)).toBe(201);
    expect(office).toHaveReceived('POST /api/orders/', { times: 2 });
  });
});

test('a back office that listens without the fixture answers', async () => {
  using office = createBackOffice({ baseUrl: 'http://other.test' });
  office.listen();
  expect((await fetch('http://other.test/api/users/1')).status).toBe(200);
});

test('a request that no back office answers is rejected with the reason', async ({ office }) => {
  const error = await fetch('http://other.test/elsewhere').catch((one) => one);
  expect(String(error.cause ?? error)).toContain('No back office answers');
  expect(office.journal.entries()).toEqual([]);
});

test('a URL of no server is not the concern of a back office', async ({ office }) => {
  for (const text of ['hi', '/api/orders/'])
    expect(await (await fetch(`data:text/plain,${text}`)).text()).toBe(text);
  expect(office.journal.entries()).toEqual([]);
});

test('forms are received by fetch and by office.fetch', async ({ office }) => {
  for (const body of [form(), new URLSearchParams(order)]) {
    expect((await fetch(`${shop}/orders/`, { method: 'POST', body })).status).toBe(201);
    expect((await office.fetch('/api/orders/', { method: 'POST', body })).status).toBe(201);
  }
});

test('a delay passes with the fake timers of a test, and the clock of the shop does not move', async ({
  office,
}) => {
  vi.useFakeTimers();
  const now = office.clock.now();
  office.faults.add({ match: { path: '/api/users/2' }, delay: 50_000 });
  expect((await fetch(`${shop}/users/1`)).status).toBe(200);
  let isDone = false;
  const late = fetch(`${shop}/users/2`).finally(() => (isDone = true));
  await vi.advanceTimersByTimeAsync(49_000);
  expect(isDone).toBe(false);
  await vi.advanceTimersByTimeAsync(2000);
  expect((await late).status).toBe(200);
  expect(office.clock.now()).toBe(now);
});

test('a trace is saved', async ({ office }) => {
  await fetch(`${shop}/users/1`);
  await saveTrace(office.history.trace(), `.backlot/saved/${crypto.randomUUID()}.html`);
});

describe.each(['json', 'urlencoded', 'text', 'raw'])('Express, behind express.%s', (parser) => {
  test('the router receives bodies of every kind', async () => {
    const app = express().use(express[parser]({ extended: true }));
    const server = app.use(createExpressRouter(createBackOffice())).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const boundary = 'x';
    const parts = Object.entries(order).map(
      ([name, value]) =>
        `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
    );
    const bodies = {
      'application/json': JSON.stringify(order),
      'application/x-www-form-urlencoded': new URLSearchParams(order).toString(),
      [`multipart/form-data; boundary=${boundary}`]: `${parts.join('')}--${boundary}--\r\n`,
    };
    for (const [type, body] of Object.entries(bodies)) {
      const { port } = server.address();
      const sent = http.request({ port, path: '/api/orders/', method: 'POST', agent: false });
      sent.setHeader('content-type', type).end(body);
      const [response] = await once(sent, 'response');
      expect(response.resume().statusCode).toBe(201);
    }
    server.closeAllConnections();
    server.close();
  });
});
