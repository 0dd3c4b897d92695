import { expect, test } from 'vitest';
import { contract } from '../../src/shop/resources/index.ts';
import { openOffice } from '../support/office.ts';
import { openServer } from '../support/server.ts';

const made: readonly (readonly [line: string, location: string])[] = [
  ['POST /api/promotion/:promotion_id/coupons/', '/api/promotions/1/coupons/{id}'],
  ['POST /api/promotions/:promotion_id/coupons/', '/api/promotions/1/coupons/{id}'],
  ['POST /api/users/', '/api/users/{id}'],
  ['POST /api/orders/', '/api/orders/{id}'],
  ['POST /api/orders/:order_id/items/', '/api/orders/107/items/'],
  ['POST /api/stock-locations/', '/api/stock-locations/{id}'],
  ['POST /api/channels/', '/api/channels/{id}'],
  ['POST /api/products/', '/api/products/{id}'],
];

test('this list has every endpoint that creates a record', () => {
  const rows = contract.filter(({ status }) => status === 201);
  const lines = rows.map(({ method, path }) => `${method} ${path}`);
  expect(lines.toSorted()).toEqual(made.map(([line]) => line).toSorted());
});

test.each(made)('%s returns the Location %s', async (line, location) => {
  const { call } = openOffice();
  const row = contract.find(({ method, path }) => `${method} ${path}` === line);
  const { status, headers, body } = await call(`POST ${row?.example.url}`, row?.example.body);
  expect(status).toBe(201);
  expect(headers['location']).toBe(location.replace('{id}', String(body.id)));
  if (body._links?.self !== undefined) expect(headers['location']).toBe(body._links.self.href);
});

test.each(made)('the Location that %s returns can be read', async (line) => {
  const { call } = openOffice();
  const row = contract.find(({ method, path }) => `${method} ${path}` === line);
  const { headers, body } = await call(`POST ${row?.example.url}`, row?.example.body);
  const read = await call(`GET ${headers['location']}`);
  expect(read.status).toBe(200);
  expect([read.body].flat().map(({ id }) => id)).toContain(body.id);
});

test('a response without a created record has no Location', async () => {
  const { call } = openOffice();
  for (const line of ['GET /api/orders/1', 'POST /api/orders/', 'DELETE /api/orders/1']) {
    expect((await call(line)).headers).not.toHaveProperty('location');
  }
});

test('Location has the prefix under which the API is mounted', async () => {
  const office = openOffice({ baseUrl: 'https://shop.test/backend' });
  const order = JSON.stringify({ channel: 1, user: 1, currency: 'EUR' });
  const headers = { 'content-type': 'application/json' };
  const url = 'https://shop.test/backend/api/orders/';
  const response = await office.fetch(url, { method: 'POST', headers, body: order });
  expect(response.headers.get('location')).toBe('/backend/api/orders/121');
});

test('Location has the path of the session that the request names', () => {
  const { call } = openServer();
  const order = { channel: 1, user: 1, currency: 'EUR' };
  const { headers } = call('POST /s/ada/api/orders/', order);
  expect(headers['location']).toBe('/s/ada/api/orders/121');
  expect(call(`GET ${headers['location']}`).status).toBe(200);
});

test('a created session can be read at its Location', () => {
  const { call } = openServer();
  const { headers, body } = call('POST /_backlot/sessions', { name: 'ada' });
  expect(call(`GET ${headers['location']}`).body.name).toBe(body.name);
});
