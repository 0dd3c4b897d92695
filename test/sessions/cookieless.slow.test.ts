import { expect, test } from 'vitest';
import { storeApi } from '../../src/shop/store-api.ts';
import { controlEndpoints } from '../../src/engine/control/endpoints/index.ts';
import { openServer } from '../support/server.ts';
import { sample } from '../support/runs.ts';

const credentials = new URLSearchParams({
  grant_type: 'password',
  client_id: 'demo_client',
  client_secret: 'secret_demo_client',
  username: 'api@example.com',
  password: 'api',
});

const own = { sessions: 'own', newName: () => crypto.randomUUID() } as const;

/** Returns the state of the shared back office as text. */
function traces({ sessions: { shared } }: ReturnType<typeof openServer>): string {
  const snapshots = shared.snapshots.list().map(({ name }) => name);
  return JSON.stringify([shared.export(), shared.journal.entries(), snapshots]);
}

test.each(
  sample(['default', 'authenticated', 'flaky', 'declined-cards', 'slow-payments'] as const, 1),
)(
  'with sessions by cookie, no request changes the shared back office of the scenario %s',
  (scenario) => {
    const server = openServer({ ...own, scenario });
    const before = traces(server);
    for (const { method, example } of [...storeApi.endpoints, ...controlEndpoints(storeApi)]) {
      server.call(`${method} ${example.url}`, example.body);
      if (method === 'GET') server.call(`HEAD ${example.url}`);
      server.call(`OPTIONS ${example.url}`);
      server.call(`${method} ${example.url}`, example.body, { prefer: 'status=503, after' });
    }
    for (const path of ['/api/nothing', '/_backlot/nothing', '/oauth/nothing']) {
      for (const method of ['GET', 'POST', 'DELETE', 'BREW']) server.call(`${method} ${path}`);
    }
    expect(traces(server)).toBe(before);
  },
);

test('a visitor without a cookie sees no request of another visitor in the journal', () => {
  const { call } = openServer({ ...own });
  call('GET /api/users/1?query=secret');
  call('POST /api/orders/', { channel: 1, user: 1, currency: 'EUR' });
  expect(call('GET /_backlot/journal').body).toEqual({ dropped: 0, entries: [] });
  expect(call('GET /_backlot/journal/count').body).toEqual({ count: 0, dropped: 0 });
  expect(call('POST /_backlot/journal/find', {}).body).toEqual({ dropped: 0, entries: [] });
});

test('a token requested by GET without a cookie belongs to the session of the visitor', () => {
  const { call } = openServer({ ...own, scenario: 'authenticated' });
  const issued = call(`GET /oauth/v2/token?${credentials}`);
  expect(issued.status).toBe(200);
  const cookie = issued.headers['set-cookie']?.split(';', 1)[0] ?? '';
  expect(cookie).toContain(issued.headers['x-backlot-session']);
  const authorization = `Bearer ${issued.body.access_token}`;
  expect(call('GET /api/users/1', undefined, { authorization, cookie }).status).toBe(200);
  expect(call('GET /api/users/1', undefined, { authorization }).status).toBe(401);
});

test('a visitor without a cookie gets the response of a new session', () => {
  const { call } = openServer({
    ...own,
    faults: [{ match: { path: '/api/users/:user_id' }, first: 1, status: 503 }],
  });
  expect(call('GET /api/users/1').status).toBe(503);
  expect(call('GET /api/users/1').status).toBe(503);
  const cookie = 'backlot-session=ada';
  expect(call('GET /api/users/1', undefined, { cookie }).status).toBe(503);
  expect(call('GET /api/users/1', undefined, { cookie }).status).toBe(200);
});

test('sessions by cookie require newName', () => {
  expect(() => openServer({ sessions: 'own' })).toThrow(
    "sessions: 'own' requires newName, which makes random names.",
  );
});

test('without sessions by cookie, the shared journal records requests', () => {
  const { call } = openServer();
  call('GET /api/users/1');
  expect(call('GET /_backlot/journal/count').body.count).toBe(1);
});

test('due events of the shared back office persist after a read', () => {
  const server = openServer({ ...own, clock: 'ticking' });
  const cart = server.shared.db.orders.all().find(({ state }) => state === 'cart');
  server.pass(4 * 3600);
  expect(server.call(`GET /api/orders/${cart?.id}`).body.state).toBe('abandoned');
  expect(server.shared.db.orders.get(cart?.id ?? 0)?.state).toBe('abandoned');
});
