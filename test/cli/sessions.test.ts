import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { parseArguments } from '../../src/cli/arguments.ts';
import { requestLog } from '../../src/cli/request-log.ts';
import { runCommand, startServer } from '../support/command.ts';
import { caller } from '../support/office.ts';
import { serveHttp } from '../support/raw-http.ts';

const cart = { channel: 1, user: 1, currency: 'EUR' };

test('a demo gives each visitor a session and resets on its schedule', async () => {
  const { call, printed } = await startServer('--demo', '--reset-every', 'PT1S', '--quiet');
  expect(printed()).toContain('one for each visitor, by cookie');
  const made = await call('POST /api/orders/', cart);
  expect(made.status).toBe(201);
  const cookie = (made.headers['set-cookie'] ?? '').split(';', 1)[0] ?? '';
  expect(cookie).toMatch(/^backlot-session=[\da-f-]{36}$/);
  expect((await call('GET /_backlot/sessions')).status).toBe(403);
  expect((await call('POST /api/users/', { firstName: 'x'.repeat(9000) })).status).toBe(413);
  expect((await call('POST /_backlot/reset', { scenario: 'large' })).status).toBe(404);
  await expect.poll(async () => (await call('GET /_backlot/health')).body.sessions).toBe(0);
});

test('--demo is ready when it is warm, and --today starts it in the last seven days', async () => {
  const program = await startServer('--demo', '--today', '--quiet');
  await expect
    .poll(async () => (await program.call('GET /_backlot/health?ready')).status)
    .toBe(200);
  const { now } = (await program.call('GET /_backlot/health?ready')).body;
  const age = Date.now() - Date.parse(now.replace('+0000', 'Z'));
  expect(age).toBeGreaterThanOrEqual(0);
  expect(age).toBeLessThan(7 * 86_400_000 + 60_000);
  expect(new Date(now.slice(0, 10)).getUTCDay()).toBe(1);
});

test('--clock ticking starts the clock, and --sessions required rejects requests without a session', async () => {
  const { call, printed } = await startServer('--clock', 'ticking', '--sessions', 'required');
  expect(printed()).toContain(', ticking');
  expect((await call('GET /api/orders/')).status).toBe(400);
  const now = async (): Promise<string> =>
    (await call('GET /s/ada/_backlot/clock')).body.now as string;
  const start = await now();
  await expect.poll(now).not.toBe(start);
});

test('--no-control disables the control API, and unknown paths get JSON errors', async () => {
  const { call } = await startServer('--no-control', '--max-sessions', '1');
  expect((await call('GET /_backlot/health')).status).toBe(403);
  expect(await call('GET /')).toMatchObject({
    status: 404,
    body: { code: 404, message: 'Path / not found. The API begins at /api/.' },
  });
  expect((await call('GET /s/ada/api/orders/')).status).toBe(200);
  expect((await call('GET /s/eve/api/orders/')).status).toBe(429);
});

test('the home page redirects to the studio', async () => {
  const { url } = await startServer('--quiet');
  const home = await fetch(url, { redirect: 'manual' });
  expect([home.status, home.headers.get('location')]).toEqual([302, '/_backlot/']);
  expect((await fetch(url, { method: 'POST' })).status).toBe(404);
  expect((await fetch(`${url}/about?a=1`, { method: 'HEAD' })).status).toBe(404);
});

test('absolute-form request targets are accepted', async () => {
  const { url } = await startServer('--quiet');
  const statusOf = async (path: string): Promise<number | undefined> => {
    const [response] = (await once(get(url, { path }), 'response')) as [IncomingMessage];
    response.resume();
    return response.statusCode;
  };
  expect(await statusOf(`${url}/api/orders/1`)).toBe(200);
  expect(await statusOf('http://backlot.test/s/ada/api/orders/1')).toBe(200);
  expect(await statusOf('http://backlot.test')).toBe(302);
  expect(await statusOf('http://backlot.test/about')).toBe(404);
});

