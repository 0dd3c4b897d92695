import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { Answered } from '../support/office.ts';
import { startServer, type Server } from '../support/command.ts';
import { runs } from '../support/runs.ts';

const cart = { channel: 1, user: 1, currency: 'EUR' };

/** Starts a demo with lower limits. */
function startDemo(...flags: string[]): Promise<Server> {
  return startServer('--demo', '--quiet', '--rate', '1000000', '--client-share', '100', ...flags);
}

/** Sends a number of requests, several at a time. */
async function flood(times: number, send: (at: number) => Promise<Answered>): Promise<Answered[]> {
  const answers: Answered[] = [];
  let next = 0;
  const client = async (): Promise<void> => {
    while (next < times) answers.push(await send(next++));
  };
  await Promise.all(Array.from({ length: 20 }, client));
  return answers;
}

/** Counts responses by status: `{ 200: 4, 429: 1996 }`. */
function tally(answers: readonly Answered[]): Record<string, number> {
  const groups = Map.groupBy(answers, ({ status }) => String(status));
  return Object.fromEntries(Array.from(groups, ([status, group]) => [status, group.length]));
}

/** Returns the distinct error messages. */
function refusals(answers: readonly Answered[]): string[] {
  const refused = answers.filter(({ status }) => status >= 400);
  return [
    ...new Set(refused.map(({ body }) => (body.message ?? body.error_description) as string)),
  ];
}

/** Returns the number of records in a session. */
async function rowsOf({ call }: Server, session: string): Promise<number> {
  const { tables } = (await call(`GET /s/${session}/_backlot/export`)).body;
  const all = Object.values<{ rows: unknown[]; gone?: unknown[] }>(tables);
  return all.reduce((sum, { rows, gone = [] }) => sum + rows.length + gone.length, 0);
}

test('thousands of session names open at most the maximum number of sessions, which keep working', async () => {
  const { call } = await startDemo('--max-sessions', '4');
  const count = runs(3000);
  const answers = await flood(count, (at) => call(`GET /s/v${at}/api/channels/1`));
  expect(tally(answers)).toEqual({ 200: 4, 429: count - 4 });
  const refused = answers.find(({ status }) => status === 429);
  expect(refused?.body.message).toMatch(/^Session limit \(4\) reached\. Retry in \d+ s\.$/);
  expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(0);
  // Each of these would begin a session of its own.
  expect(tally(await flood(50, () => call('POST /api/orders/', cart)))).toEqual({ 429: 50 });
  expect((await call('GET /_backlot/health')).body.sessions).toBe(4);
  expect((await call('GET /s/v0/api/orders/')).status).toBe(200);
});

test('records, rules, tokens and snapshots of a session are limited, and a reset frees them', async () => {
  const demo = await startDemo('--max-rows', '30');
  const { call } = demo;
  const start = await rowsOf(demo, 'ada');
  const full = ['Limit of records beside those of the scenario (30) reached. Reset to continue.'];
  const fault = { match: { path: '/api/users/' }, status: 503, body: 'x'.repeat(7000) };
  const rule = { on: 'purchase', refuse: { message: 'x'.repeat(7000) } };
  for (const [line, body] of [
    ['POST /s/ada/api/orders/', cart],
    ['POST /s/ada/api/orders/1/items/', { variant: 1, unitPrice: 1, quantity: 10_000 }],
    ['POST /s/ada/_backlot/faults', fault],
    ['POST /s/ada/_backlot/script', rule],
    [`GET /s/ada/oauth/v2/token?${credentials}`, undefined],
  ] as const) {
    const scenario = line.includes('oauth')
      ? 'authenticated'
      : line.includes('items')
        ? 'filled-cart'
        : 'default';
    expect((await call('POST /s/ada/_backlot/reset', { scenario })).status).toBe(200);
    const before = await rowsOf(demo, 'ada');
    const answers = await flood(40, () => call(line, body));
    expect(answers.some(({ status }) => status === 429)).toBe(true);
    expect({ line, refusals: refusals(answers) }).toEqual({ line, refusals: full });
    expect((await rowsOf(demo, 'ada')) - before).toBeLessThanOrEqual(30);
  }
  const taken = await flood(100, (at) => call('POST /s/ada/_backlot/snapshot', { name: `s${at}` }));
  expect(tally(taken)).toEqual({ 201: 2, 429: 98 });
  expect(refusals(taken)).toEqual(['Snapshot limit (2) reached. Delete a snapshot first.']);
  await call('POST /s/ada/_backlot/reset', { scenario: 'default' });
  expect(await rowsOf(demo, 'ada')).toBe(start);
  expect((await call('POST /s/ada/api/orders/', cart)).status).toBe(201);
});

const credentials = new URLSearchParams({
  grant_type: 'password',
  client_id: 'demo_client',
  client_secret: 'secret_demo_client',
  username: 'api@example.com',
  password: 'api',
});

function large(bytes: number): { readonly firstName: string } {
  return { firstName: 'x'.repeat(bytes) };
}

