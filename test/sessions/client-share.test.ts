import { expect, test } from 'vitest';
import type { ApiResponse } from '../../src/engine/rest/message.ts';
import type { SessionOptions } from '../../src/engine/sessions/server.ts';
import { openServer, type TestServer } from '../support/server.ts';

interface SharedServer extends TestServer {
  /** Sends a request from an address. */
  readonly from: (
    client: string | undefined,
    line: string,
    headers?: Readonly<Record<string, string>>,
    body?: string,
  ) => ApiResponse;
}

function openShared(options: SessionOptions = {}): SharedServer {
  const server = openServer(options);
  return {
    ...server,
    from(client, line, headers = {}, body) {
      const [method = 'GET', url = '/'] = line.split(' ');
      return server.sessions.answer({ method, url, headers, client, body });
    },
  };
}

/** Returns the statuses of requests that each name a new session. */
function opened({ from }: SharedServer, client: string | undefined, names: string): number[] {
  return Array.from(names, (name) => from(client, `GET /s/${name}/api/users/1`).status);
}

test('a client can open only its share of the sessions, and other clients can open theirs', () => {
  const server = openShared({ maxSessions: 10, clientShare: 20 });
  expect(opened(server, '192.0.2.1', 'abc')).toEqual([200, 200, 429]);
  expect(opened(server, '192.0.2.1', 'ab')).toEqual([200, 200]);
  expect(opened(server, '192.0.2.2', 'cde')).toEqual([200, 200, 429]);
});

test('the error beyond the share of a client has the reason and the time to wait', () => {
  const { from, pass } = openShared({ maxSessions: 10, clientShare: 10, sessionIdle: 'PT1M' });
  from('192.0.2.1', 'GET /s/a/api/users/1');
  pass(20);
  const { status, headers, body = '' } = from('192.0.2.1', 'GET /s/b/api/users/1');
  expect({ status, retryAfter: headers['retry-after'] }).toEqual({ status: 429, retryAfter: '40' });
  expect(JSON.parse(body)).toEqual({
    code: 429,
    message: 'This client has opened 1 of the 10 sessions, its share. Retry in 40 s.',
  });
  pass(40);
  expect(from('192.0.2.1', 'GET /s/b/api/users/1').status).toBe(200);
});

test('sessions that the control API opens or a cookie names count for the share of a client', () => {
  const { from } = openShared({ maxSessions: 10, clientShare: 20 });
  const json = { 'content-type': 'application/json' };
  expect(from('192.0.2.1', 'POST /_backlot/sessions', json, '{"name":"a"}').status).toBe(201);
  const cookie = { cookie: 'backlot-session=b' };
  expect(from('192.0.2.1', 'GET /api/users/1', cookie).status).toBe(200);
  expect(from('192.0.2.1', 'POST /_backlot/sessions', json, '{"name":"c"}').status).toBe(429);
  expect(from('192.0.2.1', 'GET /api/users/1', { 'x-backlot-session': 'c' }).status).toBe(429);
});

const newName = (): string => crypto.randomUUID();

test('sessions of visitors without cookies count for the share of their client', () => {
  const { from } = openShared({ sessions: 'own', newName, maxSessions: 10, clientShare: 20 });
  const statuses = Array.from(
    { length: 3 },
    () => from('192.0.2.1', 'DELETE /_backlot/faults').status,
  );
  expect(statuses).toEqual([204, 204, 429]);
  expect(from('192.0.2.1', 'GET /api/users/1').status).toBe(200);
});

test('a client can open another session after one of its own is deleted', () => {
  const { from, call } = openShared({ maxSessions: 10, clientShare: 10 });
  expect(from('192.0.2.1', 'GET /s/a/api/users/1').status).toBe(200);
  expect(from('192.0.2.1', 'GET /s/b/api/users/1').status).toBe(429);
  call('DELETE /_backlot/sessions/a');
  expect(from('192.0.2.1', 'GET /s/b/api/users/1').status).toBe(200);
});

test('a share of less than one session is one session', () => {
  const server = openShared({ maxSessions: 4, clientShare: 1 });
  expect(opened(server, '192.0.2.1', 'ab')).toEqual([200, 429]);
});

test('without a share, one client can open every session', () => {
  const server = openShared({ maxSessions: 3 });
  expect(opened(server, '192.0.2.1', 'abcd')).toEqual([200, 200, 200, 429]);
});

test.each([
  ['2001:db8::1', '2001:0DB8:0:0:ffff::2'],
  ['fe80::1%eth0', 'fe80::2%eth1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['::ffff:c000:201', '192.0.2.1:5678'],
  ['[2001:db8::1]:443', '2001:db8::2'],
  ['64:ff9b::192.0.2.1', '64:ff9b::1'],
  [undefined, ''],
])('%s and %s count as one client', (one, other) => {
  const server = openShared({ maxSessions: 10, clientShare: 10 });
  expect(opened(server, one, 'a')).toEqual([200]);
  expect(opened(server, other, 'b')).toEqual([429]);
});

test.each([
  ['2001:db8::1', '2001:db8:0:1::1'],
  ['::ffff:192.0.2.1', '::ffff:192.0.2.2'],
  ['1::5:6:7:8:9', '1::6:7:8:9'],
  ['192.0.2.1', undefined],
  ['unknown', 'a:b'],
  ['1:2:3', '1:2:4'],
])('%s and %s count as two clients', (one, other) => {
  const server = openShared({ maxSessions: 10, clientShare: 10 });
  expect(opened(server, one, 'a')).toEqual([200]);
  expect(opened(server, other, 'b')).toEqual([200]);
});

test.each([0, 101, Number.NaN])('a share of %s percent is rejected', (clientShare) => {
  expect(() => openShared({ clientShare })).toThrow(
    `clientShare must be above 0 and at most 100, not ${clientShare}.`,
  );
});
