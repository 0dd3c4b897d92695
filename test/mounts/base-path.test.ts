import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { connect } from 'node:tls';
import express from 'express';
import { expect, test } from 'vitest';
import { createExpressRouter } from '../../src/mounts/express.ts';
import { createHttpServer, type HttpServerOptions } from '../../src/mounts/server/server.ts';
import { openStoreOffice } from '../../src/shop/open-store-office.ts';
import { openSessions } from '../../src/engine/sessions/server.ts';
import { caller, type Answered, type Call } from '../support/office.ts';
import { listen, serveApp } from '../support/raw-http.ts';

const visitors = () =>
  openSessions(openStoreOffice(), { sessions: 'own', newName: () => 'visitor' });

interface Served {
  readonly url: string;
  readonly call: Call;
  readonly redirected: (
    path: string,
    headers?: Readonly<Record<string, string>>,
  ) => Promise<readonly [status: number, location: string | null]>;
}

async function serve(options: HttpServerOptions): Promise<Served> {
  const server = createHttpServer(visitors(), { home: '/_backlot/', ...options });
  const url = await listen(server);
  return {
    url,
    call: caller((to, init) => fetch(to, init), url),
    async redirected(path, headers = {}) {
      const response = await fetch(`${url}${path}`, { redirect: 'manual', headers });
      return [response.status, response.headers.get('location')];
    },
  };
}

const forwarded = (prefix: string) => ({ 'X-Forwarded-Prefix': prefix });
const next = ({ body }: Answered): string => body._links.next.href;
const attributes = ({ headers }: Answered): string[] =>
  (headers['set-cookie'] ?? '').split('; ').slice(1);

test('every link of a server with a base path resolves, in sessions too', async () => {
  const { call } = await serve({ basePath: '/demo' });
  for (const root of ['/demo', '/demo/s/ada']) {
    const { body } = await call(`GET ${root}/api/orders/?limit=2`);
    const hrefs = JSON.stringify(body).match(/(?<="href":")[^"]*/g) ?? [];
    expect(hrefs.filter((href) => !href.startsWith(`${root}/api/`))).toEqual([]);
    const ofOrders = hrefs.filter((href) => href.includes('/api/orders/'));
    expect(ofOrders.length).toBeGreaterThan(4);
    for (const href of ofOrders) expect((await call(`GET ${href}`)).status).toBe(200);
  }
});

test('a server with a base path redirects / and the base path to the studio', async () => {
  const { redirected, url } = await serve({ basePath: '/demo' });
  for (const path of ['/', '/demo', '/demo/', '/demo?a=1']) {
    expect(await redirected(path)).toEqual([302, '/demo/_backlot/']);
  }
  expect((await fetch(url, { method: 'POST' })).status).toBe(404);
});

test.each(['/api/users/1', '/_backlot/', '/demos/api/users/1', '/demo/me'])(
  'outside of its base path, a server responds to GET %s with a 404 that names the base path',
  async (path) => {
    const { call } = await serve({ basePath: '/demo' });
    const message = `Path ${path} not found. The base path is /demo, and the API begins at /demo/api/.`;
    expect(await call(`GET ${path}`)).toMatchObject({ status: 404, body: { code: 404, message } });
  },
);

test('below a base path, a request target in absolute form is served', async () => {
  const { url } = await serve({ basePath: '/demo' });
  const sent = get(url, { path: 'http://shop.test/demo/api/users/1' });
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  expect(response.resume().statusCode).toBe(200);
});

test('the prefix of a trusted proxy precedes links, redirects, the cookie path and OpenAPI servers', async () => {
  const { call, redirected } = await serve({ proxies: 1 });
  const shop = forwarded('/shop/');
  const page = await call('GET /api/users/?limit=1', undefined, shop);
  expect(next(page)).toBe('/shop/api/users/?page=2&limit=1');
  expect(attributes(page)[0]).toBe('Path=/shop/');
  const ofSession = await call('GET /s/ada/api/users/?limit=1', undefined, shop);
  expect(next(ofSession)).toBe('/shop/s/ada/api/users/?page=2&limit=1');
  expect(await redirected('/', shop)).toEqual([302, '/shop/_backlot/']);
  const { body } = await call('GET /_backlot/openapi.json', undefined, shop);
  expect(body.servers).toEqual([{ url: '/shop' }]);
  expect(next(await call('GET /api/users/?limit=1'))).toBe('/api/users/?page=2&limit=1');
});

test('the prefix of a trusted proxy precedes the base path', async () => {
  const { call, redirected } = await serve({ proxies: 1, basePath: '/demo' });
  const page = await call('GET /demo/api/users/?limit=1', undefined, forwarded('/shop'));
  expect(next(page)).toBe('/shop/demo/api/users/?page=2&limit=1');
  expect(await redirected('/', forwarded('/shop'))).toEqual([302, '/shop/demo/_backlot/']);
});

