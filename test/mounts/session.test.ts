import { expect, test } from 'vitest';
import { forwardSession } from 'backlot/session';
import { openServer } from '../support/server.ts';

const cookie = 'theme=dark; backlot-session=ada; other=1';
const store = new Map([['backlot-session', { value: 'ada' }]]);

test.each([
  ['a Request with the cookie', new Request('http://shop.test/', { headers: { cookie } })],
  ['a request of Node.js with the cookie', { headers: { cookie } }],
  ['a request of Node.js with the header', { headers: { 'x-backlot-session': 'ada' } }],
  [
    'the event of a framework',
    { request: new Request('http://shop.test/', { headers: { cookie } }) },
  ],
  ['Headers', new Headers({ cookie })],
  ['headers with lists', { cookie: ['theme=dark', 'backlot-session=ada'] }],
  ['the cookies of a framework', { get: (name: string) => store.get(name) }],
])('forwardSession returns the header for %s', (_, request) => {
  expect(forwardSession(request)).toEqual({ 'x-backlot-session': 'ada' });
});

test('the header of a request precedes its cookie, as at the server', () => {
  const headers = { cookie, 'x-backlot-session': 'grace' };
  expect(forwardSession({ headers })).toEqual({ 'x-backlot-session': 'grace' });
});

test.each([
  ['no session', {}],
  ['an empty cookie', { cookie: 'backlot-session=' }],
  ['a cookie that is not the name of a session', { cookie: 'backlot-session=a%0d%0ab' }],
])('forwardSession returns no header for %s', (_, headers) => {
  expect(forwardSession({ headers })).toEqual({});
});

test('a server that requires sessions rejects a request without one and names forwardSession', () => {
  const { call } = openServer({ sessions: 'required' });
  const headers = forwardSession({ headers: {} });
  const { status, body } = call('GET /api/users/1', undefined, headers);
  expect(status).toBe(400);
  expect(body.message).toContain('headers: forwardSession(request)');
  const named = forwardSession({ headers: { cookie } });
  expect(call('GET /api/users/1', undefined, named).status).toBe(200);
});
