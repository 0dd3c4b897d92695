import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createBackOffice } from '../../src/index.ts';
import { openOffice, type Office } from '../support/office.ts';
import { runs } from '../support/runs.ts';

const cart = { channel: 1, user: 1, currency: 'EUR' };
const ship = { transition: 'ship' };

async function poll(office: Office, times: number): Promise<void> {
  for (let time = 0; time < times; time++) await office.call('GET /api/orders/119');
}

async function complete(office: Office): Promise<void> {
  for (let step = 0; step < 5; step++) await office.call('POST /_backlot/orders/119/next', {});
}

const ids = (all: Pick<Office, 'history'>) => all.history.entries().map(({ id }) => id);

test('thousands of reads push no change out of the history', async () => {
  const office = openOffice({ history: true });
  const before = await office.call('GET /_backlot/orders/119');
  await complete(office);
  const { body: view } = await office.call('GET /_backlot/orders/119/view');
  const reads = runs(10_000);
  await poll(office, reads);
  expect((await office.call('GET /_backlot/orders/119/view')).body).toEqual(view);
  expect((await office.call('GET /_backlot/orders/119?at=0')).body.order).toEqual(
    before.body.order,
  );
  const { body } = await office.call('GET /_backlot/timeline');
  expect(body).toMatchObject({ position: 5, of: 5, undo: { id: 5 }, changesFrom: 1 });
  expect(body.entriesFrom).toBe(5 + reads - 500 + 1);
  const { summaries } = (await office.call('GET /_backlot/journal?view=summary&limit=1000')).body;
  expect(summaries).toHaveLength(505);
  expect(office.journal.count()).toBe(500);
  office.rewind(1, 'before');
  expect((await office.call('GET /_backlot/orders/119')).body.order).toEqual(before.body.order);
});

test('reads that a rule counts push no change out, and a rewind restores the counts of before them', async () => {
  const office = openOffice({ history: { maxEntries: 3 }, settings: { journalSize: 5 } });
  office.faults.add({ match: { method: 'GET' }, status: 503, first: 2 });
  await office.call('POST /api/orders/', cart);
  const then = office.export();
  await poll(office, 40);
  await office.call('POST /api/orders/', cart);
  expect(office.faults.list()[0]?.matched).toBe(40);
  expect(office.history.reach.changesFrom).toBe(1);
  office.rewind(2, 'after');
  expect(office.export()).toEqual(then);
});

test('a history records changes without a journal', async () => {
  const office = openOffice({ history: true, settings: { journalSize: 0 } });
  const before = office.export();
  await complete(office);
  await poll(office, 3);
  expect(office.history.entries().length).toBe(5);
  office.rewind(1, 'before');
  expect(office.export()).toEqual(before);
});

test('an entry before what is kept is refused wherever the past is read, with what is kept', async () => {
  const office = openOffice({ history: { maxEntries: 2 } });
  await complete(office);
  await poll(office, 600);
  const message =
    'The state after entry 1 is no longer known: changes are kept from entry 4 on, at most 2 changes and 32768 KiB. To keep more changes, raise maxEntries of the option history.';
  for (const line of ['GET /_backlot/orders/119?at=1', 'GET /_backlot/orders/119/why?at=1'])
    expect((await office.call(line)).body.message).toBe(message);
  expect(() => office.history.past('orders', 119, 1)).toThrow(message);
  expect(() => office.explain.order(119, 1)).toThrow(message);
  expect(() => office.rewind(1, 'after')).toThrow('Entry 1 of the history not found.');
  expect((await office.call('GET /_backlot/timeline')).body.changesFrom).toBe(4);
});

test('after a transition and its undo, no way says that it was taken', async () => {
  const office = openOffice({ history: true });
  await complete(office);
  office.journal.clear();
  await office.call('POST /_backlot/transitions/order/119', ship);
  office.rewind(office.history.entries().at(-1)!.id, 'before');
  const { entries, moves } = (await office.call('GET /_backlot/orders/119/view')).body;
  expect(moves).toEqual([]);
  const inEffect = entries.filter((entry: { readonly inEffect: boolean }) => entry.inEffect);
  expect(inEffect.flatMap((entry: { readonly moves: unknown[] }) => entry.moves)).toEqual([]);
  expect(office.explain.state('order', 119)).toMatchObject({ state: 'confirmed', moves: [] });
});

