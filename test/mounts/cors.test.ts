import { expect, test } from 'vitest';
import { createExpressRouter, openBackOffice } from '../../src/mounts/express.ts';
import { parseArguments } from '../../src/cli/arguments.ts';
import { ask, serveHttp } from '../support/raw-http.ts';

const app = 'http://app.example';
const evil = 'http://evil.example';
const form = { 'content-type': 'application/x-www-form-urlencoded' };

const writes = ['POST /api/orders/', 'PATCH /api/users/1', 'POST /oauth/v2/token'];

test.each(writes)('pages of any origin can send %s by default', async (line) => {
  const url = await serveHttp();
  const { status, headers } = await ask(url, line, { origin: evil });
  expect(status).not.toBe(403);
  expect(headers['access-control-allow-origin']).toBe('*');
});

test.each(writes)('with named origins, %s from another origin is rejected', async (line) => {
  const url = await serveHttp({ corsOrigin: [app] });
  for (const headers of [
    { origin: evil },
    { origin: 'http://localhost:5173' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' },
  ]) {
    const answer = await ask(url, line, { ...form, ...headers }, 'a=1');
    expect(answer.status).toBe(403);
    expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
    expect(answer.headers['vary']).toBe('Origin');
    expect(answer.body.message).toContain('is not allowed to write to the store API.');
  }
});

test('with named origins, their pages can send cookies and read the response headers', async () => {
  const url = await serveHttp({ corsOrigin: [app, 'https://two.example'] });
  for (const line of ['GET /api/channels/1', 'POST /api/orders/', 'GET /_backlot/clock']) {
    const { status, headers } = await ask(url, line, { origin: app });
    expect(status).not.toBe(403);
    expect(headers).toMatchObject({
      'access-control-allow-origin': app,
      'access-control-allow-credentials': 'true',
      'access-control-expose-headers': expect.stringContaining('X-Backlot-Session'),
      vary: 'Origin',
    });
  }
});

test('with named origins, other pages cannot read responses', async () => {
  const url = await serveHttp({ corsOrigin: app });
  const { status, headers } = await ask(url, 'GET /api/channels/1', { origin: evil });
  expect(status).toBe(200);
  expect(headers).not.toHaveProperty('access-control-allow-origin');
  expect(headers['vary']).toBe('Origin');
  expect((await ask(url, 'GET /api/channels/1')).headers['vary']).toBe('Origin');
});

test("with named origins, the server's own page and clients without an origin can write", async () => {
  const url = await serveHttp({ corsOrigin: [app] });
  const body = 'channel=1&user=1&currency=EUR';
  const statusOf = async (headers: Record<string, string>): Promise<number> =>
    (await ask(url, 'POST /api/orders/', { ...form, ...headers }, body)).status;
  expect(await statusOf({})).toBe(201);
  expect(await statusOf({ origin: url })).toBe(201);
  expect(await statusOf({ 'sec-fetch-site': 'same-origin' })).toBe(201);
});

test.each([
  'GET /',
  'GET /about',
  'GET /api/channels/1',
  'DELETE /api/users/2',
  'HEAD /api/orders/',
  'GET /api/nothing',
  'GET /_backlot/docs',
  'GET /_backlot/journal',
  'POST /api/users/',
])('the response to %s has X-Content-Type-Options: nosniff', async (line) => {
  const url = await serveHttp({ home: '/_backlot/', corsOrigin: [app] });
  for (const headers of [{}, { origin: evil }, { host: 'evil.example' }]) {
    const answer = await ask(url, line, headers);
    expect(answer.headers['x-content-type-options']).toBe('nosniff');
  }
});

test.each(['app.example', 'http://app.example/', 'https://*.example', 'null', ''])(
  'an Express router rejects the origin "%s"',
  (corsOrigin) => {
    expect(() => createExpressRouter(openBackOffice(), { corsOrigin: [corsOrigin] })).toThrow(
      `corsOrigin must be * or origins such as https://app.example without a path, not '${corsOrigin}'.`,
    );
  },
);

test('--cors-origin accepts several origins, separated by commas or repeated', () => {
  const args = ['--cors-origin', 'http://a.test,http://b.test', '--cors-origin', 'http://c.test'];
  expect(parseArguments(args, 'serve').corsOrigin).toEqual([
    'http://a.test',
    'http://b.test',
    'http://c.test',
  ]);
  expect(parseArguments([], 'serve').corsOrigin).toBe('*');
  expect(parseArguments(['--cors-origin', '*'], 'serve').corsOrigin).toBe('*');
});

test.each([
  [
    ['--cors-origin', '*,http://a.test'],
    '--cors-origin must be either * or a list of origins, not both.',
  ],
  [
    ['--cors-origin', '*', '--cors-origin', 'http://a.test'],
    '--cors-origin must be either * or a list of origins, not both.',
  ],
  [
    ['--cors-origin', ''],
    "--cors-origin must be * or origins such as https://app.example, not ''.",
  ],
  [
    ['--demo', '--no-control', '--control-token', 'x'],
    '--no-control and --control-token cannot be used together.',
  ],
])('the invalid or contradictory flags %o are rejected', (args, message) => {
  expect(() => parseArguments(args, 'serve')).toThrow(message);
});

test.each([
  [{ origin: app, 'x-forwarded-proto': 'https' }, 'SameSite=None; Secure'],
  [{ 'x-forwarded-proto': 'https' }, 'SameSite=Lax; Secure'],
  [{ origin: app }, 'SameSite=Lax'],
])('with headers %j the session cookie is %s', async (headers, attributes) => {
  const own = { sessions: 'own', newName: () => 'ada' } as const;
  const url = await serveHttp({ corsOrigin: app, proxies: 1 }, own);
  const answer = await ask(url, 'GET /api/channels/1', headers);
  expect(String(answer.headers['set-cookie'])).toBe(
    `backlot-session=ada; Path=/; HttpOnly; ${attributes}`,
  );
});
