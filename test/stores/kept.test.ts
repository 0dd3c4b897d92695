import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { SessionTexts } from '../../src/mounts/stores/saved-session.ts';
import { openOffice } from '../support/office.ts';
import { openReplica, type OpenReplica } from '../support/replica.ts';
import { send } from './send.ts';
import { openServer } from '../support/server.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'backlot-kept-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
});

const order = { channel: 1, user: 1, currency: 'EUR' };

type Options = Parameters<typeof openReplica>[1];

/** Opens a server whose sessions are in the folder. */
async function open(options: Options = {}): Promise<OpenReplica> {
  const server = await openReplica(`file:${folder}`, options);
  onTestFinished(async () => server.close());
  return server;
}

async function get(server: OpenReplica, name: string, path: string) {
  const { status, text, notice } = await send([server], name, `GET ${path}`);
  return { status, notice, body: JSON.parse(text) };
}

test('a session that leaves memory because others begin keeps its records and snapshots, but no journal', async () => {
  const server = await open({ maxSessions: 1 });
  await send([server], 'ada', 'POST /api/orders/', order);
  await send([server], 'ada', 'POST /_backlot/snapshot', { name: 'one' });
  expect((await get(server, 'ada', '/_backlot/journal')).body.entries).toHaveLength(1);
  await send([server], 'bob', 'POST /api/orders/', order);
  const listed = async () =>
    (await (await fetch(`${server.url}/_backlot/sessions`)).json()).sessions;
  expect(await listed()).toMatchObject([{ name: 'bob' }]);
  expect((await get(server, 'ada', '/_backlot/journal')).body.entries).toEqual([]);
  expect(await listed()).toMatchObject([{ name: 'ada' }]);
  expect(await get(server, 'ada', '/api/orders/121')).toMatchObject({ status: 200, notice: null });
  expect((await send([server], 'ada', 'POST /_backlot/snapshot/one/restore')).status).toBe(200);
});

test('a loaded session continues the ids of its entries, and refuses a moment before it was loaded', async () => {
  const server = await open({ maxSessions: 1 });
  await send([server], 'ada', 'POST /_backlot/snapshot', { name: 'one' });
  await send([server], 'ada', 'POST /api/orders/', order);
  await send([server], 'ada', 'DELETE /api/orders/121');
  await send([server], 'ada', 'GET /api/orders/1');
  await send([server], 'bob', 'POST /api/orders/', order);
  const kept = { changesFrom: 3, entriesFrom: 3 };
  const journal = '/_backlot/journal?view=summary';
  expect((await get(server, 'ada', journal)).body).toMatchObject({ ...kept, summaries: [] });
  expect((await get(server, 'ada', '/_backlot/timeline')).body).toMatchObject(kept);
  expect(await get(server, 'ada', '/_backlot/orders/1?at=1')).toMatchObject({
    status: 400,
    body: {
      message:
        'The state after entry #1 is no longer known: the history begins with entry #3, because it was cleared or loaded.',
    },
  });
  expect((await get(server, 'ada', '/_backlot/journal/2')).status).toBe(404);
  expect((await get(server, 'ada', '/_backlot/orders/1?at=2')).status).toBe(200);
  await send([server], 'ada', 'POST /_backlot/snapshot/one/restore');
  expect((await get(server, 'ada', journal)).body.summaries).toMatchObject([{ id: 3 }]);
  expect((await get(server, 'ada', '/_backlot/timeline')).body.idsInEffect).toEqual([[3, 3]]);
});

test.each(['default', 'sale', 'empty'] as const)(
  'a session in which a trace of %s was opened is restored, and so is the start that it resets to',
  async (scenario) => {
    const traced = openOffice({ history: true, scenario });
    const [first] = traced.db.channels.all();
    // What was changed before the history is part of the start.
    traced.db.channels.change(first?.id ?? 1, { name: 'Of the trace' });
    traced.journal.clear();
    traced.db.channels.change(first?.id ?? 1, { name: 'Of its entry' });
    const server = await open({ maxSessions: 1 });
    const imported = await send([server], 'ada', 'POST /_backlot/import', traced.history.trace());
    expect(imported.status).toBe(200);
    await send([server], 'ada', 'POST /_backlot/snapshot', { name: 'one' });
    const exported = async () => (await get(server, 'ada', '/_backlot/export')).body;
    const park = async () => {
      await send([server], 'bob', 'POST /api/orders/', order);
      expect((await send([server], 'ada', 'GET /_backlot/clock')).notice).toBeNull();
    };
    const before = await exported();
    await park();
    expect(await exported()).toEqual(before);
    await send([server], 'ada', 'POST /_backlot/reset');
    const reset = await exported();
    expect(reset).not.toEqual(before);
    await park();
    expect(await exported()).toEqual(reset);
    await send([server], 'ada', 'POST /_backlot/snapshot/one/restore');
    expect(await exported()).toEqual(before);
    await park();
    expect(await exported()).toEqual(before);
  },
);

test('a session that was saved without the id of its next entry begins with entry 1', () => {
  const saved = openOffice({ history: true });
  saved.db.users.change(1, { first_name: 'Eve' });
  expect(saved.history.entries()).toMatchObject([{ id: 1 }]);
  const texts = new SessionTexts('1', () => saved.scenario);
  const read = (text: string) => {
    const office = openOffice({ history: true });
    expect(texts.read(text, () => office)).toBeUndefined();
    office.db.users.change(1, { last_name: 'Novak' });
    expect(office.db.users.get(1)?.first_name).toBe('Eve');
    return office.history.entries().map(({ id }) => id);
  };
  const { shop, snapshots } = saved;
  expect(read(texts.write({ shop, snapshots }, 0))).toEqual([1]);
  expect(read(texts.write(saved, 0))).toEqual([2]);
});

test('a ticking clock goes on while nobody uses its session', async () => {
  const first = await open();
  await send([first], 'ada', 'PUT /_backlot/clock', { mode: 'ticking' });
  const before = (await get(first, 'ada', '/_backlot/clock')).body.now;
  await first.close();
  const { now } = Date;
  vi.spyOn(Date, 'now').mockImplementation(() => now() + 90_000);
  onTestFinished(() => void vi.restoreAllMocks());
  const { body } = await get(await open(), 'ada', '/_backlot/clock');
  expect(body.mode).toBe('ticking');
  expect(Date.parse(body.now) - Date.parse(before)).toBeGreaterThanOrEqual(89_000);
});

test('reads of visitors without a session are not saved in a demo', async () => {
  const server = await open({ sessions: 'own', newName: () => 'ada' });
  expect((await fetch(`${server.url}/api/orders/1`)).status).toBe(200);
  await server.close();
  expect(readdirSync(folder).filter((name) => name.endsWith('.backlot-session'))).toEqual([]);
});

test('a reset at regular times ends the sessions in the store, too', async () => {
  const server = await open({ resetEvery: 1 });
  const read = async () => (await get(server, 'ada', '/api/orders/121')).status;
  await expect
    .poll(async () => {
      await send([server], 'ada', 'POST /api/orders/', order);
      return read();
    })
    .toBe(200);
  await expect.poll(read).toBe(404);
});

test('without a store, a session begins anew without a notice after its server has ended', () => {
  const ada = { 'x-backlot-session': 'ada' };
  for (const server of [openServer(), openServer()]) {
    const { body, headers } = server.call('POST /api/orders/', order, ada);
    expect([body.id, headers['x-backlot-notice']]).toEqual([121, undefined]);
  }
});
