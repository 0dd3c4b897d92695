import express from 'express';
import { expect, test } from 'vitest';
import { createExpressRouter, openBackOffice, openSessions } from '../../src/mounts/express.ts';
import { caller } from '../support/office.ts';
import { openServer } from '../support/server.ts';
import { serveApp } from '../support/raw-http.ts';

const wait = 'POST /_backlot/journal/wait';

async function serve() {
  const office = openBackOffice();
  const sessions = openSessions(office, { milliseconds: () => performance.now() });
  const app = express().use('/shop', createExpressRouter(sessions));
  const url = `${await serveApp(app)}/shop`;
  return { office, sessions, url, call: caller((to, init) => fetch(to, init), url) };
}

test('a wait over HTTP ends with the matching request and blocks no other request', async () => {
  const { call } = await serve();
  await call('GET /api/orders/1');
  const waited = call(wait, { request: 'GET /api/orders/:id', times: 3 });
  await call('GET /api/channels/1');
  await call('GET /api/orders/2');
  expect((await call('GET /_backlot/journal/count')).body.count).toBe(3);
  await call('GET /api/orders/3');
  expect(await waited).toMatchObject({
    status: 200,
    body: { id: 4, url: '/api/orders/3', answer: { body: { id: 3 } } },
  });
});

test('a wait responds at once if the request was made, even on a host without long polling', () => {
  const { call, sessions } = openServer();
  call('GET /api/orders/2');
  expect(call(wait, { request: 'GET /api/orders/2' })).toMatchObject({ status: 200 });
  const unmet = { request: 'DELETE /api/orders/2', timeout: 60_000 };
  expect(call(wait, unmet)).toMatchObject({
    status: 400,
    body: { message: expect.stringContaining('#1 GET /api/orders/2 → 200') },
  });
  expect(sessions.shared.journal.count()).toBe(1);
});

test('a wait that times out lists the most similar requests', async () => {
  const { call } = await serve();
  const waited = call(wait, { request: 'DELETE /api/orders/1', times: 2, timeout: 300 });
  await call('DELETE /api/orders/2');
  const { status, body } = await waited;
  expect(status).toBe(400);
  expect(body.message).toMatch(
    /^Expected DELETE \/api\/orders\/1 2 times or more, but found none\.\nThe most similar requests:\n {2}~ #1 DELETE \/api\/orders\/2/,
  );
});

test('a wait in a session ends only with a request of that session', async () => {
  const { call } = await serve();
  const waited = call('POST /s/ada/_backlot/journal/wait', { request: 'GET /api/promotions/1' });
  await call('GET /api/promotions/1');
  await call('GET /s/eve/api/promotions/1');
  await call('GET /api/promotions/1', undefined, { 'x-backlot-session': 'ada' });
  expect(await waited).toMatchObject({
    status: 200,
    headers: { 'x-backlot-session': 'ada' },
    body: { id: 1, session: 'ada' },
  });
});

test('at most 32 clients can wait at once, and a disconnected client no longer counts', async () => {
  const { url, call } = await serve();
  const client = new AbortController();
  const ask = (signal?: AbortSignal): Promise<Response> =>
    fetch(`${url}/_backlot/journal/wait`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ request: 'GET /api/orders/1', timeout: 60_000 }),
      ...(signal !== undefined && { signal }),
    });
  const refused = async (): Promise<boolean> =>
    (await call(wait, { request: 'GET /api/orders/1', timeout: 0 })).status === 429;
  const waiting = Array.from({ length: 32 }, () => ask(client.signal).catch(() => 'gone'));
  await expect.poll(refused).toBe(true);
  const { body } = await call(wait, { request: 'GET /api/orders/1' });
  expect(body.message).toBe(
    'Limit of waiting requests (32) reached. Retry when another one has ended.',
  );
  client.abort();
  expect(new Set(await Promise.all(waiting))).toEqual(new Set(['gone']));
  await expect.poll(refused).toBe(false);
});

test.each([
  [{ request: 'GET /api/oders/1' }, /the closest is GET/],
  [{ request: 'GET', times: 0 }, />=1/],
  [{ request: 'GET', timeout: 60_001 }, /<=60000/],
  [{ request: 'GET', timeout: 'PT1S' }, /expected number/],
  [{ request: 'GET', within: 5 }, /Unrecognized key: .*within.*; known: request, .*timeout/],
])('an invalid wait is rejected at once: %j', (body, message) => {
  const { status, body: answer } = openServer().call(wait, body);
  expect(status).toBe(400);
  expect(JSON.stringify(answer.errors)).toMatch(message);
});
