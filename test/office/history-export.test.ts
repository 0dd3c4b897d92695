import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { expect, test } from 'vitest';
import { createBackOffice, type BackOfficeFile } from '../../src/index.ts';
import { declinedCard, put } from '../support/checkout-steps.ts';
import { harSchema } from '../support/har-schema.ts';
import { openOffice, type Office } from '../support/office.ts';
import { sample } from '../support/runs.ts';

const cart = { channel: 1, user: 1, currency: 'EUR' };
const card = { ...declinedCard, securityCode: '987', expiryMonth: 11, expiryYear: 2031 };

/** An export without the name of its scenario. */
function stateOf(office: { export(): BackOfficeFile }): Omit<BackOfficeFile, 'scenario'> {
  const { scenario: _, ...state } = office.export();
  return state;
}

async function writeMuch(office: Office): Promise<void> {
  const { call } = office;
  await call('POST /api/orders/', cart);
  await call('POST /api/orders/121/items/', { variant: 7, quantity: 2, unitPrice: 500 });
  await call('DELETE /api/users/22');
  await call('DELETE /api/orders/121');
  await call('POST /_backlot/given/anOrder', { at: 'completed' });
  office.clock.advance('P1D');
  await call('PATCH /api/users/1', { plainPassword: 'open-sesame' });
  office.faults.add({ status: 503, first: 1 });
  office.script.add({ on: 'purchase', outcome: 'declined', first: 2 });
  office.db.currencies.clear();
  await call('GET /api/users/1');
}

test.each(sample(['default', 'empty', 'flaky', 'sale', 'authenticated'] as const, 1))(
  'a scenario that a history of %s exports opens to the state after each entry',
  async (scenario) => {
    const office = openOffice({ scenario, history: true });
    const states = new Map<number, object>();
    office.on(({ id }) => void states.set(id, stateOf(office)));
    await writeMuch(office);
    const now = JSON.stringify(office.export());
    const ids = office.history.entries().map(({ id }) => id);
    expect(ids.length).toBeGreaterThan(5);
    for (const to of ids) {
      const file: unknown = JSON.parse(
        JSON.stringify(office.history.export({ as: 'scenario', to })),
      );
      const opened = createBackOffice({ scenario: file as never });
      expect(stateOf(opened)).toEqual(states.get(to));
    }
    expect(JSON.stringify(office.export())).toBe(now);
  },
);

test('an exported scenario keeps other options: seed, start time, settings, scenarios of users', async () => {
  const office = openOffice({
    history: true,
    seed: 7,
    now: '2027-01-05T10:00:00+0000',
    settings: { declinedStatus: 402, cartLifetime: 'PT1H' },
    faults: [{ delay: 5 }],
    scenario: { name: 'mine', description: 'Mine', extends: 'filled-cart' },
  });
  await writeMuch(office);
  const scenario = office.history.export({ as: 'scenario' });
  expect(scenario.extends).toBe('empty');
  const opened = createBackOffice({ scenario });
  expect(stateOf(opened)).toEqual(stateOf(office));
  office.reset('sale');
  expect(office.history.export({ as: 'scenario' }).extends).toBe('sale');
  expect(
    stateOf(createBackOffice({ scenario: office.history.export({ as: 'scenario' }) })),
  ).toEqual(stateOf(office));
});

test('an exported scenario can be reset to, extended and exported again', async () => {
  const office = openOffice({ history: true });
  await office.call('POST /api/orders/', cart);
  const scenario = office.history.export({ as: 'scenario' });
  expect(scenario).toMatchObject({ name: 'default-after-1', extends: 'default' });
  expect(JSON.stringify(scenario).length).toBeLessThan(2000);
  const opened = openOffice({ scenario, history: true });
  const start = opened.export();
  await opened.call('DELETE /api/orders/121');
  const again = createBackOffice({ scenario: opened.history.export({ as: 'scenario' }) });
  expect(stateOf(again)).toEqual(stateOf(opened));
  opened.reset();
  expect(opened.export()).toEqual(start);
});

test.each([
  [
    { changes: { since: '2026-03-02T09:00:00+0000', tables: {} } },
    'requires the scenario to change',
  ],
  [
    { extends: 'default', orders: [], changes: { since: '2026-03-02T09:00:00+0000', tables: {} } },
    'orders: cannot be combined with changes',
  ],
  [
    {
      extends: 'default',
      changes: {
        since: '2026-03-02T09:00:00+0000',
        tables: { users: { next_id: 3, rows: [{ id: 3, username: 4 }] } },
      },
    },
    'scenario mine: users: record 1 (id 3) does not match the schema: ',
  ],
])('a scenario with invalid changes is rejected, case %#', (fields, message) => {
  const scenario = { name: 'mine', description: 'Mine', ...fields } as never;
  expect(() => createBackOffice({ scenario })).toThrow(message);
});

