import { storeApi } from '../../src/shop/store-api.ts';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { OrderedMap } from '../../src/engine/store/ordered-map.ts';
import { controlEndpoints } from '../../src/engine/control/endpoints/index.ts';
import { stateOf } from '../../src/engine/store/database.ts';
import { openServer, type TestServer } from '../support/server.ts';
import { runs } from '../support/runs.ts';

const endpoints = controlEndpoints(storeApi).map((row) => ({
  name: `${row.method} ${row.path}: ${row.summary}`,
  row,
}));

/** Opens a server with every record that the examples name. */
function prepared(): TestServer {
  const server = openServer({ newName: () => 'visitor', history: true });
  server.call('POST /_backlot/sessions', { name: 'ada' });
  server.call('POST /_backlot/snapshot', { name: 'before-payment' });
  server.call('POST /_backlot/script', { on: 'purchase', outcome: 'declined' });
  server.call('GET /api/orders/1');
  server.call('GET /api/users/1');
  server.call('POST /_backlot/faults', { status: 503, first: 1 });
  return server;
}

test.each(endpoints)('the example of $name returns its documented response', ({ row }) => {
  const server = prepared();
  if (row.path === '/_backlot/sessions' && row.method === 'POST') server.sessions.sessions.clear();
  if (row.path.endsWith('/:coupon')) {
    server.call('POST /_backlot/orders/120/coupons', { coupon: 'WELCOME10' });
  }
  const { status, body } = server.call(`${row.method} ${row.example.url}`, row.example.body);
  expect({ status, body }).toMatchObject({ status: row.status });
  if (row.answer === undefined) expect(body).toBeUndefined();
  else expect(row.answer.parse(body)).toEqual(body);
});

test('no path of the control API begins with /api', () => {
  expect(controlEndpoints(storeApi).filter(({ path }) => !path.startsWith('/_backlot/'))).toEqual(
    [],
  );
});

test('the control API treats HEAD, OPTIONS, wrong methods and unknown paths as the store API does', () => {
  const { call } = openServer();
  expect(call('HEAD /_backlot/clock')).toMatchObject({ status: 200, body: undefined });
  expect(call('OPTIONS /_backlot/clock').headers['allow']).toBe('GET, PUT, HEAD, OPTIONS');
  expect(call('POST /_backlot/clock')).toMatchObject({ status: 405 });
  expect(call('GET /_backlot/clocks').body.message).toBe(
    'Endpoint GET /_backlot/clocks not found. Did you mean GET /_backlot/clock?',
  );
});

test.each([
  ['GET /_backlot/stock/9999', undefined, 404, 'There is no variant 9999.'],
  ['GET /_backlot/orders?limit=1000', undefined, 400, 'This value should be 100 or less.'],
  ['PUT /_backlot/clock', {}, 400, 'Give now, advance or mode.'],
  ['PUT /_backlot/clock', { mode: 'slow' }, 400, 'Expected frozen or ticking.'],
  [
    'POST /_backlot/faults',
    { delay: 'soon' },
    400,
    'or a duration of at most 600s such as 2s or 500ms',
  ],
  ['POST /_backlot/faults', { match: { step: 1 }, status: 503 }, 400, 'expected one of'],
  ['POST /_backlot/faults', { match: { url: '/' }, status: 503 }, 400, 'known: method, path'],
  ['POST /_backlot/journal/find', { status: true }, 400, 'expected number or string'],
])('%s with %j is rejected with the accepted values', (line, sent, status, reason) => {
  const answer = openServer().call(line, sent);
  expect(answer.status).toBe(status);
  expect(JSON.stringify(answer.body)).toContain(reason);
});

test('an issue of a clock request is reported once', () => {
  const { body } = openServer().call('PUT /_backlot/clock', { mode: 'slow' });
  expect(JSON.stringify(body)).not.toContain('Give now');
});

const value = fc.oneof(
  fc.constantFrom('', ' ', '0', '-1', 'ada', 'default', 'PT1H', '2026-03-02', 'ä'.repeat(300)),
  fc.integer({ min: -5, max: 200 }),
  fc.double(),
  fc.boolean(),
  fc.constant(null),
  fc.jsonValue({ maxDepth: 3 }),
);
const writes = endpoints.filter(({ row }) => row.method !== 'GET');

