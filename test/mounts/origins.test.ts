import { once } from 'node:events';
import { Agent, request, type IncomingMessage } from 'node:http';
import express from 'express';
import { expect, test } from 'vitest';
import { createExpressRouter, openBackOffice } from '../../src/mounts/express.ts';
import { ask, serveApp, serveHttp } from '../support/raw-http.ts';

const app = 'http://app.example';
const evil = 'http://evil.example';
const form = { 'content-type': 'application/x-www-form-urlencoded' };
const fromControl =
  'Allow it with --cors-origin http://evil.example. See https://backlot-dev.github.io/backlot/errors#origin-not-allowed';

const doors = [
  'GET /_backlot/journal',
  'GET /_backlot/',
  'GET /_backlot/health',
  'POST /_backlot/reset',
  'DELETE /_backlot/journal',
  'OPTIONS /_backlot/clock',
  'POST /s/ada/_backlot/reset',
  'GET /_backlot/there-is-none',
];

test.each(doors)('%s is rejected from a page of another origin', async (line) => {
  const url = await serveHttp();
  const { status, headers, body } = await ask(url, line, { origin: evil });
  expect({ status, body }).toEqual({
    status: 403,
    body: {
      code: 403,
      message: `A page of http://evil.example is not allowed to use the control API. ${fromControl}`,
    },
  });
  expect(headers).not.toHaveProperty('access-control-allow-origin');
  expect(headers['vary']).toBe('Origin');
});

test.each([
  'null',
  'https://evil.example',
  'http://localhost.evil.example',
  'http://127.0.0.1.evil.example',
  'http://evil.example:4000',
  'http://notlocalhost',
  'http://localhost@evil.example',
  'chrome-extension://abcdefgh',
  'file://',
  'evil',
])('a form that a page of %s posts to the control API changes nothing', async (origin) => {
  const url = await serveHttp();
  const made = await ask(url, 'POST /api/orders/', form, 'channel=1&user=1&currency=EUR');
  const { status, headers } = await ask(url, 'POST /_backlot/reset', { ...form, origin }, 'seed=2');
  expect(status).toBe(403);
  expect(headers).not.toHaveProperty('access-control-allow-origin');
  expect((await ask(url, `GET /api/orders/${made.body.id}`)).status).toBe(200);
});

test.each([
  'http://localhost:5173',
  'https://localhost',
  'http://app.localhost:3000',
  'http://127.0.0.1:8080',
  'http://127.1.2.3',
  'http://[::1]:5173',
])('a page of the loopback origin %s can use the control API', async (origin) => {
  const url = await serveHttp();
  const { status, headers } = await ask(url, 'POST /_backlot/reset', { origin });
  expect(status).toBe(200);
  expect(headers).toMatchObject({ 'access-control-allow-origin': origin, vary: 'Origin' });
  expect(headers).not.toHaveProperty('access-control-allow-credentials');
});

test.each([
  ['http://shop.test:4000', 'shop.test:4000'],
  ['https://shop.test', 'shop.test'],
  ['https://shop.test', 'SHOP.test'],
  ['http://10.1.2.3:4000', '10.1.2.3:4000'],
  ['http://[2001:db8::7]:4000', '[2001:db8::7]:4000'],
])('a page of %s can use the control API of the server at %s', async (origin, host) => {
  const url = await serveHttp({ allowedHosts: ['shop.test'] });
  expect((await ask(url, 'POST /_backlot/reset', { origin, host })).status).toBe(200);
});

test('a page of another port is rejected unless its origin is loopback', async () => {
  const url = await serveHttp({ allowedHosts: ['shop.test'] });
  const headers = { origin: 'http://shop.test:5000', host: 'shop.test:4000' };
  expect((await ask(url, 'POST /_backlot/reset', headers)).status).toBe(403);
});

test('X-Forwarded-Host is read only with trusted proxies', async () => {
  const headers = {
    origin: 'https://demo.example',
    host: '127.0.0.1:4000',
    'x-forwarded-host': 'demo.example, inner.example',
  };
  const statusOf = async (proxies: number): Promise<number> =>
    (await ask(await serveHttp({ proxies }), 'POST /_backlot/reset', headers)).status;
  expect(await statusOf(0)).toBe(403);
  expect(await statusOf(1)).toBe(200);
});

test("behind a proxy that replaces Host, Sec-Fetch-Site identifies the server's own page", async () => {
  const url = await serveHttp();
  const headers = { origin: 'https://demo.example', host: '127.0.0.1:4000' };
  const sameOrigin = { ...headers, 'sec-fetch-site': 'same-origin' };
  expect((await ask(url, 'POST /_backlot/reset', sameOrigin)).status).toBe(200);
  const sameSite = { ...headers, 'sec-fetch-site': 'same-site' };
  expect((await ask(url, 'POST /_backlot/reset', sameSite)).status).toBe(403);
});

const link = {
  'sec-fetch-site': 'cross-site',
  'sec-fetch-mode': 'navigate',
  'sec-fetch-dest': 'document',
};

