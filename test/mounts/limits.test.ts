import express from 'express';
import { expect, test, vi } from 'vitest';
import { createHttpServer, type HttpServerOptions } from '../../src/mounts/server/server.ts';
import { createExpressRouter } from '../../src/mounts/express.ts';
import { openStoreOffice } from '../../src/shop/open-store-office.ts';
import { openSessions, type SessionOptions } from '../../src/engine/sessions/server.ts';
import { caller, type Answered, type Call } from '../support/office.ts';
import { ask, listen, serveApp, serveHttp } from '../support/raw-http.ts';

/** Starts a server behind one trusted proxy, and returns its URL and a function that sends requests to it. */
async function serve(sessions: SessionOptions, options: HttpServerOptions = {}) {
  const url = await serveHttp({ proxies: 1, ...options }, { milliseconds: () => 0, ...sessions });
  return { url, call: caller((to, init) => fetch(to, init), url) };
}

const from = (client: string) => ({ 'x-forwarded-for': client });

/** Returns the statuses of requests that are sent in turn. */
async function statuses(times: number, send: () => Promise<Answered>): Promise<number[]> {
  const all: number[] = [];
  while (all.length < times) all.push((await send()).status);
  return all;
}

test.each(['/api/users/1', '/api/nothing', '/nothing', '/', '/_backlot/health'])(
  'a server limits the rate of GET %s by the client that a trusted proxy names',
  async (path) => {
    const { url } = await serve({ requestRate: 1 }, { home: '/_backlot/' });
    const send = (client: string) => () => ask(url, `GET ${path}`, from(client));
    const [first, ...others] = await statuses(6, send('192.0.2.1'));
    expect(others).toEqual([first, first, first, first, 429]);
    expect(await send('192.0.2.1')()).toMatchObject({
      headers: { 'retry-after': '1' },
      body: { message: 'This client sends more than 1 requests a second. Retry in 1 s.' },
    });
    expect((await send('192.0.2.2')()).status).toBe(first);
  },
);

test('a server limits the rate of preflights', async () => {
  const { url } = await serve({ requestRate: 1 });
  const preflight = {
    ...from('192.0.2.1'),
    origin: 'https://app.example',
    'access-control-request-method': 'PUT',
  };
  const send = () => ask(url, 'OPTIONS /api/users/1', preflight);
  expect(await statuses(6, send)).toEqual([204, 204, 204, 204, 204, 429]);
});

test('a router limits the rate by the address that Express reads', async () => {
  const sessions = openSessions(openStoreOffice(), { requestRate: 1, milliseconds: () => 0 });
  const app = express().set('trust proxy', 1).use(createExpressRouter(sessions));
  const url = await serveApp(app);
  const send = (client: string) => () => ask(url, 'GET /api/users/1', from(client));
  expect(await statuses(6, send('192.0.2.1'))).toEqual([200, 200, 200, 200, 200, 429]);
  expect((await send('192.0.2.2')()).status).toBe(200);
});

/** Sends requests at once whose responses are delayed, and returns those that are not. */
async function undelayed(call: Call, count: number): Promise<string[]> {
  const limited: string[] = [];
  for (let sent = 0; sent < count; sent++) {
    void call('GET /s/ada/api/users/1', undefined, from('192.0.2.1'))
      .then(({ status, body }) => limited.push(`${status} ${body.message}`))
      // The server closes the other connections when the test ends.
      .catch(() => undefined);
  }
  await expect.poll(() => limited.length).toBeGreaterThan(0);
  return limited;
}

test('delayed responses beyond their number are rejected, and others are sent', async () => {
  const { call } = await serve({}, { maxWaiting: 2 });
  await call('POST /s/ada/_backlot/faults', { delay: 600_000 });
  expect(await undelayed(call, 3)).toEqual([
    '429 Limit of delayed responses (2) reached. Retry in 1 s.',
  ]);
  expect((await call('GET /s/eve/api/users/1')).status).toBe(200);
});

test('delayed responses beyond the share of a client are rejected', async () => {
  const { call } = await serve({ clientShare: 20 }, { maxWaiting: 10 });
  await call('POST /s/ada/_backlot/faults', { delay: 600_000 });
  expect(await undelayed(call, 3)).toEqual([
    '429 This client has 2 of the 10 delayed responses, its share. Retry in 1 s.',
  ]);
});

test('an error outside of the back office closes the connection and is printed', async () => {
  const said = vi.spyOn(console, 'error').mockReturnValue();
  const sessions = openSessions(openStoreOffice());
  const { answer } = sessions;
  sessions.answer = (request, ...rest) => {
    if (request.url === '/api/broken') throw new Error('a defect');
    return answer.call(sessions, request, ...rest);
  };
  const url = await listen(createHttpServer(sessions));
  await expect(fetch(`${url}/api/broken`)).rejects.toThrow('fetch failed');
  expect(said).toHaveBeenCalledOnce();
  expect((await fetch(`${url}/api/users/1`)).status).toBe(200);
  said.mockRestore();
});
