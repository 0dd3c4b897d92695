import { expect, test } from 'vitest';
import { createBackOffice } from '../../src/index.ts';

/** Connects as an `EventSource` does, with the id of its last event. Returns that id, the delay and the entries. */
async function connect({ fetch }: ReturnType<typeof createBackOffice>, last?: string) {
  const headers = last === undefined ? {} : { 'last-event-id': last };
  const text = await (await fetch('/_backlot/events', { headers })).text();
  const fields = new Map(
    Array.from(text.matchAll(/^(\w+): (.*)$/gm), ([, name = '', value = '']) => [name, value]),
  );
  const { entries = [] } = JSON.parse(fields.get('data') ?? '{}');
  return {
    last: fields.get('id') ?? last,
    retry: fields.get('retry'),
    ids: entries.map(({ id }: { readonly id: number }) => id),
  };
}

test('a client of events without a server receives each entry at its next connection, and none twice', async () => {
  const office = createBackOffice();
  const first = await connect(office);
  expect(first).toEqual({ last: '0', retry: '1000', ids: [] });
  await office.fetch('/api/users/1');
  await office.fetch('/api/users/2');
  const second = await connect(office, first.last);
  expect(second).toMatchObject({ last: '2', ids: [1, 2] });
  expect(await connect(office, second.last)).toMatchObject({ last: '2', ids: [] });
});

test('a client of events that connects to a shop with entries, or with a cleared journal, receives later ones', async () => {
  const office = createBackOffice();
  for (let sent = 0; sent < 3; sent++) await office.fetch('/api/users/1');
  const before = await connect(office);
  expect(before).toMatchObject({ last: '3', ids: [] });
  await office.fetch('/_backlot/journal', { method: 'DELETE' });
  const cleared = await connect(office);
  expect(cleared).toMatchObject({ last: '3', ids: [] });
  await office.fetch('/api/users/2');
  for (const { last } of [before, cleared])
    expect(await connect(office, last)).toMatchObject({ last: '4', ids: [4] });
});

test('a client of events without a server that accepts a stream receives entries until it cancels it', async () => {
  const office = createBackOffice();
  const headers = { accept: 'text/event-stream' };
  const { body } = await office.fetch('/_backlot/events', { headers });
  const reader = body!.pipeThrough(new TextDecoderStream()).getReader();
  expect((await reader.read()).value).toBe('id: 0\nretry: 1000\n\n');
  for (const id of [1, 2]) {
    await office.fetch(`/api/users/${id}`);
    expect((await reader.read()).value).toContain(`id: ${id}\nevent: entries\ndata: `);
  }
  await reader.cancel();
  expect((await office.fetch('/api/users/3')).status).toBe(200);
});
