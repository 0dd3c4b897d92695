import { expect, test, vi } from 'vitest';
import { extendApi, fault, field, storeApi } from '../../src/define.ts';
import { createBackOffice } from '../../src/index.ts';

const getJson = async (office: Pick<ReturnType<typeof createBackOffice>, 'fetch'>, path: string) =>
  (await (await office.fetch(path)).json()) as unknown;

const api = extendApi(storeApi, {
  faults: {
    maintenance: fault({
      description: 'Respond with a page instead of JSON',
      value: field.text(),
      replaces: true,
      apply: ({ value }) => ({
        status: 503,
        headers: { 'content-type': 'text/html', 'retry-after': '3600' },
        body: `<h1>Closed until ${value}</h1>`,
      }),
    }),
    renamed: fault({
      value: field.flag(),
      apply: ({ response }) => ({
        ...response,
        body: { ...(response.body as object), kind: 'order', id: undefined },
      }),
    }),
    cutAt: fault({
      value: field.integer({ min: 1, max: 5000 }),
      apply: ({ response, value }) => ({
        ...response,
        text: JSON.stringify(response.body).slice(0, value),
      }),
    }),
    lottery: fault({
      value: field.integer({ min: 1 }),
      apply: ({ response, value, random }) => ({
        ...response,
        body: { ticket: Math.floor(random() * value) },
        delay: 20,
      }),
    }),
    broken: fault({ value: field.flag(), apply: () => ({ status: 42, headers: {} }) }),
  },
});

async function draw(seed: number): Promise<unknown[]> {
  const office = createBackOffice({ api, seed });
  office.faults.add({ match: { path: '/api/orders/*' }, lottery: 1_000_000 });
  return [await getJson(office, '/api/orders/1'), await getJson(office, '/api/orders/1')];
}

const define = (faults: object) => () => extendApi(storeApi, { faults: faults as never });
const apply = () => ({ status: 200, headers: {} });

test('a kind of fault of the definition replaces or changes responses, by rules and by Prefer', async () => {
  const office = createBackOffice({ api });
  const { id } = office.faults.add({ match: { path: '/api/orders/:id' }, maintenance: 'noon' });
  expect(office.faults.list()[0]?.maintenance).toBe('noon');
  const closed = await office.fetch('/api/orders/1');
  expect([closed.status, closed.headers.get('retry-after')]).toEqual([503, '3600']);
  expect(await closed.text()).toBe('<h1>Closed until noon</h1>');
  expect(office.journal.entries().at(-1)?.faults).toEqual([id]);
  office.faults.clear();

  const changed = await office.fetch('/api/orders/1', { headers: { Prefer: 'renamed' } });
  expect(changed.headers.get('preference-applied')).toBe('renamed');
  const { id: _, ...original } = (await getJson(office, '/api/orders/1')) as { id: number };
  expect(await changed.json()).toEqual({ ...original, kind: 'order' });

  const refused = await office.fetch('/api/orders/1', { headers: { Prefer: 'renamed=banana' } });
  expect(await refused.text()).toContain(
    "Prefer: renamed must be a value such as true, not 'banana'",
  );
  office.faults.add({ corrupt: 'malformed', cutAt: 30, first: 1 });
  expect(await (await office.fetch('/api/orders/1')).text()).toBe('"<b>Warning</b>: headers alrea');

  const cut = await office.fetch('/api/orders/1', { headers: { Prefer: 'cutAt=7' } });
  expect(await cut.text()).toBe('{"id":1');
});

test('what the endpoint wrote is kept if its response is changed, and after says so otherwise', async () => {
  const office = createBackOffice({ api });
  const before = office.db.channels.count();
  const create = (prefer: string) =>
    office.fetch('/api/channels/', {
      method: 'POST',
      headers: { 'content-type': 'application/json', Prefer: prefer },
      body: JSON.stringify({ name: 'New', code: 'new', color: 'blue', currencies: [1] }),
    });
  expect((await create('maintenance=noon')).status).toBe(503);
  await create('renamed, after=false');
  expect(office.db.channels.count()).toBe(before);
  await create('renamed');
  expect(office.db.channels.count()).toBe(before + 1);
  await office.fetch(`/api/channels/${office.db.channels.all().at(-1)!.id}`, { method: 'DELETE' });
  expect((await create('maintenance=noon, after')).status).toBe(503);
  expect(office.db.channels.count()).toBe(before + 1);
});

test('random numbers follow from the seed', async () => {
  const [first, second] = await draw(1);
  expect(first).not.toEqual(second);
  expect(await draw(1)).toEqual([first, second]);
  expect(await draw(2)).not.toEqual([first, second]);
});

test('a value that its field does not allow is refused with what would be right', () => {
  const office = createBackOffice({ api });
  expect(() => office.faults.add({ cutAt: 0 })).toThrow('cutAt: This value should be 1 or more.');
  expect(() => office.faults.add({ maintenance: '' })).toThrow('maintenance: Expected a value');
  expect(() => office.faults.add({ cutAt: 'x' as never })).toThrow(
    'cutAt: This value is not valid.',
  );
  expect(() => office.faults.add({ maintenance: 'noon', status: 503 })).toThrow(
    'Only one of status, connection, limit and maintenance can be set.',
  );
  // @ts-expect-error a kind that the definition has not
  expect(() => office.faults.add({ cutFrom: 3 })).toThrow('Unrecognized key: "cutFrom"; known: m');
});

test('a fault that returns no response to send is a failure of the server', async () => {
  const print = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const office = createBackOffice({ api });
  office.faults.add({ match: { path: '/api/orders/*' }, broken: true });
  expect((await office.fetch('/api/orders/1')).status).toBe(500);
  expect(String(print.mock.calls)).toContain(
    'The fault broken returns a response that cannot be sent',
  );
  print.mockRestore();
});

test('scenarios, their schema, the control API and an extension of the extension know the kinds', async () => {
  const office = createBackOffice({
    api: extendApi(api, { fields: { users: { points: field.integer({ default: 0 }) } } }),
    scenario: {
      name: 'closed',
      description: 'Closed',
      faults: [{ maintenance: 'Monday' }],
    } as never,
  });
  expect((await office.fetch('/api/users/1')).status).toBe(503);
  const document = JSON.stringify(await getJson(office, '/_backlot/openapi.json'));
  expect(document).toContain('Respond with a page instead of JSON');
});

test('wrong kinds of fault are named with their place', () => {
  expect(define({ status: fault({ value: field.flag(), apply }) })).toThrow(
    'faults.status: exists already: it is a field of every fault',
  );
  expect(define({ 'cut-off': fault({ value: field.flag(), apply }) })).toThrow(
    'faults.cut-off: must be',
  );
  expect(define({ slow: fault({ value: field.ref('users'), apply }) })).toThrow(
    'faults.slow.value: must be a `text`, `integer`, `decimal`, `flag`, `time` or `oneOf`',
  );
  expect(define({ slow: fault({ value: field.flag() } as never) })).toThrow(
    'faults.slow.apply: must be a function',
  );
});