test.each([
  ['GET /_backlot/', link, 200],
  ['GET /_backlot/docs', link, 200],
  ['GET /s/ada/_backlot/docs', link, 200],
  ['GET /_backlot/openapi.json', link, 200],
  ['GET /_backlot/journal', link, 403],
  ['GET /_backlot/export', link, 403],
  ['POST /_backlot/reset', link, 403],
  ['GET /_backlot/', { ...link, 'sec-fetch-dest': 'iframe' }, 403],
  ['GET /_backlot/docs', { ...link, 'sec-fetch-mode': 'no-cors' }, 403],
  ['GET /_backlot/journal', { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' }, 200],
  ['GET /_backlot/journal', { 'sec-fetch-site': 'same-origin' }, 200],
  ['GET /_backlot/journal', { ...link, origin: 'http://localhost:5173' }, 200],
])('%s without an origin, with %o, gets %i', async (line, headers, status) => {
  const url = await serveHttp();
  expect((await ask(url, line, headers as Record<string, string>)).status).toBe(status);
});

test('the error for a cross-site request without an origin names the flag', async () => {
  const url = await serveHttp();
  const { body } = await ask(url, 'GET /_backlot/journal', { 'sec-fetch-site': 'cross-site' });
  expect(body.message).toBe(
    'A page of another site is not allowed to use the control API. Use fetch on a page of an http or https origin, and allow that origin with --cors-origin <origin>. See https://backlot-dev.github.io/backlot/errors#origin-not-allowed',
  );
});

const asked = {
  'access-control-request-method': 'POST',
  'access-control-request-headers': 'x-backlot-token,x-backlot-session,authorization,content-type',
};

test('a preflight of an allowed origin for the control API succeeds', async () => {
  const url = await serveHttp({ corsOrigin: [app] });
  for (const origin of [app, 'http://localhost:5173']) {
    const preflight = await ask(url, 'OPTIONS /_backlot/reset', { ...asked, origin });
    expect(preflight).toMatchObject({
      status: 204,
      headers: {
        'access-control-allow-origin': origin,
        'access-control-allow-methods': expect.stringContaining('PUT'),
        'access-control-allow-headers': asked['access-control-request-headers'],
        'x-content-type-options': 'nosniff',
        vary: expect.stringContaining('Origin'),
      },
    });
  }
});

test('a preflight of another origin for the control API is rejected', async () => {
  const url = await serveHttp();
  const { status, headers } = await ask(url, 'OPTIONS /_backlot/reset', { ...asked, origin: evil });
  expect(status).toBe(403);
  expect(headers).not.toHaveProperty('access-control-allow-origin');
});

test('the control API requires its token from an allowed origin too', async () => {
  const url = await serveHttp({ corsOrigin: [app] }, { controlToken: 'sesame' });
  const send = async (headers: Record<string, string>): Promise<number> =>
    (await ask(url, 'POST /_backlot/reset', { origin: app, ...headers })).status;
  expect(await send({})).toBe(401);
  expect(await send({ 'x-backlot-token': 'sesamf' })).toBe(401);
  expect(await send({ 'x-backlot-token': 'sesamesesame' })).toBe(401);
  expect(await send({ 'x-backlot-token': '' })).toBe(401);
  expect(await send({ 'x-backlot-token': 'sesame' })).toBe(200);
  expect(await send({ authorization: 'Bearer sesame' })).toBe(200);
});

test('a rejected request adds no journal entry', async () => {
  const url = await serveHttp({ corsOrigin: [app] });
  await ask(url, 'POST /api/orders/', { origin: evil });
  await ask(url, 'POST /_backlot/reset', { origin: evil });
  await ask(url, 'GET /api/channels/1', { host: 'evil.example' });
  expect((await ask(url, 'GET /_backlot/journal/count')).body).toMatchObject({ count: 0 });
});

test('a rejected request gets its response before its body ends, and the connection stays usable', async () => {
  const url = await serveHttp();
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const options = { method: 'POST', path: '/_backlot/reset', headers: { origin: evil }, agent };
  const sent = request(url, { ...options, headers: { ...options.headers, 'content-length': 9e6 } });
  sent.write('x'.repeat(1000));
  const [early] = (await once(sent, 'response')) as [IncomingMessage];
  expect(early.statusCode).toBe(403);
  early.resume();
  sent.end('x'.repeat(9e6 - 1000));
  const next = request(url, { path: '/api/channels/1', agent }).end();
  const [answer] = (await once(next, 'response')) as [IncomingMessage];
  expect(answer.statusCode).toBe(200);
  answer.resume();
  agent.destroy();
});

test('an Express router protects the control API as the server does', async () => {
  const url = await serveApp(
    express()
      .set('trust proxy', 'loopback')
      .use((_request, response, next) => {
        response.setHeader('vary', 'Accept-Language');
        next();
      })
      .use('/mock', createExpressRouter(openBackOffice(), { corsOrigin: [app] })),
  );
  const rejected = await ask(url, 'POST /mock/_backlot/reset', { origin: evil });
  expect(rejected.status).toBe(403);
  expect(rejected.headers['vary']).toBe('Accept-Language, Origin');
  expect(rejected.body.message).toBe(
    "A page of http://evil.example is not allowed to use the control API. Allow it in the option corsOrigin of createExpressRouter: ['http://evil.example']. See https://backlot-dev.github.io/backlot/errors#origin-not-allowed",
  );
  const read = await ask(url, 'GET /mock/api/channels/1', { origin: app });
  expect(read.headers['vary']).toBe('Accept-Language, Origin');
  const forwarded = { origin: 'https://demo.example', 'x-forwarded-host': 'demo.example' };
  expect((await ask(url, 'POST /mock/_backlot/reset', forwarded)).status).toBe(200);
});
