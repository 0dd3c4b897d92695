import { expect, test } from 'vitest';
import { openServer, type TestServer } from '../support/server.ts';

const cart = { channel: 1, user: 1, currency: 'EUR' };

function openDemo(options: Parameters<typeof openServer>[0] = {}): TestServer {
  let visitors = 0;
  return openServer({ sessions: 'own', newName: () => `visitor-${++visitors}`, ...options });
}

function cookieOf({ headers }: { headers: Readonly<Record<string, string>> }): { cookie: string } {
  return { cookie: headers['set-cookie']?.split(';', 1)[0] ?? '' };
}

test('a link begins a session in a scenario and leads to a page', () => {
  const { call } = openDemo();
  const begun = call('GET /_backlot/begin?scenario=sale&to=/shop?a=1%23top');
  expect(begun).toMatchObject({
    status: 303,
    headers: { location: '/shop?a=1#top', 'x-backlot-session': 'visitor-1' },
    body: { session: 'visitor-1', scenario: 'sale', to: '/shop?a=1#top' },
  });
  const cookie = cookieOf(begun);
  expect(cookie).toEqual({ cookie: 'backlot-session=visitor-1' });
  expect(call('GET /_backlot/health', undefined, cookie).body).toMatchObject({
    scenario: 'default',
    session: { name: 'visitor-1', scenario: 'sale' },
  });
});

test('a link works in every mode of sessions, and needs names for sessions', () => {
  for (const sessions of ['optional', 'required', 'own'] as const) {
    const { call } = openDemo({ sessions });
    expect(call('GET /_backlot/begin').headers['location']).toBe('/_backlot/#/orders');
    expect(call('GET /_backlot/begin?scenario=lost')).toMatchObject({ status: 404 });
  }
  const { call, callAt } = openServer();
  expect(call('GET /_backlot/begin')).toMatchObject({ status: 400 });
  expect(callAt({ basePath: '/demo' }, 'GET /_backlot/begin').status).toBe(400);
  const demo = openDemo();
  const { headers } = demo.callAt({ basePath: '/demo' }, 'GET /_backlot/begin');
  expect(headers['location']).toBe('/demo/_backlot/#/orders');
  expect(headers['set-cookie']).toContain('Path=/demo/;');
});

test('a browser shows a page for a link that names what is not there, and a program gets JSON', () => {
  const { callAt } = openDemo();
  for (const [query, status, detail] of [
    ['scenario=nope', 404, "Scenario 'nope' not found."],
    ['snapshot=%3Cb%3E', 404, "Snapshot '&lt;b&gt;' not found."],
    ['to=https://other.example/', 400, 'to: This value is not valid. Expected a path'],
  ] as const) {
    const line = `GET /_backlot/begin?${query}`;
    const page = callAt({ basePath: '/demo' }, line, undefined, { accept: 'text/html' });
    expect([page.status, page.headers['content-type']]).toEqual([
      status,
      'text/html; charset=utf-8',
    ]);
    expect(page.body).toContain('<h1>This link does not work</h1>');
    expect(page.body).toContain(detail);
    expect(page.body).toContain('<a href="/demo/_backlot/begin">');
    expect(page.headers['set-cookie']).toBeUndefined();
    const { status: same, headers } = callAt({}, line, undefined, { accept: '*/*' });
    expect([same, headers['content-type']]).toEqual([status, 'application/json']);
  }
});

test('a session that a second link begins replaces the first one when it is used, and HEAD begins none', () => {
  const { call, sessions } = openDemo({ maxSessions: 1 });
  const first = cookieOf(call('GET /_backlot/begin'));
  call('POST /api/orders/', cart, first);
  const second = cookieOf(call('GET /_backlot/begin', undefined, first));
  expect(second).not.toEqual(first);
  expect(call('GET /api/orders/121', undefined, first).status).toBe(200);
  expect(call('POST /api/orders/', cart).status).toBe(429);
  expect(call('GET /api/orders/121', undefined, second).status).toBe(404);
  expect(sessions.sessions.list().map(({ name }) => name)).toEqual(['visitor-2']);
  expect(call('HEAD /_backlot/begin', undefined, second).status).toBe(405);
  expect(call('GET /s/ada/_backlot/begin').status).toBe(400);
  expect(sessions.sessions.list()).toHaveLength(1);
});

