import { expect, test } from 'vitest';
import { openServer } from '../support/server.ts';

/** A navigation to which a page of another site leads without a click. */
const led = {
  'sec-fetch-site': 'cross-site',
  'sec-fetch-mode': 'navigate',
  'sec-fetch-dest': 'document',
  accept: 'text/html',
};

test.each([
  ['optional', undefined, 409],
  ['optional', 'ada', 409],
  ['required', undefined, 303],
  ['required', 'ada', 409],
  ['own', undefined, 303],
  ['own', 'ada', 409],
] as const)(
  'where sessions are %s, a page of another site that leads a browser with the session %s to a link gets %i',
  (sessions, name, status) => {
    const { call, sessions: server } = openServer({ sessions, newName: () => 'begun' });
    const cookie = name === undefined ? {} : { cookie: `backlot-session=${name}` };
    const { headers, ...answer } = call('GET /_backlot/begin?to=/shop', undefined, {
      ...led,
      ...cookie,
    });
    expect(answer.status).toBe(status);
    expect('set-cookie' in headers).toBe(status === 303);
    expect(server.sessions.list().map((one) => one.name)).toEqual(status === 303 ? ['begun'] : []);
    if (status === 409) expect(answer.body).toContain('href="/_backlot/begin?to=/shop"');
  },
);

test.each([
  { 'sec-fetch-user': '?1' },
  { 'sec-fetch-site': 'same-site' },
  { 'sec-fetch-site': 'none' },
])('a developer who follows a link with %j begins a session at once', (headers) => {
  const { call } = openServer({ newName: () => 'begun' });
  const begun = call('GET /_backlot/begin', undefined, { ...led, ...headers });
  expect([begun.status, begun.headers['set-cookie']]).toEqual([
    303,
    expect.stringContaining('backlot-session=begun'),
  ]);
});

test('a browser that loads a link in advance begins no session on a server of a developer', () => {
  const { call, sessions } = openServer({ newName: () => 'begun' });
  expect(call('GET /_backlot/begin', undefined, { 'sec-purpose': 'prefetch' }).status).toBe(204);
  expect(sessions.sessions.list()).toEqual([]);
});
