import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import type { Answered } from '../support/office.ts';
import { runCommand, startServer, type Server } from '../support/command.ts';
import { sample } from '../support/runs.ts';

/** Sends a request 20 times at once, which is more than a rate of 1 allows. */
async function flood(send: (at: number) => Promise<Answered>): Promise<Answered[]> {
  return Promise.all(Array.from({ length: 20 }, (_, at) => send(at)));
}

const startSlow = (): Promise<Server> => startServer('--demo', '--quiet', '--rate', '1');

const lines = [
  'GET /api/users/1',
  'GET /api/nothing',
  'GET /nothing',
  'GET /',
  'GET /oauth/v2/token',
  'GET /_backlot/health',
  'GET /_backlot/docs',
  'GET /_backlot/nothing',
  'GET /_backlot/sessions',
  'POST /_backlot/faults',
  'GET /s/new/_backlot/openapi.json',
  'GET /s/a%20b/api/users/1',
  'PROPFIND /api/users/1',
];

test('the rate of a client limits every path, and the response has Retry-After', async () => {
  const { url } = await startSlow();
  for (const line of lines) {
    const [method = '', path = ''] = line.split(' ');
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => fetch(`${url}${path}`, { method, redirect: 'manual' })),
    );
    const limited = responses.find(({ status }) => status === 429);
    const wait = limited?.headers.get('retry-after');
    // Rules count as two requests, for one of which there may be room.
    const waits = line.endsWith('/faults') ? ['1', '2'] : ['1'];
    expect(waits, line).toContain(wait);
    expect(await limited?.json()).toEqual({
      code: 429,
      message: `This client sends more than 1 requests a second. Retry in ${wait} s.`,
    });
  }
});

test('pages of other origins can read that a request is beyond the rate', async () => {
  const { call } = await startSlow();
  const answers = await flood(() => call('GET /api/users/1'));
  const limited = answers.find(({ status }) => status === 429);
  expect(limited?.headers['access-control-allow-origin']).toBe('*');
});

test('the rate of a client limits preflights', async () => {
  const { url } = await startSlow();
  const headers = { origin: 'https://app.example', 'access-control-request-method': 'PUT' };
  const preflights = Array.from({ length: 20 }, () =>
    fetch(`${url}/api/users/1`, { method: 'OPTIONS', headers }),
  );
  const statuses = (await Promise.all(preflights)).map(({ status }) => status);
  expect(new Set(statuses)).toEqual(new Set([204, 429]));
});

test('the rate of a client limits new names of sessions', async () => {
  const { call } = await startSlow();
  const answers = await flood((at) => call(`GET /s/v${at}/api/users/1`));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 429]));
});

test('the rate of a session limits paths of the control API, and not other sessions', async () => {
  const { call } = await startSlow();
  await call('GET /s/ada/api/users/1');
  const answers = await flood(() => call('GET /s/ada/_backlot/openapi.json'));
  const limited = answers.find(({ status }) => status === 429);
  expect(limited?.body.message).toBe(
    'This session sends more than 1 requests a second. Retry in 1 s.',
  );
  expect((await call('GET /_backlot/health')).status).toBe(200);
});

test('a request beyond the rate gets its response before its body is complete', async () => {
  const { url } = await startSlow();
  const headers = { 'content-type': 'application/json', 'content-length': '8000' };
  const requests = Array.from({ length: 20 }, () =>
    request(`${url}/api/users/`, { method: 'POST', headers }).on('error', () => undefined),
  );
  for (const one of requests) one.flushHeaders();
  const responses = requests.map((one) => once(one, 'response'));
  const [response] = (await Promise.race(responses)) as [IncomingMessage];
  expect(response.statusCode).toBe(429);
  for (const one of requests) one.destroy();
  await Promise.allSettled(responses);
});

const from = (address: string): Record<string, string> => ({ 'x-forwarded-for': address });

/** Starts a demo behind a proxy, so that each request can state its client address. */
function startProxied(...flags: string[]): Promise<Server> {
  return startServer('--demo', '--quiet', '--rate', '1000000', '--proxies', '1', ...flags);
}

/** Returns the statuses of requests that each name a session. */
async function open({ call }: Server, names: readonly string[], address: string) {
  const answers: Answered[] = [];
  for (const name of names) {
    answers.push(await call(`GET /s/${name}/api/users/1`, undefined, from(address)));
  }
  return answers;
}

test('in a demo, one client can open 20 of the 100 sessions', async () => {
  const demo = await startProxied();
  const names = Array.from({ length: 25 }, (_, at) => `v${at}`);
  const answers = await open(demo, names, '192.0.2.1');
  const statuses = answers.map(({ status }) => status);
  expect(statuses).toEqual(names.map((_, at) => (at < 20 ? 200 : 429)));
  expect(answers[20]?.body.message).toMatch(
    /^This client has opened 20 of the 100 sessions, its share\. Retry in \d+ s\.$/,
  );
  expect(Number(answers[20]?.headers['retry-after'])).toBeGreaterThan(0);
  expect((await open(demo, ['ada'], '192.0.2.2'))[0]?.status).toBe(200);
});

test('the share of a client counts its sessions by cookie', async () => {
  const { call } = await startProxied('--client-share', '2');
  const cart = { channel: 1, user: 1, currency: 'EUR' };
  const begin = async (address: string): Promise<number> =>
    (await call('POST /api/orders/', cart, from(address))).status;
  expect([await begin('192.0.2.1'), await begin('192.0.2.1'), await begin('192.0.2.1')]).toEqual([
    201, 201, 429,
  ]);
  expect(await begin('192.0.2.2')).toBe(201);
});

test('one client can have only its share of the delayed responses', async () => {
  const { call, url } = await startProxied('--max-waiting', '10');
  await call('POST /s/ada/_backlot/faults', { delay: 600_000 }, from('192.0.2.1'));
  const client = new AbortController();
  const answers: string[] = [];
  const send = async (address: string): Promise<void> => {
    const { signal } = client;
    const answer = await fetch(`${url}/s/ada/api/users/1`, { signal, headers: from(address) });
    const { message } = await answer.json();
    answers.push(`${answer.status} ${answer.headers.get('retry-after')} ${message}`);
  };
  const waiting = Array.from({ length: 5 }, () => send('192.0.2.1'));
  await expect.poll(() => answers.length).toBe(3);
  const full = '429 1 This client has 2 of the 10 delayed responses, its share. Retry in 1 s.';
  expect(new Set(answers)).toEqual(new Set([full]));
  const other = Array.from({ length: 3 }, () => send('192.0.2.2'));
  await expect.poll(() => answers.length).toBe(4);
  client.abort();
  await Promise.allSettled([...waiting, ...other]);
});

test.each(sample(['0', '101', '5%', '-1', '1.5'], 1))(
  '--client-share %s is rejected',
  async (share) => {
    const { code, err } = await runCommand(`--client-share=${share}`);
    expect(code).toBe(2);
    expect(err).toContain(`--client-share must be a whole number from 1 to 100, not '${share}'.`);
  },
);
