import { createServer } from 'node:http';
import { stripVTControlCharacters } from 'node:util';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createHttpServer } from '../../src/mounts/server/server.ts';
import { openStoreOffice } from '../../src/shop/open-store-office.ts';
import type { StoreOptions } from '../../src/shop/office/store-office.ts';
import { openSessions, type SessionOptions } from '../../src/engine/sessions/server.ts';
import { caller, type Call } from '../support/office.ts';
import { runCommand, startCommand } from '../support/command.ts';
import { listen } from '../support/raw-http.ts';
import { sample } from '../support/runs.ts';

const cart = { channel: 1, user: 1, currency: 'EUR' };

/** Starts a server with a history for one test. */
async function serve(
  options: SessionOptions = {},
  office: StoreOptions = {},
): Promise<{ url: string; call: Call }> {
  const sessions = openSessions(openStoreOffice({ history: true, ...office }), options);
  const url = await listen(createHttpServer(sessions));
  return { url, call: caller((to, init) => fetch(to, init), url) };
}

interface Tail {
  /** Waits until that many lines are printed. */
  printed(count: number): Promise<string[]>;
  warned(): string;
}

/** Starts `backlot tail`, and stops it with the test. */
function startTail(args: readonly string[]): Tail {
  const { printed, warned } = startCommand('tail', ...args);
  const lines = (): string[] => printed().split('\n').slice(0, -1);
  return {
    async printed(count) {
      await expect.poll(() => lines().length).toBeGreaterThanOrEqual(count);
      return lines();
    },
    warned,
  };
}

/** Reads the lines without times, which differ by run. */
function withoutTimes(lines: readonly string[]): string[] {
  return lines.map((line) => line.replaceAll(/ [\d.]+ ms/g, ''));
}

/** Runs `backlot tail`, which fails, and returns what it writes. */
async function failed(...args: string[]): Promise<string> {
  const { code, out, err } = await runCommand('tail', ...args);
  expect({ code, out }).toEqual({ code: 2, out: '' });
  return err;
}

test('tail prints each entry with its outcome, its reason and its changes', async () => {
  const { url, call } = await serve();
  await call('POST /api/orders/', cart);
  await call('POST /api/orders/121/items/', { variant: 7, quantity: 0 });
  await call('PUT /_backlot/clock', { advance: 'PT1H' });
  await call('PATCH /_backlot/tables/users/1', { first_name: '\u001B[31mGrace' });
  await call('DELETE /api/orders/121');
  const { printed } = startTail([url, '--since', '0']);
  expect(withoutTimes(await printed(5))).toEqual([
    '#1 201 node added order 121  POST /api/orders/',
    '#2 400 node could not add an item to order 121: unitPrice, quantity  POST /api/orders/121/items/',
    '#3 clock Moved the clock +1 h',
    '#4 page Changed user 1: first_name Aoife → Grace',
    '#5 204 node removed order 121  DELETE /api/orders/121',
  ]);
});

const filters: [words: string[], ids: number[]][] = [
  [['is:rejected'], [2, 4]],
  [['step:create'], [1]],
  [
    ['order:121', 'method:post'],
    [1, 2],
  ],
  [['status:4xx', '/nothing'], [4]],
  [['by:clock'], [5]],
  [['should not be blank'], [2]],
  [['user:1'], [3]],
];

test.each(sample(filters, 2))('the filter %j of tail shows the entries %j', async (words, ids) => {
  const { url, call } = await serve();
  await call('POST /api/orders/', cart);
  await call('POST /api/orders/121/items/', { variant: 7, quantity: 0 });
  await call('PATCH /api/users/1', { firstName: 'Grace' });
  await call('GET /api/nothing');
  await call('PUT /_backlot/clock', { advance: 'PT1S' });
  await call('GET /api/nothing?last');
  const { printed } = startTail([url, '--json', '--since', '0', ...words]);
  await call('GET /api/nothing?last');
  const wanted = ids.includes(4) ? ids.length + 1 : ids.length;
  const lines = (await printed(wanted)).map((line) => JSON.parse(line));
  const found = lines.filter(({ title }) => !title.endsWith('?last'));
  expect(found.map(({ id }) => id)).toEqual(ids);
});

test('a line of JSON has the changes and the moves', async () => {
  const { url, call } = await serve();
  await call('POST /api/orders/', cart);
  const [line = ''] = await startTail([url, '--json', '--since', '0']).printed(1);
  expect(JSON.parse(line)).toMatchObject({
    id: 1,
    step: 'create',
    outcome: 'ok',
    changes: [{ table: 'orders', id: 121, kind: 'add' }],
    moves: [{ machine: 'order', id: 121, to: 'cart' }],
  });
});

test('tail --brief prints the changes, the reason and the next request of each entry', async () => {
  const { url, call } = await serve();
  await call('POST /api/orders/', cart);
  await call('POST /api/orders/121/items/', { variant: 7, quantity: 0 });
  await call('PUT /_backlot/clock', { advance: 'P2D' });
  const { printed } = startTail([url, '--since', '0', '--brief']);
  const [created, refused, clock] = (await printed(3)).map((line): unknown => JSON.parse(line));
  expect(created).toMatchObject({ id: 1, title: 'POST /api/orders/', changed: ['+ orders/121'] });
  expect(refused).toMatchObject({ id: 2, status: 400, why: expect.stringContaining('unitPrice') });
  expect(clock).toMatchObject({ id: 3, moves: expect.arrayContaining(['and 17 more']) });
});

