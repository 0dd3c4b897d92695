import { expect, test } from 'vitest';
import { openServer } from '../support/server.ts';

const demo = { basePath: '/demo' };
const cart = { channel: 1, user: 1, currency: 'EUR' };

/** Returns every href in a response. */
function hrefs(body: unknown): string[] {
  return Array.from(JSON.stringify(body).matchAll(/"href":"([^"]*)"/g), ([, href = '']) => href);
}

test('a base path is the prefix of every link and changes nothing else in a response', () => {
  const { call, callAt } = openServer();
  const here = JSON.stringify(call('GET /api/orders/?limit=3').body);
  const there = JSON.stringify(callAt(demo, 'GET /api/orders/?limit=3').body);
  expect(there).toBe(here.replaceAll('{"href":"/api/', '{"href":"/demo/api/'));
  const product = { name: '"href":"/api/orders/1"', description: 'A text.', price: 100 };
  expect(callAt(demo, 'POST /api/products/', product).body.name).toBe(product.name);
});

test('a cached response has the links of the base path of each request', () => {
  const { callAt } = openServer();
  for (const basePath of ['/a', '', '/b', "/$&$'", '/a', '']) {
    const links = hrefs(callAt({ basePath }, 'GET /api/orders/?limit=2').body);
    expect(links.filter((href) => !href.startsWith(`${basePath}/api/`))).toEqual([]);
    expect(links.length).toBeGreaterThan(4);
  }
});

test('the link to a cart with a coupon has the base path and the session', () => {
  const { callAt } = openServer();
  const line = 'POST /s/ada/_backlot/orders/120/coupons';
  const { body } = callAt(demo, line, { coupon: 'WELCOME10' });
  expect(body._links.order.href).toBe('/demo/s/ada/api/orders/120');
});

test('the path of a session includes the base path from every session', () => {
  const { callAt } = openServer();
  const made = callAt(demo, 'POST /_backlot/sessions', { name: 'ada' }).body;
  expect(made.path).toBe('/demo/s/ada');
  expect(callAt(demo, 'GET /_backlot/sessions/ada').body.path).toBe('/demo/s/ada');
  expect(callAt(demo, 'GET /s/eve/_backlot/sessions').body.sessions[0].path).toBe('/demo/s/ada');
  expect(callAt(demo, 'POST /_backlot/sessions/ada/reset').body.path).toBe('/demo/s/ada');
});

test.each([
  ['/api/orders/1', '/demo/s/ada/api/orders/1'],
  ['/oauth/v2/token', '/demo/s/ada/oauth/v2/token'],
  ['/_backlot/', '/demo/s/ada/_backlot/'],
  ['/login', '/login'],
  ['/apis', '/apis'],
  ['//shop.test/api/', '//shop.test/api/'],
  ['https://shop.test/api/', 'https://shop.test/api/'],
])('the Location %s of a fault is sent as %s', (named, sent) => {
  const { callAt } = openServer();
  const fault = { status: 201, headers: { Location: named }, body: {} };
  expect(callAt(demo, 'POST /s/ada/_backlot/faults', fault).status).toBe(201);
  const { headers } = callAt(demo, 'POST /s/ada/api/orders/', cart);
  expect(headers['location']).toBe(sent);
});

test('links in the body of a fault are prefixed in responses, and not in lists and exports', () => {
  const { callAt } = openServer();
  const body = { _links: { self: { href: '/api/orders/1' } } };
  callAt(demo, 'POST /_backlot/faults', { status: 200, body });
  expect(hrefs(callAt(demo, 'GET /api/orders/1').body)).toEqual(['/demo/api/orders/1']);
  expect(callAt(demo, 'GET /_backlot/faults').body[0].body).toEqual(body);
  const file = callAt(demo, 'GET /_backlot/export').body;
  expect(callAt(demo, 'POST /_backlot/import', file).status).toBe(200);
  expect(callAt(demo, 'GET /_backlot/faults').body[0].body).toEqual(body);
});

