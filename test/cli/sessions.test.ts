import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { parseArguments } from '../../src/cli/arguments.ts';
import { runProgram, startProgram } from '../support/program.ts';

const cart = { channel: 1, user: 1, currency: 'EUR' };

test('a demo gives each visitor a shop of their own, and begins anew on its schedule', async () => {
  const { call, printed } = await startProgram('--demo', '--reset-every', 'PT1S', '--quiet');
  expect(printed()).toContain('one for each visitor, by cookie');
  const made = await call('POST /api/orders/', cart);
  expect(made.status).toBe(201);
  const cookie = (made.headers['set-cookie'] ?? '').split(';', 1)[0] ?? '';
  expect(cookie).toMatch(/^backlot-session=[\da-f-]{36}$/);
  expect((await call('GET /_backlot/sessions')).status).toBe(403);
  expect((await call('POST /api/users/', { firstName: 'x'.repeat(9000) })).status).toBe(413);
  expect((await call('POST /_backlot/reset', { scenario: 'large' })).status).toBe(404);
  await expect
    .poll(async () => (await call('GET /_backlot/health')).body.sessions, { timeout: 10_000 })
    .toBe(0);
});

test('the clock ticks if it is told so, and sessions are wanted if that is said', async () => {
  const { call, printed } = await startProgram('--clock', 'ticking', '--sessions', 'required');
  expect(printed()).toContain(', ticking');
  expect((await call('GET /api/orders/')).status).toBe(400);
  const now = async (): Promise<string> =>
    (await call('GET /s/ada/_backlot/clock')).body.now as string;
  const begun = await now();
  await expect.poll(now, { timeout: 10_000 }).not.toBe(begun);
});

test('a control plane that is off stays off, and the rest of the server answers in JSON', async () => {
  const { call } = await startProgram('--no-control', '--max-sessions', '1');
  expect((await call('GET /_backlot/health')).status).toBe(403);
  expect(await call('GET /')).toMatchObject({
    status: 404,
    body: { code: 404, message: 'There is nothing at /; the interface begins at /api/.' },
  });
  expect((await call('GET /s/ada/api/orders/')).status).toBe(200);
  expect((await call('GET /s/eve/api/orders/')).status).toBe(429);
});

test('who asks for nothing in particular is led to the dashboard', async () => {
  const { url } = await startProgram('--quiet');
  const home = await fetch(url, { redirect: 'manual' });
  expect([home.status, home.headers.get('location')]).toEqual([302, '/_backlot/']);
  expect((await fetch(url, { method: 'POST' })).status).toBe(404);
  expect((await fetch(`${url}/about?a=1`, { method: 'HEAD' })).status).toBe(404);
});

test('who takes it for a proxy, and asks for whole URLs, is answered', async () => {
  const { url } = await startProgram('--quiet');
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
  ['nobody else', [], null],
])('%s ends connections that are idle', async (_, args, told) => {
  const { url } = await startProgram('--quiet', ...args);
  expect((await fetch(`${url}/api/orders/1`)).headers.get('keep-alive')).toBe(told);
});

test('an address that the machine does not have is refused with one that it has', async () => {
  const { code, err } = await runProgram('--port', '0', '--host', '192.0.2.1');
  expect(code).toBe(2);
  expect(err).toContain('This machine has no address 192.0.2.1; try --host 127.0.0.1');
});

test('the log tells a request that was answered from one that was not', async () => {
  const { call, printed } = await startProgram();
  await call('GET /api/orders/1');
  const dropped = call('GET /api/orders/2', undefined, { Prefer: 'connection=drop' });
  await expect(dropped).rejects.toThrow('fetch failed');
  await expect.poll(printed).toMatch(/^GET {5}200 \/api\/orders\/1 /m);
  await expect.poll(printed).toMatch(/^GET {5}--- \/api\/orders\/2 /m);
});

test('the interface can be printed as an OpenAPI document', async () => {
  const { code, out } = await runProgram('openapi');
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject({ openapi: '3.1.0', info: { title: 'Backlot' } });
});

test.each([
  [['--clock', 'fast'], "--clock takes frozen or ticking, not 'fast'."],
  [['--sessions', 'none'], '--sessions takes optional or required or own'],
  [['--max-sessions', '0'], '--max-sessions takes a whole number from 1 on'],
  [['--max-rows', '1.5'], '--max-rows takes a whole number'],
  [['--max-body', '1MB'], '--max-body takes a whole number'],
  [['--rate', 'many'], '--rate takes a whole number'],
  [['--proxies', 'nginx'], '--proxies takes a whole number from 0 on'],
  [['--session-idle', '30'], '--session-idle takes a duration such as PT30M'],
  [['--session-idle', 'P99999999Y'], '--session-idle takes a duration such as PT30M'],
  [['--session-idle=-PT1M'], '--session-idle takes a duration'],
  [['--session-idle', 'PT0S'], '--session-idle takes a duration of a second or more'],
  [['--rate', '-5'], "To specify an option argument starting with a dash use '--rate=-XYZ'."],
  [['--rate'], "Option '--rate <value>' argument missing."],
  [['--prot', '1'], "Unknown option '--prot'. The flags are --port, --host,"],
  [['--reset-every', 'P1Y'], '--reset-every takes a duration from PT1S to P24D'],
  [['--reset-every', 'PT0S'], '--reset-every takes a duration from PT1S to P24D'],
  [['--control-token', ''], '--control-token takes a value.'],
])('%o is refused with what the flag takes', (args, reason) => {
  expect(() => parseArguments(args)).toThrow(reason);
});

test('what a flag has by default can be said', () => {
  const said = parseArguments(['--proxies', '0', '--session-idle', 'PT1H', '--max-rows', '300']);
  expect(said).toMatchObject({ proxies: 0, sessionIdle: 'PT1H', maxRows: 300 });
});

test('a flag goes before what a demo has by default', () => {
  expect(parseArguments(['--demo', '--max-rows', '7', '--sessions', 'optional'])).toMatchObject({
    maxRows: 7,
    sessions: 'optional',
    maxSessions: 100,
  });
});
