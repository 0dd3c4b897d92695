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

test('a trace has the counts of all reads that a rule counted, also of those that are no longer kept', async () => {
  const office = openOffice({ history: true, settings: { journalSize: 5 } });
  office.faults.add({ match: { method: 'GET' }, status: 503, first: 2 });
  await office.call('POST /api/orders/', cart);
  await poll(office, 20);
  await office.call('POST /api/orders/', cart);
  const opened = createBackOffice();
  opened.import(JSON.parse(JSON.stringify(office.history.trace())));
  expect(ids(opened)).toEqual(ids(office));
  for (const all of [office, opened]) {
    all.rewind(20, 'before');
    expect(all.faults.list()[0]?.matched).toBe(17);
  }
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
    'The state after entry #1 is no longer known: changes are kept from entry #4 on, at most 2 changes and 32768 KiB. To keep more changes, raise maxEntries of the option history.';
  for (const line of ['GET /_backlot/orders/119?at=1', 'GET /_backlot/orders/119/why?at=1'])
    expect((await office.call(line)).body.message).toBe(message);
  expect(() => office.history.past('orders', 119, 1)).toThrow(message);
  expect(() => office.explain.order(119, 1)).toThrow(message);
  expect(() => office.rewind(1, 'after')).toThrow('Entry #1 of the history not found.');
  expect((await office.call('GET /_backlot/timeline')).body.changesFrom).toBe(4);
});

test('what depends on recorded changes says from which entry on they are kept', async () => {
  const office = openOffice({ history: { maxEntries: 2 } });
  const lines = [
    'orders/119',
    'orders/119/view',
    'tables/orders/119/history',
    'transitions/order/119/why',
    'stock/1/why',
  ];
  const read = async (line: string) => (await office.call(`GET /_backlot/${line}`)).body;
  for (const line of lines) expect(await read(line), line).toMatchObject({ changesFrom: 1 });
  await complete(office);
  for (const line of [...lines, 'journal/1/why'])
    expect(await read(line), line).toMatchObject({ changesFrom: 4 });
  const { entries } = await read('tables/orders/119/history');
  expect(entries.map(({ id }: { readonly id: number }) => id)).toEqual([4, 5]);
  const { moves } = await read('transitions/order/119/why');
  expect(moves.map(({ entry }: { readonly entry: number }) => entry)).toEqual([4, 5]);
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

test('an order that was deleted is not found at that moment, also after a reset has brought it back', async () => {
  const office = openOffice({ history: true });
  expect((await office.call('DELETE /api/orders/119')).status).toBe(204);
  const statuses = async (query = '') =>
    Promise.all(
      ['', '/why'].map(
        async (path) => (await office.call(`GET /_backlot/orders/119${path}${query}`)).status,
      ),
    );
  expect(await statuses()).toEqual([404, 404]);
  office.reset();
  expect(await statuses('?at=1')).toEqual([404, 404]);
  expect(await statuses()).toEqual([200, 200]);
});

test('a state that was set without a transition names none after a later one', async () => {
  const office = openOffice({ history: true });
  await office.call('PATCH /_backlot/tables/orders/119', { state: 'confirmed' });
  office.reset();
  await complete(office);
  expect(office.history.entry(1).moves).toEqual([
    { machine: 'order', id: 119, from: 'cart', to: 'confirmed' },
  ]);
});

test('a trace says what was undone, also if these changes are not kept', async () => {
  const office = openOffice({ history: { maxEntries: 2 } });
  for (const total of [1, 2]) await office.call('PATCH /_backlot/tables/orders/119', { total });
  office.rewind(2, 'before');
  for (const total of [3, 4]) await office.call('PATCH /_backlot/tables/orders/119', { total });
  const opened = createBackOffice();
  const trace = JSON.parse(JSON.stringify(office.history.trace()));
  opened.import(trace);
  expect(opened.history.timeline()).toEqual(office.history.timeline());
  expect(opened.history.entries()).toEqual(office.history.entries());
  expect(opened.history.entries().map(({ inEffect }) => inEffect)).toEqual([
    true,
    false,
    true,
    true,
    true,
  ]);
  delete trace.entries[2].jump.clock;
  expect(() => opened.import({ ...trace, lost: 2 })).toThrow(
    'The jump of entry 3 of the trace has no clock.',
  );
});
