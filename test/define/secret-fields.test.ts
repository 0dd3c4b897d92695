import { expect, test } from 'vitest';
import { extendApi, field, resource, storeApi } from '../../src/define.ts';
import { createBackOffice } from '../../src/index.ts';
import { openOffice } from '../support/office.ts';
import { openServer } from '../support/server.ts';

const secret = { secret: true } as const;

/** Secrets in each place that has fields, all with names that say nothing. */
const api = extendApi(
  extendApi(storeApi, {
    fields: { users: { badge: field.text({ ...secret, optional: true }) } },
    resources: {
      devices: resource({
        singular: 'device',
        fields: {
          name: field.text(),
          code: field.text(secret),
          shown: field.computed((device: { code: string }) => device.code, field.text(secret)),
        },
        endpoints: {
          'POST /:id/open': {
            summary: 'Open a device',
            body: { word: field.text(secret) },
            answer: 'Device',
            status: 200,
            handle: ({ record }) => record,
          },
        },
      }),
    },
  }),
  {
    rules: {
      'POST /api/devices/': {
        body: { proof: field.text(secret) },
        check: ({ body, issue }) => (body.proof.endsWith('no') ? [issue('proof', 'Wrong.')] : []),
      },
    },
  },
);

const values = ['badge-a1b2', 'code-c3d4', 'word-e5f6', 'proof-7788', 'code-9900', 'proof-no'];

/** Sends each secret, and returns the responses. */
function sendAll(call: ReturnType<typeof openServer>['call']): unknown[] {
  const [badge, code, word, proof, changed, wrong] = values;
  return [
    call('PATCH /api/users/1', { badge }),
    call('GET /api/users/1'),
    call('POST /api/devices/', { name: 'Door', code, proof }),
    call('POST /api/devices/', { name: 'Door', code, proof: wrong }),
    call('POST /api/devices/', `name=Form&code=${code}&proof=${proof}`, {
      'content-type': 'application/x-www-form-urlencoded',
    }),
    call('PUT /api/devices/1', { name: 'Gate', code: changed }),
    call('POST /api/devices/1/open', { word }),
    call('GET /api/devices/'),
  ];
}

/** The control endpoints that show what was sent and stored. */
const shown = [
  'journal',
  'journal?view=summary',
  'journal/export?as=har',
  'journal/export?as=vitest',
  'history',
  'timeline',
  'trace',
  'tables/users',
  'tables/devices',
  'tables/devices/1',
  'tables/devices/1/history',
  'tables/users/1/history',
  'events?since=0',
  ...Array.from({ length: 8 }, (_, at) => `journal/${at + 1}`),
  ...Array.from({ length: 8 }, (_, at) => `journal/${at + 1}/why`),
  ...Array.from({ length: 8 }, (_, at) => `journal/${at + 1}/as?format=curl`),
];

test('the values of secret fields are in responses, and in nothing that is recorded or shown', () => {
  const { call, shared } = openServer({ api, history: true });
  const answers = JSON.stringify(sendAll(call));
  expect(answers).toContain('badge-a1b2');
  expect(answers).toContain('"shown":"code-9900"');
  const found = new Map(shown.map((path) => [path, call(`GET /_backlot/${path}`)] as const));
  for (const [path, { body }] of found) {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    for (const value of values) expect(text, path).not.toContain(value);
  }
  const statuses = [...found.values()].map(({ status }) => status);
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(24);
  const { history } = shared;
  const all = [history.trace(), history.entries({}), history.export({ as: 'har' })];
  for (const value of values) expect(JSON.stringify(all)).not.toContain(value);
});

test('an export of the back office has the values of secret fields, and opens again with them', () => {
  const { call, shared } = openServer({ api });
  sendAll(call);
  const file = shared.export();
  expect(JSON.stringify(file)).toContain('code-9900');
  const other = createBackOffice({ api });
  other.import(file);
  expect(other.export()).toEqual(file);
});

test('a trace tells secrets of a field apart, and a trace opens with its masks', () => {
  const { call, shared } = openServer({ api, history: true });
  sendAll(call);
  const trace = shared.history.trace();
  const other = createBackOffice({ api });
  other.import(trace);
  expect(other.db.devices.all().map(({ name }) => name)).toEqual(['Gate', 'Form']);
  const codes = other.db.devices.all().map(({ code }) => code);
  expect(new Set(codes).size).toBe(2);
  expect(codes.every((code) => code.startsWith('***'))).toBe(true);
});

test('tokens of the store are in no trace, change or table', async () => {
  const { call, shared } = openServer({ history: true });
  const login = 'client_id=demo_client&client_secret=secret_demo_client&grant_type=password';
  const { body } = call('POST /oauth/v2/token', `${login}&username=api@example.com&password=api`, {
    'content-type': 'application/x-www-form-urlencoded',
  });
  expect(body.access_token).toMatch(/^[\w-]{40,}$/);
  const all = [
    'tables/tokens',
    'journal',
    'history',
    'timeline',
    'trace',
    'tables/tokens/1/history',
  ];
  const texts = all.map((path) => JSON.stringify(call(`GET /_backlot/${path}`).body));
  const text = JSON.stringify([...texts, shared.history.trace(), shared.history.entries({})]);
  expect(text).not.toContain(body.access_token);
  expect(text).not.toContain(body.refresh_token);
  const [token] = shared.db.tokens.all();
  expect(shared.db.tokens.all().map(({ value }) => value)).toContain(body.access_token);
  expect(call(`GET /_backlot/tables/tokens?where[value]=${token?.value}`).status).toBe(400);
});

test('a secret field is no filter, because URLs would have its values', () => {
  const code = field.text({ secret: true, filter: true });
  expect(() =>
    extendApi(storeApi, { resources: { keys: resource({ singular: 'key', fields: { code } }) } }),
  ).toThrow('resources.keys.fields.code: is secret: lists cannot be filtered or sorted by it');
  const { call } = openOffice({ api });
  return expect(call('GET /api/devices/?criteria[code]=x')).resolves.toMatchObject({ status: 400 });
});

test('a journal filter on a secret field is rejected, unless an endpoint has a field of this name that is not', () => {
  const { journal } = createBackOffice({ api });
  for (const filter of [
    { body: { badge: 'badge-a1b2' } },
    { body: { proof: 'proof-7788' } },
    { request: 'POST /api/devices/', body: { code: 'code-c3d4' } },
    { request: '/api/devices/:id/open', body: { word: 'word-e5f6' } },
  ])
    expect(() => journal.entries(filter)).toThrow(/Secrets such as \w+ are not recorded/);
  expect(journal.entries({ body: { code: 'DUB' } })).toEqual([]);
  expect(journal.entries({ request: 'POST /api/devices/', body: { name: 'Door' } })).toEqual([]);
});
