import { expect, test } from 'vitest';
import { openServer, type TestServer } from '../support/server.ts';

const cart = { channel: 1, user: 1, currency: 'EUR' };
const html = { accept: 'text/html,application/xhtml+xml' };

function openDemo(options: Parameters<typeof openServer>[0] = {}): TestServer {
  let visitors = 0;
  return openServer({ sessions: 'own', newName: () => `visitor-${++visitors}`, ...options });
}

function cookieOf({ headers }: { headers: Readonly<Record<string, string>> }): { cookie: string } {
  return { cookie: headers['set-cookie']?.split(';', 1)[0] ?? '' };
}

test('a full house shows a page to browsers and JSON to programs', () => {
  const { call } = openDemo({ maxSessions: 1, sessionIdle: 'PT10M' });
  call('GET /_backlot/begin');
  const json = call('GET /_backlot/begin');
  expect(json).toMatchObject({ status: 429, body: { code: 429 } });
  const page = call('GET /_backlot/begin?to=/a%22b', undefined, html);
  expect(page).toMatchObject({
    status: 429,
    headers: { 'content-type': 'text/html; charset=utf-8', 'retry-after': '600' },
  });
  expect(page.headers['content-security-policy']).toContain("default-src 'none'");
  expect(page.body).toContain('<h1>No room at the moment</h1>');
  expect(page.body).toContain('content="60; url=/_backlot/begin?to=/a%22b"');
  expect(call('POST /api/orders/', cart, html)).toMatchObject({ status: 429, body: { code: 429 } });
  const background = { ...html, 'sec-fetch-mode': 'cors' };
  expect(call('GET /_backlot/begin', undefined, background).body).toMatchObject({ code: 429 });
});

test('an expired session shows a page to browsers once, and a notice to programs', () => {
  const { call, pass } = openDemo({ sessionIdle: 'PT10M' });
  const cookie = cookieOf(call('GET /_backlot/begin'));
  pass(600);
  for (const path of ['/_backlot/', '/_backlot', '/api/orders/']) {
    const page = call(`GET ${path}`, undefined, { ...html, ...cookie });
    expect(page.status).toBe(410);
    expect(page.body).toContain('<h1>Your session has ended</h1>');
    expect(page.body).toContain('Reason: it was idle for 10 minutes.');
    expect(page.headers['set-cookie']).toMatch(/^backlot-session=; .*Max-Age=0/);
  }
  expect(call('GET /_backlot/docs', undefined, { ...html, ...cookie }).status).toBe(200);
  expect(call('GET /_backlot/health', undefined, cookie).body.session).toEqual({
    name: 'visitor-1',
    ended: 'it was idle for PT10M',
  });
  const { status, headers } = call('GET /api/orders/', undefined, cookie);
  expect(status).toBe(200);
  expect(headers['x-backlot-notice']).toContain('it was idle for PT10M');
});

test('a session ends after its life, used or not', () => {
  const { call, pass } = openDemo({ sessionLife: 'PT1H', sessionIdle: 'PT30M' });
  const cookie = cookieOf(call('GET /_backlot/begin'));
  for (let time = 0; time < 3500; time += 500) {
    expect(call('GET /api/users/1', undefined, cookie).headers).not.toHaveProperty(
      'x-backlot-notice',
    );
    pass(500);
  }
  expect(call('GET /_backlot/health', undefined, cookie).body.session).toMatchObject({
    age_seconds: 3500,
    idle_seconds: 500,
    seconds_left: 100,
    ends_by: 'life',
  });
  pass(100);
  expect(call('GET /api/users/1', undefined, cookie).headers['x-backlot-notice']).toBe(
    'Session visitor-1 was reset: its life of PT1H was over.',
  );
  expect(() => openDemo({ sessionLife: 'long' })).toThrow('long is not a duration such as');
});

test('health tells the session of a request without using it', () => {
  const { call, pass } = openDemo({ sessionIdle: 'PT10M', sessions: 'optional' });
  call('GET /s/ada/api/users/1');
  pass(500);
  expect(call('GET /s/ada/_backlot/health').body.session).toMatchObject({
    seconds_left: 100,
    ends_by: 'idle',
  });
  pass(100);
  expect(call('GET /s/ada/_backlot/health').body.session).toMatchObject({ name: 'ada' });
  expect(call('GET /s/eve/_backlot/health').body.session).toEqual({ name: 'eve' });
  expect(call('GET /_backlot/health').body).not.toHaveProperty('session');
  expect(call('GET /_backlot/sessions').body.sessions).toEqual([]);
});

test('health?ready has status 503 until the server is ready', () => {
  const { call, sessions } = openServer();
  expect(call('GET /_backlot/health?ready')).toMatchObject({ status: 200, body: { ready: true } });
  sessions.setReady(false);
  expect(call('GET /_backlot/health?ready')).toMatchObject({ status: 503, body: { ready: false } });
  expect(call('GET /_backlot/health').status).toBe(200);
});

test('a replaced scenario is that of the shared back office and of new sessions', () => {
  const { call, sessions } = openServer({ scenario: 'empty' });
  call('POST /s/ada/api/users/', {});
  const other = openServer({ scenario: 'sale' }).sessions.shared.scenario;
  sessions.replaceScenario(other);
  expect(call('GET /_backlot/health').body.scenario).toBe('sale');
  const { headers } = call('GET /s/ada/api/orders/1');
  expect(headers['x-backlot-notice']).toContain('the scenario of the server has changed');
  expect(call('GET /s/ada/_backlot/health').body.session.scenario).toBe('sale');
  sessions.resetAll();
  expect(call('GET /_backlot/health').body.scenario).toBe('sale');
});
