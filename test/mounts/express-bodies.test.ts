import express from 'express';
import { expect, test } from 'vitest';
import { createExpressRouter, openBackOffice } from '../../src/mounts/express.ts';
import { formFields, submitStep } from '../support/checkout-steps.ts';
import { caller, type Call } from '../support/office.ts';
import { serveApp } from '../support/raw-http.ts';

async function call(app: express.Express): Promise<Call> {
  return caller((url, init) => fetch(url, init), await serveApp(app));
}

const order = { channel: 1, user: 1, currency: 'EUR' };

const told: express.ErrorRequestHandler = (error, _request, response, _next) => {
  response.status(500).json({ told: String(error) });
};

test.each([
  ['express.json', () => express.json()],
  ['express.urlencoded', () => express.urlencoded({ extended: true })],
  ['express.urlencoded, flat', () => express.urlencoded({ extended: false })],
  ['express.text', () => express.text({ type: () => true })],
  ['express.raw', () => express.raw({ type: () => true })],
])('%s can parse the body before the router', async (_, parser) => {
  const app = express().use(parser()).use(createExpressRouter(openBackOffice()));
  const base = await serveApp(app);
  const send = caller((url, init) => fetch(url, init), base);
  expect((await send('POST /api/orders/', order)).status).toBe(201);
  const form = new URLSearchParams(formFields());
  const addressed = await fetch(`${base}/api/checkouts/107`, { method: 'PUT', body: form });
  expect(await addressed.json()).toMatchObject({ checkout_state: 'addressing' });
  expect((await submitStep(send, 111, 'confirm')).status).toBe(200);
});

/** As the parsers of Express 4: `request.body` is an object, though the stream is not read. */
const asExpress4: express.RequestHandler = (request, _response, next) => {
  request.body ??= {};
  next();
};

test.each([
  ['express.json', express.json()],
  ['express.urlencoded', express.urlencoded({ extended: true })],
  ['express.text', express.text()],
  ['express.raw', express.raw()],
  ['a parser of Express 4', asExpress4],
])('%s leaves a body of another type to the router', async (_, parser) => {
  const app = express().use(parser, asExpress4, createExpressRouter(openBackOffice()));
  const url = `${await serveApp(app)}/api/orders/`;
  const multipart = new FormData();
  for (const [name, value] of Object.entries(order)) multipart.set(name, String(value));
  const form = new URLSearchParams(
    Object.entries(order).map(([name, value]) => [name, `${value}`]),
  );
  const json = new Blob([JSON.stringify(order)], { type: 'application/json' });
  for (const body of [form, multipart, json])
    expect((await fetch(url, { method: 'POST', body })).status).toBe(201);
});

/** Reads a request to its end, as a check of its signature does. */
async function drain(request: express.Request): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}

test.each<[string, express.RequestHandler]>([
  [
    'paused',
    (request, _response, next) => {
      request.pause();
      setImmediate(next);
    },
  ],
  ['decoded', (request, _response, next) => next(void request.setEncoding('latin1'))],
  ['read', (request, _response, next) => next(void request.on('data', () => {}))],
  [
    'read to its end and kept as bytes',
    async (request, _response, next) => {
      Object.assign(request, { rawBody: await drain(request) });
      next();
    },
  ],
  [
    'read to its end and kept as text',
    async (request, _response, next) => {
      Object.assign(request, { rawBody: (await drain(request)).toString() });
      next();
    },
  ],
])('a body whose stream other middleware has %s is answered', async (_, middleware) => {
  for (const others of [[middleware], [middleware, asExpress4]]) {
    const send = await call(express().use(...others, createExpressRouter(openBackOffice())));
    expect((await send('POST /api/orders/', order)).status).toBe(201);
  }
});

test.each<[string, express.RequestHandler]>([
  ['to its end', async (request, _response, next) => next(void (await drain(request)))],
  ['in part', (request, _response, next) => void request.once('data', () => next())],
])(
  'a body that other middleware has read %s, and kept nowhere, is an error of the app',
  async (_, middleware) => {
    for (const others of [[middleware], [middleware, asExpress4]]) {
      const app = express().use(...others, createExpressRouter(openBackOffice()), told);
      const { status, body } = await (await call(app))('POST /api/orders/', order);
      expect(status).toBe(500);
      expect(body.told).toContain('have it set request.rawBody to the bytes');
    }
  },
);

const odd: express.RequestHandler = (request, _response, next) => {
  request.body = { channel: 1n };
  next();
};

test('a parsed body that JSON cannot represent is passed to the app as an error', async () => {
  const send = await call(
    express().use(express.json(), odd, createExpressRouter(openBackOffice()), told),
  );
  const { status, body } = await send('POST /api/orders/', order);
  expect(status).toBe(500);
  expect(body.told).toContain('BigInt');
});

test.each([
  ['express.text', express.text({ type: () => true })],
  ['express.raw', express.raw({ type: () => true })],
])('a multipart form that %s has read is read', async (_, parser) => {
  const app = express().use(parser, createExpressRouter(openBackOffice()));
  const body = new FormData();
  body.set('code', 'ATTIC');
  body.set('name', 'Zoë & Co');
  const url = `${await serveApp(app)}/api/stock-locations/`;
  const answer = await fetch(url, { method: 'POST', body });
  expect([answer.status, (await answer.json()).name]).toEqual([201, 'Zoë & Co']);
  const broken = { method: 'POST', headers: { 'content-type': 'multipart/form-data' }, body: 'x' };
  expect(await (await fetch(url, broken)).json()).toEqual({
    code: 400,
    message: 'Invalid multipart message received',
  });
});

test.each([
  'a=1',
  'code=A1&name=One&name=Two',
  'code=A1&name[]=One',
  'code=A1&name=Ab&address[city]=A',
])(
  'the form %s has the same response whether express.urlencoded has read it flat or not at all',
  async (form) => {
    const send = async (...parsers: express.RequestHandler[]) => {
      const app = express().use(...parsers, createExpressRouter(openBackOffice()));
      const url = `${await serveApp(app)}/api/stock-locations/`;
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      const answer = await fetch(url, { method: 'POST', headers, body: form });
      return [answer.status, await answer.json()];
    };
    expect(await send(express.urlencoded({ extended: false }))).toEqual(await send());
  },
);