test.each([
  ['a demo', ['--demo'], 'timeout=5'],
  ['a server without flags', [], null],
])('in %s, the keep-alive header of a response states the idle timeout', async (_, args, told) => {
  const { url } = await startServer('--quiet', ...args);
  expect((await fetch(`${url}/api/orders/1`)).headers.get('keep-alive')).toBe(told);
});

test('an address that the machine does not have is rejected with a suggestion', async () => {
  const { code, err } = await runCommand('--port', '0', '--host', '192.0.2.1');
  expect(code).toBe(2);
  expect(err).toContain('This machine has no address 192.0.2.1. Use --host 127.0.0.1');
});

test('the log shows --- as the status of a request without a response', async () => {
  const lines: string[] = [];
  const log = requestLog((line) => lines.push(stripVTControlCharacters(line)));
  const url = await serveHttp({ log });
  const call = caller((to, init) => fetch(to, init), url);
  await call('GET /api/orders/1');
  const dropped = call('GET /api/orders/2', undefined, { Prefer: 'connection=drop' });
  await expect(dropped).rejects.toThrow('fetch failed');
  await expect.poll(() => lines).toHaveLength(2);
  expect(lines[0]).toMatch(/^\d\d:\d\d:\d\d GET {5}200 \/api\/orders\/1 /);
  expect(lines[1]).toMatch(/ GET {5}--- \/api\/orders\/2 /);
});

test('the command openapi prints an OpenAPI document', async () => {
  const { code, out } = await runCommand('openapi');
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject({ openapi: '3.1.0', info: { title: 'Backlot' } });
});

test.each([
  [['--clock', 'fast'], "--clock must be one of frozen, ticking, not 'fast'."],
  [['--sessions', 'none'], '--sessions must be one of optional, required, own'],
  [['--max-sessions', '0'], '--max-sessions must be a whole number of at least 1'],
  [['--max-rows', '1.5'], '--max-rows must be a whole number'],
  [['--max-body', '1MB'], '--max-body must be a whole number'],
  [['--rate', 'many'], '--rate must be a whole number'],
  [['--rate', '-5'], "--rate must be a whole number of at least 1, not '-5'."],
  [['--proxies', 'nginx'], '--proxies must be a whole number of at least 0'],
  [['--port', '65536'], "--port must be a whole number from 0 to 65535, not '65536'."],
  [['--session-idle', '30'], '--session-idle must be a duration of at least one second'],
  [['--session-idle', 'P99999999Y'], '--session-idle must be a duration'],
  [['--session-idle=-PT1M'], '--session-idle must be a duration'],
  [['--session-idle', 'PT0S'], '--session-idle must be a duration of at least one second'],
  [['--reset-every', 'P1Y'], '--reset-every must be a duration from PT1S to P24D'],
  [['--reset-every', 'PT0S'], '--reset-every must be a duration from PT1S to P24D'],
  [['--control-token', ''], '--control-token must be a non-empty value'],
  [['--control-token', '--quiet'], '--control-token must be a non-empty value without leading --'],
  [['--advertise', 'http://10.0.0.7:4000'], "Unknown option '--advertise'"],
  [['--rate'], "Option '--rate <number>' argument missing."],
  [['--prot', '1'], "Unknown option '--prot'. Did you mean --port?"],
])('%o is rejected with the accepted values or a suggestion', (args, reason) => {
  expect(() => parseArguments(args, 'serve')).toThrow(reason);
});

test('flags override the values of --demo, before and after it', () => {
  const flags = ['--max-rows', '5', '--demo', '--sessions', 'optional'];
  expect(parseArguments(flags, 'serve')).toMatchObject({
    maxRows: 5,
    sessions: 'optional',
    maxSnapshots: 2,
  });
});

test('a default value can be passed explicitly', () => {
  const args = parseArguments(
    ['--proxies', '0', '--session-idle', 'PT1H', '--max-rows', '300'],
    'serve',
  );
  expect(args).toMatchObject({ proxies: 0, sessionIdle: 'PT1H', maxRows: 300 });
});