test.each(writes)(
  'any body sent to $name gets a response, and a rejected one changes nothing',
  ({ row }) => {
    const server = prepared();
    const names = [...Object.keys(row.body?.children ?? {}), 'nothing', '__proto__'];
    const damaged = fc
      .tuple(fc.constantFrom(...names), value)
      .map(([name, damage]) => ({ ...row.example.body, [name]: damage }));
    const bodies = fc.oneof(fc.dictionary(fc.constantFrom(...names), value), damaged, value);
    const ids = fc.constantFrom('1', '0', '-1', '9999999', 'order', 'ada', 'x', '%00', '__proto__');
    fc.assert(
      fc.property(bodies, ids, (body, id) => {
        server.sessions.resetAll();
        const before = stateParts(server);
        const url = row.path.replaceAll(/:\w+/g, id);
        const { status, body: answer } = server.call(`${row.method} ${url}`, JSON.stringify(body));
        expect(status).toBeLessThan(500);
        if (status < 400) return;
        expect(answer).toMatchObject({ code: status, message: expect.any(String) });
        expect(stateParts(server).every((piece, at) => isSame(piece, before[at]))).toBe(true);
      }),
      { numRuns: runs(40) },
    );
  },
);

/** Whether two parts of a state are identical, or have identical rows: a rollback leaves other maps. */
function isSame(part: unknown, other: unknown): boolean {
  if (!(part instanceof OrderedMap && other instanceof OrderedMap)) return part === other;
  const [rows, others] = [part.slice(), other.slice()];
  return rows.length === others.length && rows.every((row, at) => row === others[at]);
}

/** Returns the parts of the state, which are the same if nothing was written. */
function stateParts({ sessions: { shared, sessions } }: TestServer): unknown[] {
  const { shop, scenario, snapshots } = shared;
  const tables = Object.values(stateOf(shop.db)).flatMap(({ rows, deleted: gone, nextId }) => [
    rows,
    gone,
    nextId,
  ]);
  const { now, mode } = shop.clock.state;
  const counts = [snapshots.list().length, sessions.list().length];
  return [...tables, scenario, shop.settings, shop.seed, now, mode, ...counts];
}

test('additional stock fills backordered units', () => {
  const { call } = openServer({ scenario: 'backorders' });
  const waiting = call('GET /api/orders/?limit=1000').body._embedded.items.filter(
    ({ shipments }: { shipments: { state: string }[] }) =>
      shipments.some(({ state }) => state === 'backordered'),
  );
  expect(waiting).not.toEqual([]);
  for (const { id } of waiting) {
    for (const item of call(`GET /api/orders/${id}`).body.items) {
      for (const stockLocation of [1, 2, 3, 4]) {
        call('PUT /_backlot/stock', { stockLocation, variant: item.variant.id, onHand: 1000 });
      }
    }
    const states = call(`GET /api/orders/${id}`).body.shipments.map(
      ({ state }: { state: string }) => state,
    );
    expect(new Set(states)).toEqual(new Set(['ready']));
  }
});

test('the error of an impossible transition names the possible ones', () => {
  const { call } = openServer();
  const refused = call('POST /_backlot/transitions/order/3', { transition: 'ship' });
  expect(refused).toMatchObject({
    status: 400,
    body: {
      code: 400,
      message:
        'Cannot ship order 3: its state is shipped, not confirmed. Possible: POST /_backlot/transitions/order/3 {"transition":"return"}',
    },
  });
  const [, line = '', body = ''] = /Possible: (\S+ \S+) (.+)/.exec(refused.body.message) ?? [];
  expect(call(line, body).body.state).toBe('returned');
});

test('a coupon can be added to a cart and removed from it', () => {
  const { call } = openServer({ scenario: 'filled-cart' });
  const { id } = call('GET /api/orders/1').body;
  const put = call(`POST /_backlot/orders/${id}/coupons`, { coupon: 'WELCOME10' });
  expect(put).toMatchObject({ status: 200, body: { coupons: ['WELCOME10'] } });
  expect(call(`DELETE /_backlot/orders/${id}/coupons/WELCOME10`).status).toBe(204);
  expect(call(`DELETE /_backlot/orders/${id}/coupons/WELCOME10`).status).toBe(400);
  expect(call(`POST /_backlot/orders/${id}/coupons`, { coupon: 'NOPE' }).status).toBe(400);
  expect(call('POST /_backlot/orders/99999/coupons', { coupon: 'NOPE' }).status).toBe(404);
});

test.each([
  ['order', 105, 'confirmed', 'cancel', 'cancelled'],
  ['payment', 2, 'completed', 'refund', 'refunded'],
  ['shipment', 70, 'ready', 'ship', 'shipped'],
  ['inventory_unit', 1, 'sold', 'return', 'returned'],
])('%s %i in state %s accepts the transition %s over HTTP', (machine, id, from, transition, to) => {
  const { call } = openServer();
  const path = `/_backlot/transitions/${machine}/${id}`;
  expect(call(`GET ${path}`).body).toMatchObject({ machine, id, state: from });
  expect(call(`POST ${path}`, { transition })).toMatchObject({ status: 200, body: { state: to } });
  expect(call(`POST ${path}`, { transition }).status).toBe(400);
  expect(call(`GET ${path}`).body.state).toBe(to);
});
