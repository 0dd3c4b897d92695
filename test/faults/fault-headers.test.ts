import { expect, test } from 'vitest';
import { openStoreOffice } from '../../src/shop/open-store-office.ts';
import { openOffice } from '../support/office.ts';
import { openServer } from '../support/server.ts';

const limited = { limitFaultHeaders: true } as const;

test.each([
  'Set-Cookie',
  'location',
  'Refresh',
  'clear-site-data',
  'access-control-allow-origin',
  'Content-Security-Policy',
  'x-backlot-session',
  'cache-control',
  'link',
  'service-worker-allowed',
])('on a server that limits headers, a fault cannot set %s', (name) => {
  const { call, sessions } = openServer(limited);
  const rejected = call('POST /_backlot/faults', { status: 200, headers: { [name]: 'x' } });
  expect(rejected.status).toBe(400);
  expect(rejected.body.errors.children.headers.errors).toEqual([
    `Faults cannot set ${name} on this server. Allowed headers: allow, content-language, content-type, deprecation, etag, last-modified, ratelimit*, retry-after, server-timing, sunset, www-authenticate, x-ratelimit-*, x-request-id.`,
  ]);
  expect(sessions.shared.faults.list()).toEqual([]);
});

test('on a server that limits headers, a fault can set headers that affect one response', () => {
  const { call } = openServer(limited);
  const headers = { 'Retry-After': '5', 'RateLimit-Limit': '10', 'x-ratelimit-reset': '60' };
  expect(call('POST /_backlot/faults', { status: 429, headers }).status).toBe(201);
  expect(call('GET /api/users/1').headers).toMatchObject({
    'retry-after': '5',
    'ratelimit-limit': '10',
    'x-ratelimit-reset': '60',
  });
});

test('on a server that limits headers, an import cannot set others', () => {
  const { call, sessions } = openServer(limited);
  const fault = { status: 302, headers: { location: 'https://elsewhere.example' } };
  const open = openStoreOffice();
  open.faults.add({ status: 503 });
  open.faults.add(fault);
  const rejected = call('POST /_backlot/import', open.export());
  expect(rejected.status).toBe(400);
  expect(JSON.stringify(rejected.body)).toContain('Faults cannot set location on this server.');
  expect(sessions.shared.faults.list()).toEqual([]);
  open.faults.remove(2);
  expect(call('POST /_backlot/import', open.export()).status).toBe(200);
});

test('on a server that limits headers, sessions have the same limit', () => {
  const { call } = openServer(limited);
  const fault = { status: 200, headers: { 'set-cookie': 'a=b' } };
  expect(call('POST /s/ada/_backlot/faults', fault).status).toBe(400);
  expect(call('POST /s/ada/_backlot/faults', { status: 503 }).status).toBe(201);
});

test('on a server that limits headers, a scenario with others is rejected', () => {
  const faults = [{ status: 302, headers: { location: '/' } }];
  const scenario = { name: 'moved', description: 'Moved', extends: 'default', faults };
  const message = 'faults.0.headers: Faults cannot set location on this server.';
  expect(() => openStoreOffice({ ...limited, scenario })).toThrow(message);
  const office = openStoreOffice(limited);
  expect(() => office.reset(scenario)).toThrow(message);
  expect(office.scenario.name).toBe('default');
  expect(openStoreOffice({ scenario }).faults.list()).toHaveLength(1);
});

test('without a limit, a fault can set any header', async () => {
  const office = openOffice();
  office.faults.add({ status: 302, headers: { location: '/api/orders/2' } });
  const { status, headers } = await office.call('GET /api/orders/1');
  expect({ status, location: headers['location'] }).toEqual({
    status: 302,
    location: '/api/orders/2',
  });
});

test.each([
  'text/html',
  'TEXT/HTML; charset=utf-8',
  'image/svg+xml',
  'text/plain',
  '',
  'application/json, text/html',
  'text/html; x=application/json',
  'application/json; charset=utf-7',
])('a fault of the content type "%s" is sandboxed', async (type) => {
  const office = openOffice();
  office.faults.add({ status: 200, headers: { 'Content-Type': type }, body: '<script></script>' });
  const { headers } = await office.fetch('/api/orders/1');
  expect(headers.get('content-security-policy')).toBe('sandbox');
});

test.each(['application/json', 'application/problem+json', 'application/json; charset=utf-8'])(
  'a fault of the content type "%s" is not sandboxed',
  async (type) => {
    const office = openOffice();
    office.faults.add({ status: 500, headers: { 'content-type': type } });
    const { headers } = await office.fetch('/api/orders/1');
    expect(headers.has('content-security-policy')).toBe(false);
  },
);

test('a fault without a body is sandboxed if it has the content type of a page', async () => {
  const office = openOffice();
  office.faults.add({ status: 304, headers: { 'content-type': 'text/html' } });
  const { headers } = await office.fetch('/api/orders/1');
  expect(headers.get('content-security-policy')).toBe('sandbox');
});

test('a policy of a fault does not replace the sandbox', async () => {
  const office = openOffice();
  const headers = { 'content-type': 'text/html', 'Content-Security-Policy': "default-src 'self'" };
  office.faults.add({ status: 200, headers, body: '<p>' });
  const response = await office.fetch('/api/orders/1');
  expect(response.headers.get('content-security-policy')).toBe("default-src 'self', sandbox");
});

test('a preference cannot set headers', async () => {
  const office = openOffice();
  const prefer = 'status=200, content-type=text/html, headers=x, set-cookie=a=b';
  const { headers } = await office.call('GET /api/orders/1', undefined, { prefer });
  expect(headers).toMatchObject({
    'content-type': 'application/json',
    'preference-applied': 'status=200',
    'x-content-type-options': 'nosniff',
  });
  expect(headers).not.toHaveProperty('set-cookie');
  expect(headers).not.toHaveProperty('headers');
});
