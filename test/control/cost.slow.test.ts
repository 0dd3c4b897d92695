import { expect, test } from 'vitest';
import { openOffice } from '../support/office.ts';
import { put } from '../support/checkout-steps.ts';
import { openServer } from '../support/server.ts';

const { call } = openServer();
const json = { 'content-type': 'application/json' };

/** Returns an export with only these tables. */
function fileOf(tables: object): object {
  return {
    format: 'backlot',
    version: 1,
    scenario: 'default',
    seed: 1,
    now: '2026-03-02T09:00:00+0000',
    clock: 'frozen',
    settings: {},
    tables,
  };
}

/** Returns objects of 900 names each, all of them different. */
function manyNames(): Record<string, unknown> {
  const objects = Array.from({ length: 23 }, (_, at) =>
    Object.fromEntries(Object.entries(named(900)).map(([name, value]) => [`${name}b${at}`, value])),
  );
  return { users: { next_id: 1, rows: objects } };
}

function named(count: number, value: unknown = 0): Record<string, unknown> {
  return Object.fromEntries(Array.from({ length: count }, (_, at) => [`a${at}`, value]));
}

test('an import of 130,000 rows of 0 is rejected with a hundred issues', () => {
  const rows = Array.from({ length: 130_000 }, () => 0);
  const { status, body } = call('POST /_backlot/import', fileOf({ users: { next_id: 1, rows } }));
  expect(status).toBe(400);
  expect(body.errors.errors).toEqual(['and 129,900 more']);
  const listed = body.errors.children.tables.children.users.children.rows.children;
  expect(Object.keys(listed)).toHaveLength(100);
  expect(listed[99].errors).toEqual(['Invalid input: expected object, received number']);
  expect(JSON.stringify(body).length).toBeLessThan(10_000);
});

test('an import with more values than its length allows is rejected', () => {
  const rows = Array.from({ length: 250_000 }, () => 0);
  const { status, body } = call(
    'POST /_backlot/import',
    fileOf({ users: { next_id: 1, rows } }),
    json,
  );
  expect(status).toBe(400);
  expect(body.message).toMatch(/: the body has more than 200,000 values$/);
});

test('an import that is cut off in a long list is rejected before it is parsed', () => {
  const { status, body } = call('POST /_backlot/import', `{"a":[${'1,'.repeat(250_000)}`, json);
  expect(status).toBe(400);
  expect(body.message).toMatch(/: the body has more than 200,000 values$/);
});

test('office.import of rows of 0 throws the first issues and the number of the others', () => {
  const rows = Array.from({ length: 12_500 }, () => ({}));
  const file = fileOf({ users: { next_id: 1, rows: [], gone: rows } });
  expect(() => openOffice().import(file)).toThrow(
    /tables\.users\.gone\.99\.id: .*\n {2}and 12,400 more$/,
  );
});

test.each([
  [
    'unknown tables',
    fileOf(named(900)),
    /Unrecognized tables: "a0", "a1", .*, "a9" and 890 more; known: addresses, /,
  ],
  [
    'an object of many names',
    fileOf(named(1001)),
    /the body has an object of more than 1,000 members/,
  ],
  ['many different names', fileOf(manyNames()), /the body has more than 20,000 different names/],
])('an import with %s is rejected', (_, file, message) => {
  const { status, body } = call('POST /_backlot/import', file, json);
  expect(status).toBe(400);
  expect(body.message).toMatch(message);
});

test.each([
  ['fields', { id: 1, ...named(100) }, 'There are 101 values, at most 100 are accepted.'],
  [
    'ids',
    { id: 1, name: 'a', type: 'country', members: Array.from({ length: 5001 }, () => 1) },
    'There are 5,001 values, at most 5,000 are accepted.',
  ],
])('an imported record with too many %s is rejected', (_, row, message) => {
  const { status, body } = call(
    'POST /_backlot/import',
    fileOf({ zones: { next_id: 2, rows: [row] } }),
    json,
  );
  expect(status).toBe(400);
  const { rows } = body.errors.children.tables.children.zones.children;
  expect(rows.children[0].errors).toEqual([message]);
});

test.each(['application/x-www-form-urlencoded', 'text/plain', ''])(
  "an import with the content type '%s' is rejected with the required one",
  (type) => {
    const text = JSON.stringify(fileOf({}));
    const { status, body } = call('POST /_backlot/import', text, { 'content-type': type });
    expect(status).toBe(415);
    expect(body.message).toMatch(/send it with the content-type application\/json\.$/);
  },
);

test.each(['find', 'verify', 'wait'])(
  'journal/%s with 60,000 conditions is rejected with the limit',
  (way) => {
    const { status, body } = call(`POST /_backlot/journal/${way}`, { body: named(60_000) }, json);
    expect(status).toBe(400);
    expect(body.message).toBe('Parameters cannot be read: the body has more than 20,000 values');
  },
);

test.each([{ shipments: named(101) }, named(101)])(
  'a journal search for 101 parameters is rejected with the limit',
  (body) => {
    for (const reached of [true, false]) {
      const answer = call('POST /_backlot/journal/verify', { body, reached }, json);
      expect(answer.status).toBe(400);
      expect(JSON.stringify(answer.body)).toContain(
        'There are 101 parameters, at most 100 are accepted.',
      );
    }
  },
);