test('the journal stores URLs and bodies without the base path', () => {
  const { callAt } = openServer();
  callAt(demo, 'GET /api/orders/1');
  const [entry] = callAt(demo, 'GET /_backlot/journal').body.entries;
  expect(entry.url).toBe('/api/orders/1');
  expect(hrefs(entry.answer.body)[0]).toMatch(/^\/api\//);
});

test('the servers of the OpenAPI document have the prefix of the paths', () => {
  const { call, callAt } = openServer();
  expect(call('GET /_backlot/openapi.json').body.servers).toEqual([{ url: '/' }]);
  expect(call('GET /s/ada/_backlot/openapi.json').body.servers).toEqual([{ url: '/s/ada' }]);
  const both = callAt(demo, 'GET /s/ada/_backlot/openapi.json').body;
  expect(both.servers).toEqual([{ url: '/demo/s/ada' }]);
  const { password } = both.components.securitySchemes.oauth2.flows;
  expect(password.tokenUrl).toBe('/demo/s/ada/oauth/v2/token');
  expect(call('GET /_backlot/openapi.json').body.servers).toEqual([{ url: '/' }]);
});

test('the session cookie has the base path, and is Secure over https', () => {
  const { callAt } = openServer({ sessions: 'own', newName: () => 'visitor' });
  const cookie = (place: { basePath?: string; secure?: boolean }): string | undefined =>
    callAt(place, 'GET /api/users/1').headers['set-cookie'];
  expect(cookie({})).toBe('backlot-session=visitor; Path=/; HttpOnly; SameSite=Lax');
  expect(cookie({ ...demo, secure: true })).toBe(
    'backlot-session=visitor; Path=/demo/; HttpOnly; SameSite=Lax; Secure',
  );
});

test.each(['GET /_backlot/', 'GET /_backlot/docs', 'GET /s/ada/_backlot'])(
  '%s returns a page that loads only files of its own server',
  (line) => {
    const { headers, body } = openServer().call(line);
    expect(headers['content-security-policy']?.split('; ')).toEqual([
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "connect-src 'self'",
      'img-src data:',
      'font-src data:',
      "base-uri 'none'",
      "form-action 'self'",
      "frame-ancestors 'self'",
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
    ]);
    expect(body).not.toMatch(/<style|<script>|\sstyle=|\son\w+=|(href|src)="\//);
  },
);

test.each([
  ['/_backlot/studio.js', 'text/javascript; charset=utf-8'],
  ['/_backlot/studio/docs.js', 'text/javascript; charset=utf-8'],
  ['/_backlot/studio.css', 'text/css; charset=utf-8'],
  ['/_backlot/inter.css', 'text/css; charset=utf-8'],
  ['/_backlot/page.css', 'text/css; charset=utf-8'],
])('%s is served without the token of the control API', (path, type) => {
  const { call } = openServer({ controlToken: 'sesame' });
  const { status, headers } = call(`GET ${path}`);
  expect(status).toBe(200);
  expect(headers).toMatchObject({ 'content-type': type, 'cache-control': 'no-cache' });
  expect(call('GET /_backlot/clock').status).toBe(401);
});

test('the docs page loads its files from below every prefix', () => {
  const { call, callAt } = openServer();
  expect(call('GET /_backlot/docs').body).toContain('<script src="./studio.js"');
  expect(call('GET /_backlot/docs/').body).toContain('<script src="../studio.js"');
  const { body } = callAt({ basePath: '/a&b' }, 'GET /s/ada/_backlot/docs');
  expect(body).toContain('<script src="./studio.js"');
});

test('the studio names the back office that it shows', () => {
  const { call } = openServer();
  expect(call('GET /_backlot/').body).toContain('the shared back office');
  expect(call('GET /s/ada/_backlot/').body).toContain('session ada');
  const cookie = { cookie: 'backlot-session=eve' };
  expect(call('GET /_backlot/', undefined, cookie).body).toContain('session eve');
  const hostile = call('GET /s/%3Cscript%3Ealert(1)%3C%2Fscript%3E/_backlot/').body;
  expect(hostile).toContain('session &lt;script&gt;alert(1)&lt;/script&gt;');
  expect(hostile).not.toContain('<script>');
  const visited = openServer({ sessions: 'own', newName: () => 'v1' });
  expect(visited.call('GET /_backlot/').body).toContain('your own shop');
});