test('a trace of a history with reads that are no longer kept opens with the same changes', async () => {
  const office = openOffice({ history: true, settings: { journalSize: 10 } });
  office.faults.add({ match: { path: '/api/channels/*' }, status: 503 });
  for (let time = 0; time < 3; time++) {
    await office.call('PATCH /_backlot/tables/orders/119', { total: time });
    await poll(office, 15);
    await office.call('GET /api/channels/1');
    await office.call('GET /api/channels/1');
    await poll(office, 15);
  }
  // It leads to the state after a read that is not listed.
  office.rewind(office.history.of('orders', 119)[1]!.id, 'before');
  const opened = createBackOffice({ history: true });
  opened.import(JSON.parse(JSON.stringify(office.history.trace())));
  expect(opened.history.reach).toEqual(office.history.reach);
  expect(ids(opened)).toEqual(ids(office));
  for (const at of [3, 20, 40]) {
    const past = (all: Pick<Office, 'history'>) => all.history.past('orders', 119, at);
    expect(past(opened)).toEqual(past(office));
  }
});

/** What a reader of the past is told of an order at an entry. */
async function told(office: Office, at?: number): Promise<Record<string, unknown>> {
  const query = at === undefined ? '' : `?at=${at}`;
  const [past, why] = await Promise.all([
    office.call(`GET /_backlot/orders/119${query}`),
    office.call(`GET /_backlot/orders/119/why${query}`),
  ]);
  const { message, moves: _, ...body } = past.body;
  return { past: message === undefined ? body : past.status, why: why.status < 400 && why.body };
}

const act: fc.Arbitrary<(office: Office) => unknown> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constant((office: Office) => office.call('POST /_backlot/orders/119/next', {})),
  },
  {
    weight: 3,
    arbitrary: fc.constantFrom(1, 2, 9).map((times) => (office: Office) => poll(office, times)),
  },
  fc
    .nat(9)
    .map(
      (total) => (office: Office) => office.call('PATCH /_backlot/tables/orders/119', { total }),
    ),
  fc.constant((office: Office) => office.call('POST /_backlot/transitions/order/119', ship)),
  fc.constant((office: Office) => office.clock.advance('PT1H')),
  fc.constant((office: Office) => office.snapshot('one')),
  fc.constant((office: Office) => office.restore('one')),
  fc.constant((office: Office) => office.reset()),
  fc.constant((office: Office) => office.import(office.export())),
  fc.constant((office: Office) => office.call('DELETE /_backlot/journal')),
  {
    weight: 2,
    arbitrary: fc.nat(12).map((back) => (office: Office) => {
      const all = office.history.entries();
      return office.rewind(all.at(-1 - back)?.id ?? 0, 'before');
    }),
  },
);

/** Checks this number of histories. A failure prints its seed. */
async function checkPasts(numRuns: number): Promise<void> {
  const seed = Number(process.env['SEED'] ?? 20_261_126);
  await fc.assert(
    fc.asyncProperty(
      fc.array(act, { minLength: 1, maxLength: 14 }),
      fc.constantFrom(2, 4, 500),
      async (all, maxEntries) => {
        const office = openOffice({ history: { maxEntries }, settings: { journalSize: 6 } });
        const states = new Map([[0, await told(office)]]);
        for (const run of all) {
          try {
            await run(office);
          } catch {
            // What is rejected changes nothing.
          }
          const { id = 0 } = office.history.entries({ limit: 1 })[0] ?? {};
          if (id > 0 && !states.has(id)) states.set(id, await told(office));
        }
        const { changesFrom } = office.history.reach;
        for (const [at, state] of states) {
          const found = await told(office, at);
          if (at < changesFrom - 1) expect(found).toEqual({ past: 400, why: false });
          else expect(found).toEqual(state);
        }
      },
    ),
    { numRuns, seed },
  );
}

test('whatever is told of an order at an entry is what was true then, or is refused', async () =>
  checkPasts(runs(60)));

test(
  'whatever is told of an order at an entry is what was true then, or is refused, in 10,000 histories',
  { tags: ['long'], timeout: 3_600_000 },
  async () => checkPasts(10_000),
);