test('a body is read up to its limit, for an import too', async () => {
  // Takes seconds on a busy machine, in which a demo would close the connections.
  const zipped = gzipSync(JSON.stringify(large(50_000_000)));
  const { call, url } = await startDemo();
  const said = async (line: string, body: unknown): Promise<unknown> => {
    const answer = await call(line, body);
    return [answer.status, answer.body.message];
  };
  const { body: file } = await call('GET /s/ada/_backlot/export');
  file.settings.maxBodyBytes = 1e9;
  file.settings.journalSize = 100_000;
  expect((await call('POST /s/ada/_backlot/import', file)).status).toBe(403);
  const limit = [413, 'The body is larger than 8192 bytes.'];
  expect(await said('POST /s/ada/api/users/', large(9000))).toEqual(limit);
  expect(await said('POST /s/ada/api/users/', large(5_000_000))).toEqual(limit);
  expect(await said('POST /s/ada/_backlot/faults', large(9000))).toEqual(limit);
  expect(await said('POST /s/ada/_backlot/import', large(900_000))).toEqual([
    413,
    'The body is larger than 786432 bytes.',
  ]);
  const { status } = await fetch(`${url}/s/ada/api/users/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
    body: zipped,
  });
  expect(status).toBe(413);
});

test('in a demo, a reset cannot set a seed or a start time', async () => {
  const { call } = await startDemo();
  for (const start of [{ seed: 2 }, { now: '2027-01-01' }, { scenario: 'sale', seed: 3 }]) {
    expect(await call('POST /s/ada/_backlot/reset', start)).toMatchObject({
      status: 403,
      body: { message: expect.stringContaining('accepts no seed and no start time') },
    });
  }
  expect(await call('POST /s/ada/_backlot/reset', { scenario: 'large' })).toMatchObject({
    status: 404,
    body: { message: expect.stringContaining('Choose one of default, empty') },
  });
  expect(
    await call('POST /s/ada/_backlot/reset', { name: 'mine', generate: { orders: 1e9 } }),
  ).toMatchObject({ status: 400, body: { message: 'Validation Failed' } });
});

test('a full journal keeps the last entries and counts the dropped ones', async () => {
  const { call } = await startDemo();
  const body = { firstName: 'x'.repeat(8000) };
  const headers = { 'x-anything': 'y'.repeat(12_000) };
  await flood(700, () => call('POST /s/ada/api/users/', body, headers));
  const { dropped, entries } = (await call('GET /s/ada/_backlot/journal')).body;
  expect(dropped + entries.length).toBe(700);
  expect(entries.length).toBeGreaterThan(1);
  expect(JSON.stringify(entries).length).toBeLessThan(200_000);
});

test('a session is limited to its rate, and other sessions are not', async () => {
  const { call } = await startServer('--demo', '--quiet', '--rate', '1');
  const answers = await flood(200, () => call('GET /s/ada/api/channels/1'));
  expect(answers.filter(({ status }) => status === 200).length).toBeLessThan(200);
  expect(refusals(answers)).toEqual([
    'This session sends more than 1 requests a second. Retry in 1 s.',
  ]);
  expect((await call('GET /s/eve/api/channels/1')).status).toBe(200);
});

test('behind a trusted proxy, clients without a session are identified by X-Forwarded-For', async () => {
  const { call } = await startServer('--demo', '--quiet', '--rate', '1', '--proxies', '1');
  const from = (client: string) => () =>
    call('GET /api/channels/1', undefined, { 'x-forwarded-for': client });
  expect(refusals(await flood(20, from('192.0.2.1')))).toEqual([
    'This client sends more than 1 requests a second. Retry in 1 s.',
  ]);
  expect((await from('192.0.2.2')()).status).toBe(200);
});

test('without a trusted proxy, X-Forwarded-For does not identify a client', async () => {
  const { call } = await startServer('--demo', '--quiet', '--rate', '1');
  const answers = await flood(20, (turn) =>
    call('GET /api/channels/1', undefined, { 'x-forwarded-for': `192.0.2.${turn}` }),
  );
  expect(answers.map(({ status }) => status)).toContain(429);
});

test('the number of delayed responses is limited', async () => {
  const { call, url } = await startDemo('--max-waiting', '3');
  await call('POST /s/ada/_backlot/faults', { delay: 600_000 });
  const client = new AbortController();
  const answers: string[] = [];
  const waiting = Array.from({ length: 10 }, async () => {
    const answer = await fetch(`${url}/s/ada/api/channels/1`, { signal: client.signal });
    answers.push(`${answer.status} ${(await answer.json()).message}`);
  });
  await expect.poll(() => answers.length).toBe(7);
  expect(new Set(answers)).toEqual(
    new Set(['429 Limit of delayed responses (3) reached. Retry in 1 s.']),
  );
  expect((await call('GET /s/eve/api/channels/1')).status).toBe(200);
  client.abort();
  await Promise.allSettled(waiting);
  const wait = { request: 'GET /api/users/1', timeout: 1 };
  await expect
    .poll(async () => (await call('POST /s/ada/_backlot/journal/wait', wait)).status)
    .toBe(400);
});