test.each([
  ['without a trusted proxy', 0, '/shop', ''],
  ['that names another host', 1, '//evil.test', ''],
  ['with a dot segment', 1, '/shop/..', ''],
  ['that would end a cookie path', 1, '/shop;x', ''],
  ['with a quote', 1, '/shop"', ''],
  ['that is encoded', 1, '/sh%6Fp', ''],
  ['without a slash at its start', 1, 'shop', ''],
  ['that is empty', 1, '', ''],
  ['that is /', 1, '/', ''],
  ['whose first part comes from the client', 1, '/evil, /shop', '/shop'],
  ['of two proxies', 2, '/eu, /shop', '/eu/shop'],
  ['of one of two proxies', 2, '/shop', '/shop'],
])(
  'links begin with the trusted part of X-Forwarded-Prefix %s',
  async (_, proxies, sent, prefix) => {
    const { call } = await serve({ proxies });
    const page = await call('GET /api/users/?limit=1', undefined, forwarded(sent));
    expect(next(page)).toBe(`${prefix}/api/users/?page=2&limit=1`);
  },
);

test.each([
  ['https from a proxy', 1, 'https', true],
  ['HTTPS from a proxy', 1, 'HTTPS', true],
  ['http from a proxy', 1, 'http', false],
  ['https from the client and http from a proxy', 1, 'https, http', false],
  ['https from the outer and http from the inner proxy', 2, 'https, http', true],
  ['https from a proxy that is not trusted', 0, 'https', false],
])(
  'X-Forwarded-Proto %s decides whether the cookie is Secure',
  async (_, proxies, sent, secure) => {
    const { call } = await serve({ proxies });
    const answer = await call('GET /api/users/1', undefined, { 'X-Forwarded-Proto': sent });
    const wanted = ['Path=/', 'HttpOnly', 'SameSite=Lax', ...(secure ? ['Secure'] : [])];
    expect(attributes(answer)).toEqual(wanted);
  },
);

test('the cookie path and the OpenAPI servers of a mounted router have its mount path', async () => {
  const app = express().use('/backend', createExpressRouter(visitors()));
  const url = await serveApp(app);
  const call = caller((to, init) => fetch(to, init), url);
  const answer = await call('GET /backend/api/users/1');
  expect(attributes(answer)).toEqual(['Path=/backend/', 'HttpOnly', 'SameSite=Lax']);
  const servers = async (root: string): Promise<unknown> =>
    (await call(`GET ${root}/_backlot/openapi.json`)).body.servers;
  expect(await servers('/backend')).toEqual([{ url: '/backend' }]);
  expect(await servers('/backend/s/ada')).toEqual([{ url: '/backend/s/ada' }]);
  const page = await fetch(`${url}/backend/_backlot/docs`);
  expect(await page.text()).toContain('<script src="./studio.js"');
});

test('a parameter of the mount path is encoded in cookies and links', async () => {
  const app = express().use('/:tenant', createExpressRouter(visitors()));
  const { port } = new URL(await serveApp(app));
  const sent = get({ port, host: '127.0.0.1', path: '/a;Domain="x/api/orders/?limit=1' });
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  expect(response.headers['set-cookie']?.[0]).toContain('; Path=/a%3BDomain=%22x/; HttpOnly');
  const body = JSON.parse((await response.setEncoding('utf8').toArray()).join(''));
  expect(body._links.self.href).toBe('/a%3BDomain=%22x/api/orders/?page=1&limit=1');
});

test.each([
  ['that trusts its proxy', 1, true],
  ['that trusts none', false, false],
])('an app %s decides whether the cookie is Secure', async (_, trust, secure) => {
  const app = express().set('trust proxy', trust).use(createExpressRouter(visitors()));
  const url = await serveApp(app);
  const call = caller((to, init) => fetch(to, init), url);
  const answer = await call('GET /api/users/1', undefined, { 'X-Forwarded-Proto': 'https' });
  expect(attributes(answer).includes('Secure')).toBe(secure);
});

test('an app that serves over TLS sends Secure cookies', async () => {
  const app = express().use(createExpressRouter(visitors()));
  const psk = Buffer.from('a key that both know');
  const tls = { ciphers: 'PSK', maxVersion: 'TLSv1.2' } as const;
  const server = createTlsServer({ ...tls, pskCallback: () => psk }, app);
  const port = Number(new URL(await listen(server)).port);
  const createConnection = () =>
    connect({
      ...tls,
      port,
      host: '127.0.0.1',
      checkServerIdentity: () => undefined,
      pskCallback: () => ({ psk, identity: 'client' }),
    });
  const sent = get({ path: '/api/users/1', createConnection });
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  expect(response.resume().headers['set-cookie']?.[0]).toMatch(/; Path=\/; .*; Secure$/);
});
