import { once } from 'node:events';
import { connect } from 'node:net';
import express from 'express';
import { expect, test } from 'vitest';
import { createExpressRouter, openBackOffice } from '../../src/mounts/express.ts';
import { parseArguments } from '../../src/cli/arguments.ts';
import { startServer } from '../support/command.ts';
import { ask, serveApp, serveHttp } from '../support/raw-http.ts';

const paths = [
  '/',
  '/about',
  '/api/channels/1',
  '/oauth/v2/token',
  '/_backlot/',
  '/_backlot/clock',
  '/s/ada/api/channels/1',
  '/s/ada/_backlot/clock',
];

test.each(paths)('%s is rejected for a host name that is not allowed', async (path) => {
  const url = await serveHttp({ home: '/_backlot/' });
  const answer = await ask(url, `GET ${path}`, { host: 'evil.example:4000' });
  expect(answer).toMatchObject({
    status: 403,
    body: {
      code: 403,
      message:
        "The host 'evil.example' is not allowed. Allow it with --allowed-host evil.example. See https://backlot-dev.github.io/backlot/errors#host-not-allowed",
    },
  });
  expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
});

test.each([
  'localhost',
  'LOCALHOST:4000',
  'shop.localhost:4000',
  '127.0.0.1',
  '10.1.2.3:80',
  '0.0.0.0:4000',
  '[::1]:4000',
  '[2001:db8::7]',
])('the host %s is served by default', async (host) => {
  const url = await serveHttp();
  expect((await ask(url, 'GET /api/channels/1', { host })).status).toBe(200);
  expect((await ask(url, 'POST /_backlot/reset', { host })).status).toBe(200);
});

test.each([
  'localhost.evil.example',
  'evil.example',
  '127.0.0.1.evil.example',
  'notlocalhost',
  'file:4000',
  'x-extension:4000',
  '[::1',
  '[evil]',
  '::1',
  '1.2.3',
  'a b',
  'localhost, evil.example',
])('the host "%s" is rejected by default', async (host) => {
  const url = await serveHttp();
  expect((await ask(url, 'GET /api/channels/1', { host })).status).toBe(403);
});

test.each([
  [['shop.test'], 'shop.test:80', 200],
  [['shop.test'], 'SHOP.test', 200],
  [['Shop.Test'], 'shop.test', 200],
  [['shop.test'], 'a.shop.test', 403],
  [['.shop.test'], 'shop.test', 200],
  [['.shop.test'], 'a.b.shop.test', 200],
  [['.shop.test'], 'myshop.test', 403],
  [['bücher.test'], 'xn--bcher-kva.test', 200],
  [['one.test', 'two.test'], 'two.test', 200],
  [['one.test', '*'], 'any.test', 200],
  [true, 'any.test', 200],
] as const)('with the allowed hosts %o, %s gets %i', async (allowedHosts, host, status) => {
  const url = await serveHttp({ allowedHosts });
  expect((await ask(url, 'GET /api/channels/1', { host })).status).toBe(status);
});

test.each([
  ['without the header Host is served', 'GET /api/channels/1 HTTP/1.0\r\n\r\n', '200'],
  ['with an empty Host is not', 'GET /api/channels/1 HTTP/1.1\r\nHost:\r\n\r\n', '403'],
])('a request %s', async (_, sent, status) => {
  const { port } = new URL(await serveHttp());
  const socket = connect(Number(port), '127.0.0.1');
  socket.write(sent);
  const [data] = (await once(socket, 'data')) as [Buffer];
  socket.destroy();
  expect(data.toString().split(' ', 2)).toEqual(['HTTP/1.1', status]);
});

test('a served host does not allow another host', async () => {
  const url = await serveHttp({ allowedHosts: ['shop.test'] });
  const statusOf = async (host: string): Promise<number> =>
    (await ask(url, 'GET /api/channels/1', { host })).status;
  expect(await statusOf('shop.test')).toBe(200);
  expect(await statusOf('evil.example')).toBe(403);
  expect(await statusOf('shop.test')).toBe(200);
});

test('behind a proxy, the header Host must be allowed and not X-Forwarded-Host', async () => {
  const url = await serveHttp({ proxies: 1 });
  const headers = { host: 'evil.example', 'x-forwarded-host': 'localhost' };
  expect((await ask(url, 'GET /api/channels/1', headers)).status).toBe(403);
  const proxied = { host: '127.0.0.1', 'x-forwarded-host': 'demo.example' };
  expect((await ask(url, 'GET /api/channels/1', proxied)).status).toBe(200);
});

test('an invalid Host header is not repeated in the message', async () => {
  const url = await serveHttp();
  const { status, body } = await ask(url, 'GET /api/channels/1', { host: '<b>$(reboot)</b>' });
  expect({ status, body }).toEqual({
    status: 403,
    body: {
      code: 403,
      message:
        'The header Host must be a host name or an IP address. Allow a name with --allowed-host <name>. See https://backlot-dev.github.io/backlot/errors#host-not-allowed',
    },
  });
});

test('an Express router checks the host only for its own paths', async () => {
  const app = express()
    .use('/mock', createExpressRouter(openBackOffice(), { allowedHosts: ['.shop.test'] }))
    .get('/about', (_request, response) => void response.json({ about: 'us' }));
  const url = await serveApp(app);
  const answers = (host: string): Promise<{ status: number }[]> =>
    Promise.all(
      ['/mock/api/channels/1', '/mock/_backlot/clock', '/about'].map((path) =>
        ask(url, `GET ${path}`, { host }),
      ),
    );
  expect((await answers('a.shop.test')).map(({ status }) => status)).toEqual([200, 200, 200]);
  expect((await answers('evil.example')).map(({ status }) => status)).toEqual([403, 403, 200]);
  const { body } = await ask(url, 'GET /mock/api/channels/1', { host: 'evil.example' });
  expect(body.message).toBe(
    "The host 'evil.example' is not allowed. Allow it in the option allowedHosts of createExpressRouter: ['evil.example']. See https://backlot-dev.github.io/backlot/errors#host-not-allowed",
  );
});

test.each(['http://shop.test', 'shop.test:4000', 'shop.test/api', '*.shop.test', '.', 'a b'])(
  'an Express router rejects the allowed host "%s"',
  (host) => {
    expect(() => createExpressRouter(openBackOffice(), { allowedHosts: [host] })).toThrow(
      `An allowed host must be a name without scheme or port such as shop.test, .shop.test with its subdomains, or *; not '${host}'.`,
    );
  },
);

test('--allowed-host can be repeated and accepts names, domains and *', () => {
  const args = ['--allowed-host', 'a.test', '--allowed-host', '.b.test', '--allowed-host', '*'];
  expect(parseArguments(args, 'serve').allowedHost).toEqual(['a.test', '.b.test', '*']);
  expect(() => parseArguments(['--allowed-host', 'http://a.test'], 'serve')).toThrow(
    "--allowed-host must be a host name without scheme or port such as shop.test, .shop.test for a domain and its subdomains, or *, not 'http://a.test'.",
  );
});

test('the names given to --allowed-host and to --host are served', async () => {
  const allowed = ['--host', 'localhost', '--allowed-host', 'shop.test'];
  const { url } = await startServer('--quiet', ...allowed);
  const statusOf = async (host: string): Promise<number> =>
    (await ask(url, 'GET /', { host })).status;
  expect(await statusOf('localhost')).toBe(302);
  expect(await statusOf('shop.test')).toBe(302);
  expect(await statusOf('evil.example')).toBe(403);
});