test('a tail with a filter misses no entry of many, and one without says how many it leaves out', async () => {
  const { url, call } = await serve();
  for (let sent = 0; sent < 60; sent++) await call(`GET /api/users/${sent % 2 === 0 ? 1 : 2}`);
  const all = await startTail([url, '--since', '0', 'users/1']).printed(30);
  expect(all).toHaveLength(30);
  const [first, ...others] = await startTail([url, '--since', '0']).printed(17);
  expect(first).toBe('… and 44 more');
  expect(others).toHaveLength(16);
});

test('tail says which entries it does not print because the server no longer keeps them', async () => {
  const { url, call } = await serve({}, { settings: { journalSize: 3 } });
  await call('POST /api/orders/', cart);
  for (let sent = 0; sent < 8; sent++) await call('GET /api/users/1');
  const reads = startTail([url, '--since', '0']);
  expect(withoutTimes(await reads.printed(4))[0]).toBe(
    '#1 201 node added order 121  POST /api/orders/',
  );
  expect(reads.warned()).toBe('backlot: Before #7, only changes are kept.\n');
  const kept = startTail([url, '--since', '6', '--json']);
  await kept.printed(3);
  expect(kept.warned()).toBe('');
  const few = await serve({}, { settings: { journalSize: 3 }, history: { maxEntries: 2 } });
  for (let sent = 0; sent < 4; sent++) await few.call('POST /api/orders/', cart);
  for (let sent = 0; sent < 8; sent++) await few.call('GET /api/users/1');
  const changes = startTail([few.url, '--since', '0', 'is:write']);
  expect(await changes.printed(2)).toHaveLength(2);
  expect(changes.warned()).toBe('backlot: Before #10, only changes from #3 on are kept.\n');
});

test('tail connects again and prints what it has missed', async () => {
  const sessions = openSessions(openStoreOffice({ history: true }), {});
  const first = createHttpServer(sessions);
  const url = await listen(first);
  const { printed, warned } = startTail([url, '--since', '0']);
  await fetch(`${url}/api/users/1`);
  await printed(1);
  first.close();
  first.closeAllConnections();
  await expect.poll(warned).toContain('The connection is lost. Connecting again');
  sessions.shared.answer({ method: 'GET', url: '/api/users/2', headers: {} });
  const second = createHttpServer(sessions).listen(Number(new URL(url).port), '127.0.0.1');
  onTestFinished(() => {
    second.close();
    second.closeAllConnections();
  });
  expect(withoutTimes(await printed(2))).toEqual([
    '#1 200 node read user 1  GET /api/users/1',
    '#2 200 Read user 2  GET /api/users/2',
  ]);
});

test('tail follows a session, and sends the token', async () => {
  const { url } = await serve({ controlToken: 'open-sesame' });
  await fetch(`${url}/s/ada/api/users/1`);
  await fetch(`${url}/api/users/2`);
  const token = ['--token', 'open-sesame', '--since', '0'];
  for (const args of [[`${url}/s/ada`], [url, '--session', 'ada'], [`${url}/s/ada/_backlot/`]])
    expect(withoutTimes(await startTail([...args, ...token]).printed(1))).toEqual([
      '#1 200 node read user 1  GET /api/users/1',
    ]);
  const { code, err } = await runCommand('tail', url);
  expect({ code, err }).toEqual({
    code: 2,
    err: `backlot: ${url} requires the token of its control API: --token <token>. See https://backlot-dev.github.io/backlot/errors#control-api-token\n`,
  });
});

test('tail has no colours in a pipe, and those of the studio if they are forced', async () => {
  const { url, call } = await serve();
  await call('GET /api/nothing');
  await call('GET /api/orders/105');
  await call('PUT /_backlot/clock', { advance: 'PT1H' });
  vi.stubEnv('NO_COLOR', undefined);
  onTestFinished(() => void vi.unstubAllEnvs());
  const [plain = ''] = await startTail([url, '--since', '0']).printed(1);
  expect(plain).toBe(stripVTControlCharacters(plain));
  vi.stubEnv('FORCE_COLOR', '1');
  const [rejected, ok, clock] = await startTail([url, '--since', '0']).printed(3);
  // Red, green and blue.
  expect(rejected).toContain('\u001B[31m404');
  expect(ok).toContain('\u001B[32m200');
  expect(clock).toContain('\u001B[34mclock');
});

test('tail states why it cannot follow a server', async () => {
  const other = await listen(createServer((_, response) => response.end('hello')));
  const closed = await serve({ control: false });
  expect(await failed('http://127.0.0.1:1')).toBe(
    'backlot: No response from http://127.0.0.1:1. Is the server running? See https://backlot-dev.github.io/backlot/errors#no-response\n',
  );
  expect(await failed(other)).toContain('has no events of Backlot: status 200');
  expect(await failed(closed.url)).toContain('The control API of this server is off.');
  expect(await failed('is:good')).toContain('is: must be ok, declined');
  expect(await failed('localhost:1', '127.0.0.1:1')).toBe('backlot: tail follows one server.\n');
});