test('an export has no secret of a request, in any format', async () => {
  const office = openOffice({ history: true });
  const { call } = office;
  const { body } = await call('POST /_backlot/given/anOrder', { at: 'finalize' });
  await put(call, body.id, card);
  await call('PATCH /api/users/1', { plainPassword: 'open-sesame' });
  await call('GET /api/users/?access_token=open-sesame', undefined, {
    authorization: 'Bearer open-sesame',
    cookie: 'sid=open-sesame',
  });
  const ids = office.history.entries().flatMap(({ id, by }) => (by === 'request' ? [id] : []));
  const texts = [
    JSON.stringify(office.history.export({ as: 'har' })),
    JSON.stringify(office.history.export({ as: 'scenario' })),
    office.history.export({ as: 'vitest' }),
    ...ids.flatMap((id) => [office.history.as(id, 'curl'), office.history.as(id, 'fetch')]),
  ];
  for (const text of texts) {
    expect(text).not.toContain('open-sesame');
    expect(text).not.toMatch(/"(987|2031)"/);
  }
  expect(office.history.as(ids[0]!, 'curl')).toBe(
    `# Secrets are not recorded: replace SECRET-NOT-RECORDED.
curl -X PUT http://127.0.0.1:4000/api/checkouts/${body.id} \\
  -H 'content-type: application/json' \\
  --data-raw '{"type":"visa","cardholderName":"SECRET-NOT-RECORDED","number":"SECRET-NOT-RECORDED","securityCode":"SECRET-NOT-RECORDED","expiryMonth":"SECRET-NOT-RECORDED","expiryYear":"SECRET-NOT-RECORDED"}'`,
  );
  expect(office.history.as(ids[2]!, 'fetch')).toContain('users/?access_token=SECRET-NOT-RECORDED"');
});

test('a HAR of a history is valid and has its requests with what they changed', async () => {
  const office = openOffice({ history: true });
  await writeMuch(office);
  office.faults.add({ connection: 'drop', first: 1 });
  await office.call('GET /api/users/1').catch(() => undefined);
  await office.call('POST /api/orders/', 'channel=1&user=1&currency=EUR', {
    'content-type': 'application/x-www-form-urlencoded',
  });
  const har = office.history.export({ as: 'har', address: 'https://shop.test/backend' });
  const ajv = new Ajv({ allErrors: true });
  addFormats.default(ajv);
  expect(ajv.validate(harSchema, har), ajv.errorsText()).toBe(true);
  const requests = office.history.entries().filter(({ by }) => by === 'request');
  expect(har.log.entries.map(({ _id }) => _id)).toEqual(requests.map(({ id }) => id));
  expect(har.log.entries[0]).toMatchObject({
    request: { method: 'POST', url: 'https://shop.test/backend/api/orders/' },
    response: { status: 201, statusText: 'Created' },
    _changes: [{ table: 'orders', id: 121, kind: 'add' }],
  });
  expect(har.log.entries.at(-2)!.response.status).toBe(0);
  expect(har.log.entries.at(-1)!.request.postData).toEqual({
    mimeType: 'application/x-www-form-urlencoded',
    text: 'channel=1&user=1&currency=EUR',
  });
});

test('each entry of a HAR can be sent again: its headers fit the text of its body', async () => {
  const form = new FormData();
  form.set('code', 'ATTIC');
  form.set('name', 'Zoë & Co');
  const fields = new URLSearchParams({ code: 'CELLAR', name: 'a b+c' });
  const zipped = new Blob([JSON.stringify({ code: 'YARD', name: 'Yard' })])
    .stream()
    .pipeThrough(new CompressionStream('gzip'));
  const office = createBackOffice({ history: true });
  const json = { 'content-type': 'application/json' };
  const gzip = { ...json, 'content-encoding': 'gzip' };
  for (const init of [
    { body: form },
    { body: fields },
    { body: await new Response(zipped).arrayBuffer(), headers: gzip },
    { body: '{"code":"SHED","name":"Shed"}', headers: { ...json, 'content-length': '99' } },
  ])
    expect((await office.fetch('/api/stock-locations/', { method: 'POST', ...init })).status).toBe(
      201,
    );
  const other = createBackOffice();
  const { entries } = office.history.export({ as: 'har' }).log;
  expect(entries).toHaveLength(4);
  for (const { request, response } of entries) {
    const headers = request.headers.map(({ name, value }): [string, string] => [name, value]);
    const body = request.postData?.text ?? '';
    const length = new Map(headers).get('content-length') ?? `${new Blob([body]).size}`;
    expect(length).toBe(`${new Blob([body]).size}`);
    const { pathname } = new URL(request.url);
    const { status } = await other.fetch(pathname, { method: 'POST', headers, body });
    expect({ body, status }).toEqual({ body, status: response.status });
  }
});

test('ranges that do not exist or are not kept are rejected', async () => {
  const office = openOffice({ history: { maxEntries: 2 } });
  for (let times = 0; times < 4; times++) await office.call('POST /api/orders/', cart);
  office.clock.advance('PT1S');
  const { history } = office;
  const took = (options: object) => () => history.export({ as: 'vitest', ...options });
  expect(took({ from: 9 })).toThrow('Entry #9 of the history not found.');
  expect(took({ from: 4, to: 3 })).toThrow('to: 3 must be at least 4');
  expect(took({ from: 1 })).toThrow('changes are kept from entry #4 on');
  expect(took({})()).toContain('entries #4 to #5 of default');
  expect(() => history.as(5, 'curl')).toThrow('Entry #5 of the history is not a request.');
  expect(() => createBackOffice().history.export({ as: 'har' })).toThrow('no entries to export');
  const off = openOffice();
  await off.call('POST /api/orders/', cart);
  expect(stateOf(createBackOffice({ scenario: off.history.export({ as: 'scenario' }) }))).toEqual(
    stateOf(off),
  );
  await off.call('POST /api/orders/', cart);
  expect(() => off.history.export({ as: 'scenario', to: 1 })).toThrow('The history is off.');
});