test('a record of a scenario with too many values is rejected as one of an export is', () => {
  const rows = [
    { id: 1, name: 'a', type: 'country', members: Array.from({ length: 5001 }, () => 1) },
  ];
  const changes = { since: '2026-03-02T09:00:00+0000', tables: { zones: { next_id: 2, rows } } };
  const scenario = { name: 'mine', description: 'Mine', extends: 'default', changes };
  const { status, body } = call('POST /_backlot/import', scenario, json);
  expect(status).toBe(400);
  expect(JSON.stringify(body)).toContain('There are 5,001 values, at most 5,000 are accepted.');
});

test('a journal search for 100 parameters is accepted', () => {
  const filter = { body: { shipments: named(100) } };
  expect(call('POST /_backlot/journal/find', filter, json)).toMatchObject({
    status: 200,
    body: { entries: [] },
  });
});

test('the error of a failed verification shows at most twenty conditions', () => {
  const server = openServer();
  put(server.call, 107, { shipments: {} });
  const { body } = server.call('POST /_backlot/journal/verify', {
    request: 'PUT /api/checkouts/:order_id',
    body: { shipments: named(90) },
  });
  expect(body.message.match(/ - 0\n/g)).toHaveLength(20);
  expect(body.message).toContain('and 70 more');
});

test('a fault with 900 unknown parameters is rejected with one issue', () => {
  const rule = { status: 503, match: { parameters: named(900) } };
  const { status, body } = call('POST /_backlot/faults', rule, json);
  expect(status).toBe(400);
  expect(body.errors.children.match.children).toEqual({
    parameters: { errors: ['There are 900 parameters, at most 100 are accepted.'] },
  });
});

test('a fault with more than a hundred headers is rejected', () => {
  const { status, body } = call('POST /_backlot/faults', { status: 503, headers: named(101, 'a') });
  expect(status).toBe(400);
  expect(body.errors.children.headers.errors).toEqual([
    '101 headers were sent, at most 100 are accepted.',
  ]);
});

test('the body of a fault can be any JSON value', () => {
  const server = openServer();
  const sent = [null, true, 1.5, 'text', [], {}, [[{ a: [{ b: null }] }]]];
  expect(server.call('POST /_backlot/faults', { status: 503, body: sent }).status).toBe(201);
  expect(server.call('GET /api/orders/').body).toEqual(sent);
  for (const body of [() => 1, Number.NaN, [undefined], { at: new Date(0) }, 1n]) {
    expect(() => openOffice().faults.add({ status: 503, body })).toThrow(/expected JSON/);
  }
});

test.each([
  ['faults', { delay: 0 }, 'faults'],
  ['script', { on: 'create', delay: 0 }, 'scripts'],
])('POST /_backlot/%s accepts at most a thousand rules', (name, rule, rules) => {
  const server = openServer();
  for (let at = 0; at < 1000; at++) {
    expect(server.call(`POST /_backlot/${name}`, rule).status).toBe(201);
  }
  expect(server.call(`POST /_backlot/${name}`, rule)).toMatchObject({
    status: 429,
    body: { message: `There are 1,000 ${rules}, the maximum; remove one first.` },
  });
});

test('a fault that matches a hundred query parameters applies', () => {
  const server = openServer();
  const parameters = Object.fromEntries(
    Array.from({ length: 100 }, (_, at) => [`page.a${at}`, String(at)]),
  );
  expect(server.call('POST /_backlot/faults', { status: 503, match: { parameters } }).status).toBe(
    201,
  );
  const query = Array.from({ length: 100 }, (_, at) => `page[a${at}]=${at}`).join('&');
  expect(server.call(`GET /api/orders/?${query}`).status).toBe(503);
  expect(server.call(`GET /api/orders/?${query}0`).status).toBe(400);
});

test('an error repeats at most ten unknown names', () => {
  const { body } = call('POST /_backlot/journal/find', named(12_400), json);
  expect(body.errors.errors).toEqual([
    expect.stringMatching(/^Unrecognized keys: "a0", .*"a9" and 12,390 more; known: request, /),
  ]);
});

test('an order accepts at most 20,000 pieces', () => {
  const server = openServer();
  server.call('POST /api/orders/', { channel: 1, user: 1, currency: 'EUR' });
  const add = (quantity: number) =>
    server.call('POST /api/orders/121/items/', { variant: 7, unitPrice: 1, quantity });
  expect(add(10_000).status).toBe(201);
  expect(add(10_000).status).toBe(201);
  expect(add(1)).toMatchObject({
    status: 400,
    body: {
      errors: {
        children: {
          quantity: {
            errors: ['Order 121 would have 20,001 pieces, at most 20,000 are accepted.'],
          },
        },
      },
    },
  });
});

test('a server that was warmed up has no session and responds as before', { tags: 'long' }, () => {
  const cold = openServer();
  const warm = openServer();
  for (const _ of warm.sessions.warmUp());
  expect(warm.call('GET /_backlot/sessions').body).toEqual({ sessions: [], dropped: [] });
  for (const scenario of ['sale', 'flaky', 'default']) {
    for (const server of [cold, warm]) server.call('POST /_backlot/reset', { scenario });
    expect(warm.call('GET /api/orders/?limit=1000')).toEqual(
      cold.call('GET /api/orders/?limit=1000'),
    );
  }
});
