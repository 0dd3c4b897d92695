import { expect, test } from 'vitest';
import { Coverage } from '../../src/engine/coverage/recorder.ts';
import { givenFor } from '../../src/shop/given/given.ts';
import { createBackOffice } from '../../src/index.ts';

const v1 = { apiPath: '/api/v1' };
const order = { channel: 1, user: 1, currency: 'EUR' };

function post(body: object): RequestInit {
  const headers = { 'content-type': 'application/json' };
  return { method: 'POST', headers, body: JSON.stringify(body) };
}

test.each([
  ['api', "'/api'"],
  ['/api/', "'/api'"],
  ['//', "''"],
  ['/', "''"],
  ['api//v1/', "'/api/v1'"],
  ['/_backlot', '/_backlot, /oauth and /s are taken'],
  ['/oauth/v2', '/_backlot, /oauth and /s are taken'],
  ['/s', '/_backlot, /oauth and /s are taken'],
  ['/api?x=1', 'use a path like /api/v1'],
  ['/api#x', 'use a path like /api/v1'],
  ['/my api', 'use a path like /api/v1'],
  ['/api/../v1', 'use a path like /api/v1'],
  ['/./api', 'use a path like /api/v1'],
  ['/:version', 'use a path like /api/v1'],
  ['/api*', 'use a path like /api/v1'],
  ['https://shop.test/api', 'use a path like /api/v1'],
])('the API path %j is rejected with what is right', (apiPath, hint) => {
  const open = () => createBackOffice({ apiPath });
  expect(open).toThrow(`The API cannot be at '${apiPath}'`);
  expect(open).toThrow(hint);
});

test('the path of the contract is not found under another one, and leads to it', async () => {
  const office = createBackOffice(v1);
  const response = await office.fetch('/api/orders/');
  expect(response.status).toBe(404);
  expect(await response.text()).toContain(
    'Endpoint GET /api/orders/ not found. Did you mean GET /api/v1/orders/?',
  );
  expect(office.journal.entries({ reached: false }).map(({ url }) => url)).toEqual([
    '/api/orders/',
  ]);
});

test.each(['/api/v1/orders/*', '/api/orders/*', '/api/v1/orders/:order_id', '/api/v1/*'])(
  'the fault of %s applies to the path that clients send',
  async (path) => {
    const office = createBackOffice(v1);
    office.faults.add({ match: { method: 'GET', path }, status: 503 });
    expect((await office.fetch('/api/v1/orders/3')).status).toBe(503);
    expect((await office.fetch('/api/orders/3')).status).toBe(404);
  },
);

test('a scenario names paths as clients do, or as the contract does', async () => {
  const faults = [
    { match: { path: '/orders/:order_id' }, status: 503 },
    { match: { path: '/api/users/*' }, status: 502 },
  ];
  const scenario = { name: 'bug', description: 'Two faults', extends: 'default', faults };
  const office = createBackOffice({ apiPath: '', scenario });
  office.reset();
  expect((await office.fetch('/orders/3')).status).toBe(503);
  expect((await office.fetch('/users/3')).status).toBe(502);
  expect(() => createBackOffice({ scenario })).toThrow('the closest is');
  expect(createBackOffice({ ...v1, scenario: 'flaky' }).faults.list().length).toBeGreaterThan(0);
});

test('a fault of a path that no endpoint has is rejected with the closest one', () => {
  const office = createBackOffice(v1);
  expect(() => office.faults.add({ match: { path: '/api/v1/ordes' }, status: 503 })).toThrow(
    'the closest is GET /api/v1/orders/',
  );
});

test('the journal has what clients sent, and the names of the contract', async () => {
  const office = createBackOffice(v1);
  await office.fetch('/api/v1/orders/3/?x=1');
  const [entry] = office.journal.entries();
  expect(entry).toMatchObject({
    url: '/api/v1/orders/3/?x=1',
    endpoint: 'GET /api/orders/:order_id/',
  });
  for (const request of ['GET /api/orders/:order_id', 'GET /api/v1/orders/3', '/api/v1/orders/*'])
    expect(office.journal.count(request)).toBe(1);
  expect(() => office.journal.count('GET /api/v1/ordes')).toThrow(
    'the closest is GET /api/v1/orders/',
  );
});

test('links of what a test is given, and of pages, have the path', async () => {
  const office = createBackOffice({ apiPath: '/rest/V1' });
  const given = JSON.stringify(givenFor(office).anOrder({ awaits: 'payment' }));
  expect(given).toContain('"href":"/rest/V1/');
  expect(given).not.toContain('"href":"/api/');
  const page = await (await office.fetch('/rest/V1/users/?limit=2')).json();
  expect(page._links.next.href).toBe('/rest/V1/users/?page=2&limit=2');
  const made = await office.fetch('/rest/V1/orders/', post(order));
  const location = made.headers.get('location') ?? '';
  expect(location).toMatch(/^\/rest\/V1\/orders\/\d+$/);
  expect((await office.fetch(location)).status).toBe(200);
});

test.each(['/api/v1', ''])('tokens are required under %j', async (apiPath) => {
  const coverage = new Coverage();
  const office = createBackOffice({ apiPath, scenario: 'authenticated', coverage });
  expect((await office.fetch(`${apiPath}/orders/`)).status).toBe(401);
  const login = {
    grant_type: 'password',
    client_id: 'demo_client',
    client_secret: 'secret_demo_client',
  };
  const { access_token } = (await (
    await office.fetch(
      '/oauth/v2/token',
      post({ ...login, username: 'api@example.com', password: 'api' }),
    )
  ).json()) as { access_token: string };
  const headers = { authorization: `Bearer ${access_token}` };
  expect((await office.fetch(`${apiPath}/orders/`, { headers })).status).toBe(200);
  expect(Object.keys(coverage.counts().items)).toContain('statuses: GET /api/orders/ 401');
});

test('the control API answers under an empty path', async () => {
  const office = createBackOffice({ apiPath: '' });
  expect((await office.fetch('/_backlot/health')).status).toBe(200);
  expect(await (await office.fetch('/_backlot/')).text()).toContain('<!doctype html>');
  expect((await office.fetch('/orders/3')).status).toBe(200);
  expect((await office.fetch('/s/ada/orders/3')).status).toBe(400);
});

test('the next request of an order, previews and coupons have the path', async () => {
  const office = createBackOffice(v1);
  const { id } = givenFor(office).anOrder({ awaits: 'payment' });
  const read = async (url: string, init?: RequestInit) => (await office.fetch(url, init)).json();
  const next = await read(`/_backlot/orders/${id}/next`);
  expect(next.request.url).toBe(`/api/v1/checkouts/${id}`);
  expect(await read(`/_backlot/orders/${id}/next`, post({}))).toMatchObject({ step: 'confirm' });
  await office.fetch(`/api/v1/orders/${id}`);
  const fault = { match: { path: '/api/v1/orders/:order_id' }, status: 503 };
  expect(await read('/_backlot/rules/preview', post({ fault }))).toMatchObject({ matched: 1 });
});
