import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import express, { type Express } from 'express';
import { http, HttpResponse, passthrough } from 'msw';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createExpressRouter, openBackOffice, openSessions } from '../../src/mounts/express.ts';
import { caller, type Call } from '../support/office.ts';
import { serveApp } from '../support/raw-http.ts';

async function call(app: Express): Promise<Call> {
  return caller((url, init) => fetch(url, init), await serveApp(app));
}

const order = { channel: 1, user: 1, currency: 'EUR' };

/** Delays a response, as a user's own middleware may. */
const late: express.RequestHandler = (_request, _response, next) => void setTimeout(next, 60);

test('a mounted router serves its mount path, with links that have that path', async () => {
  const app = express().use('/shop/mock', createExpressRouter(openBackOffice()));
  const send = await call(app);
  const { body } = await send('GET /shop/mock/api/users/?limit=1');
  expect(body._links.next.href).toBe('/shop/mock/api/users/?page=2&limit=1');
  const next = await send(`GET ${body._links.next.href}`);
  expect(next.body._embedded.items[0].id).not.toBe(body._embedded.items[0].id);
  const visitor = await send('GET /shop/mock/s/ada/api/promotions/1');
  expect(visitor.body._links.self.href).toBe('/shop/mock/s/ada/api/promotions/1');
});

test('other paths go to the app, without a header of the router', async () => {
  const app = express()
    .use(createExpressRouter(openBackOffice()))
    .get('/about', (_request, response) => void response.json({ about: 'us' }));
  const { status, headers } = await (
    await call(app)
  )('GET /about', undefined, { origin: 'http://page.test' });
  expect(status).toBe(200);
  expect(headers).not.toHaveProperty('access-control-allow-origin');
});

test('pages of named origins can send requests and preflights', async () => {
  const app = express().use(
    '/mock',
    createExpressRouter(openBackOffice(), {
      corsOrigin: ['http://page.test', 'http://other.test'],
    }),
  );
  const base = await serveApp(app);
  const asked = await fetch(`${base}/mock/api/orders/`, {
    method: 'OPTIONS',
    headers: {
      origin: 'http://page.test',
      'access-control-request-method': 'PATCH',
      'access-control-request-headers': 'content-type',
    },
  });
  expect(asked.status).toBe(204);
  expect(asked.headers.get('access-control-allow-origin')).toBe('http://page.test');
  expect(asked.headers.get('access-control-allow-methods')).toContain('PATCH');
  const stranger = await fetch(`${base}/mock/api/users/1`, {
    headers: { origin: 'http://stranger.test' },
  });
  expect(stranger.headers.get('access-control-allow-origin')).toBeNull();
});

test('MSW handlers run first and can pass a request through', async () => {
  const backOffice = openBackOffice();
  const seen: unknown[] = [];
  const handlers = [
    http.get('/api/reports/:year', ({ params }) =>
      HttpResponse.json(
        { year: params['year'] },
        { status: 203, headers: { 'set-cookie': 'a=1' } },
      ),
    ),
    http.post('/api/orders/', async ({ request }) => {
      seen.push(await request.json());
      return undefined;
    }),
    http.get('/api/users/1', () => passthrough()),
    http.get('/api/users/2', () => HttpResponse.error()),
  ];
  const app = express().use('/mock', createExpressRouter(backOffice, { handlers }));
  const send = await call(app);
  const report = await send('GET /mock/api/reports/2026');
  expect(report).toMatchObject({
    status: 203,
    body: { year: '2026' },
    headers: { 'set-cookie': 'a=1' },
  });
  expect((await send('POST /mock/api/orders/', order)).status).toBe(201);
  expect(seen).toEqual([order]);
  expect((await send('GET /mock/api/users/1')).status).toBe(200);
  await expect(send('GET /mock/api/users/2')).rejects.toThrow('fetch failed');
});

test.each([
  ['gzip', gzipSync],
  ['deflate', deflateSync],
  ['br', brotliCompressSync],
  ['zstd', zstdCompressSync],
])('a body with the content encoding %s is decoded', async (encoding, compress) => {
  const base = await serveApp(express().use(createExpressRouter(openBackOffice())));
  const made = await fetch(`${base}/api/orders/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'content-encoding': encoding },
    body: new Uint8Array(compress(JSON.stringify(order))),
  });
  expect(made.status).toBe(201);
});

test.each([
  ['gzip', 400, 'The body cannot be read: it is not valid gzip.'],
  [
    'zip',
    415,
    'The body cannot be read: the content coding zip is not supported; send gzip, deflate, br, zstd or identity.',
  ],
])('a body with an invalid content encoding %s is rejected', async (encoding, code, message) => {
  const send = await call(express().use(createExpressRouter(openBackOffice())));
  const headers = { 'content-type': 'application/json', 'content-encoding': encoding };
  const { status, body } = await send('POST /api/orders/', order, headers);
  expect({ status, body }).toEqual({ status: code, body: { code, message } });
});

test('a client that disconnects frees its delayed response', async () => {
  const office = openBackOffice();
  office.faults.add({ delay: 20 });
  const app = express().use(late, createExpressRouter(office, { maxWaiting: 1 }));
  const url = await serveApp(app);
  for (let time = 0; time < 3; time++) {
    const signal = AbortSignal.timeout(20);
    await expect(fetch(`${url}/api/orders/`, { signal })).rejects.toThrow();
  }
  await new Promise((resume) => {
    setTimeout(resume, 120);
  });
  expect((await fetch(`${url}/api/orders/`)).status).toBe(200);
});

test('an unexpected error gets a response with status 500', async () => {
  const faults: unknown[] = [];
  const office = openBackOffice({ report: (fault) => void faults.push(fault) });
  office.db.orders.hooks.on('update', () => {
    throw new Error('a listener of the user');
  });
  expect(() => office.clock.advance('P1D')).toThrow('a listener of the user');
  const send = await call(express().use(createExpressRouter(office)));
  const { status, body } = await send('GET /api/orders/');
  expect({ status, body }).toEqual({
    status: 500,
    body: { code: 500, message: 'Internal Server Error' },
  });
  expect(faults.map(String)).toEqual(['Error: a listener of the user']);
});

test('a delayed response that Node.js cannot send does not end the process', async () => {
  const said = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  onTestFinished(() => said.mockRestore());
  const sessions = openSessions(openBackOffice());
  const unsendable = { status: 200, headers: { trailer: 'x' }, body: '{}' };
  sessions.answer = ({ url }) =>
    url === '/api/late' ? { ...unsendable, delay: 1 } : { ...unsendable, headers: {} };
  const url = await serveApp(express().use(createExpressRouter(sessions)));
  await expect(fetch(`${url}/api/late`)).rejects.toThrow('fetch failed');
  expect(said).toHaveBeenCalledOnce();
  expect((await fetch(`${url}/api/soon`)).status).toBe(200);
});