test('a link hands out a snapshot that the owner has published, and only the owner can publish', () => {
  const controlToken = 'owner';
  const { call, sessions } = openDemo({ controlToken });
  const owner = { 'x-backlot-token': controlToken, cookie: 'backlot-session=boss' };
  call('POST /_backlot/reset', { scenario: 'filled-cart' }, owner);
  call('PUT /_backlot/clock', { advance: 'PT1H' }, owner);
  const published = { name: 'prepared', publish: true };
  expect(call('POST /_backlot/snapshot', published).status).toBe(401);
  expect(call('POST /_backlot/snapshot', published, owner).status).toBe(201);
  const begun = call('GET /_backlot/begin?snapshot=prepared');
  expect(begun).toMatchObject({ status: 303, body: { scenario: 'filled-cart' } });
  // A visitor has no token, and the list of orders in the studio requires it.
  expect(begun.headers['location']).toBe('/_backlot/#/docs');
  expect(call('GET /api/orders/1', undefined, cookieOf(begun)).status).toBe(200);
  expect(sessions.sessions.get('visitor-1').office.clock.now()).toBe('2026-03-02T10:00:00+0000');
  sessions.resetAll();
  expect(call('GET /_backlot/begin?snapshot=prepared').status).toBe(303);
  const unknown = call('GET /_backlot/begin?snapshot=other');
  expect(unknown).toMatchObject({ status: 404 });
  expect(unknown.body.message).not.toContain('prepared');
  expect(call('GET /_backlot/begin?snapshot=prepared&scenario=sale').status).toBe(400);
  expect(openDemo().call('POST /_backlot/snapshot', published).status).toBe(403);
});

test('without private sessions, a link begins from a snapshot of the shared back office', () => {
  const { call } = openDemo({ sessions: 'optional' });
  call('POST /_backlot/reset', { scenario: 'empty' });
  call('POST /_backlot/snapshot', { name: 'nothing' });
  expect(call('GET /_backlot/begin?snapshot=nothing').body.scenario).toBe('empty');
  const guarded = openDemo({ sessions: 'optional', controlToken: 'secret' });
  expect(guarded.call('GET /_backlot/begin').status).toBe(401);
  expect(openDemo({ control: false }).call('GET /_backlot/begin').status).toBe(403);
});

test('a link leads to a page of a named origin, whose requests have the cookie', () => {
  const { sessions } = openDemo();
  const answer = (to: string) =>
    sessions.answer({
      method: 'GET',
      url: `/_backlot/begin?to=${encodeURIComponent(to)}`,
      headers: {},
      secure: true,
      namedOrigins: new Set(['https://shop.example']),
    });
  const { headers } = answer('https://shop.example/cart');
  expect(headers['location']).toBe('https://shop.example/cart');
  expect(headers['set-cookie']).toContain('SameSite=None; Secure');
  expect(answer('/cart').headers['set-cookie']).toContain('SameSite=Lax; Secure');
  expect(answer('https://other.example/cart').status).toBe(400);
});

test('links that are followed again and again begin one session beside that of the visitor', () => {
  const { call, sessions } = openDemo({ maxSessions: 2, clientShare: 50 });
  const first = cookieOf(call('GET /_backlot/begin'));
  for (let times = 0; times < 5; times++) call('GET /_backlot/begin', undefined, first);
  expect(sessions.sessions.list().map(({ name }) => name)).toEqual(['visitor-1', 'visitor-6']);
  expect(call('GET /_backlot/begin').status).toBe(429);
  call('GET /api/orders/', undefined, { cookie: 'backlot-session=visitor-6' });
  expect(sessions.sessions.list().map(({ name }) => name)).toEqual(['visitor-6']);
});

test('a browser that loads a link in advance begins no session', () => {
  const { call, sessions } = openDemo();
  const cookie = cookieOf(call('POST /api/orders/', cart));
  for (const headers of [
    { 'sec-purpose': 'prefetch' },
    { 'sec-purpose': 'prefetch;prerender' },
    { purpose: 'prefetch' },
    { 'x-moz': 'prefetch' },
  ] as Record<string, string>[]) {
    const { status, headers: received } = call('GET /_backlot/begin', undefined, {
      ...headers,
      ...cookie,
    });
    expect([status, received['set-cookie']]).toEqual([204, undefined]);
  }
  expect(sessions.sessions.list()).toHaveLength(1);
});

test('a page of another site cannot change or end the shop of a visitor without a click', () => {
  const { call, sessions } = openDemo({
    history: true,
    scenario: 'authenticated',
    settings: { auth: 'none' },
  });
  const cookie = cookieOf(call('POST /api/orders/', cart));
  const own = (): string => {
    const { office } = sessions.sessions.get('visitor-1');
    return JSON.stringify([office.export(), office.journal.entries(), office.history.entries()]);
  };
  const before = own();
  const led = {
    'sec-fetch-site': 'cross-site',
    'sec-fetch-mode': 'navigate',
    'sec-fetch-dest': 'document',
    accept: 'text/html',
    ...cookie,
  };
  const token =
    'grant_type=password&client_id=demo_client&client_secret=secret_demo_client&username=api@example.com&password=api';
  for (const line of [
    'GET /_backlot/begin?scenario=sale',
    'GET /api/orders/121',
    `GET /oauth/v2/token?${token}`,
    'GET /_backlot/',
  ]) {
    expect(call(line, undefined, led).headers).not.toHaveProperty('set-cookie');
    expect({ line, own: own() }).toEqual({ line, own: before });
  }
  const asked = call('GET /_backlot/begin?to=/shop', undefined, led);
  expect(asked.status).toBe(409);
  expect(asked.body).toContain('href="/_backlot/begin?to=/shop"');
  expect(sessions.sessions.list()).toHaveLength(1);
  expect(call('GET /_backlot/begin', undefined, { ...led, 'sec-fetch-user': '?1' }).status).toBe(
    303,
  );
});
