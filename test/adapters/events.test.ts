import { expect, test } from 'vitest';
import { serveHttp } from '../support/raw-http.ts';

interface Batch {
  readonly id: number;
  readonly data: { readonly entries: { readonly id: number }[]; readonly more?: number };
}

/** Reads server-sent events until `isEnough` returns true. */
async function readEvents(
  url: string,
  headers: Readonly<Record<string, string>>,
  isEnough: (batches: readonly Batch[]) => boolean,
): Promise<Batch[]> {
  const end = new AbortController();
  const response = await fetch(url, { headers, signal: end.signal });
  expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  const batches: Batch[] = [];
  let text = '';
  for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    const parts = text.split('\n\n');
    text = parts.pop() ?? '';
    for (const part of parts) {
      const [, id, data] = /^id: (\d+)\nevent: entries\ndata: (.*)$/.exec(part) ?? [];
      if (data !== undefined) batches.push({ id: Number(id), data: JSON.parse(data) });
    }
    if (isEnough(batches)) break;
  }
  end.abort();
  return batches;
}

test('a client of events receives each new entry, and others are counted', async () => {
  const url = await serveHttp();
  const last = 60;
  const received = readEvents(`${url}/_backlot/events`, {}, (all) => all.at(-1)?.id === last);
  await new Promise((resolve) => {
    setTimeout(resolve, 100);
  });
  for (let sent = 0; sent < last; sent++) await fetch(`${url}/api/users/1`);
  const batches = await received;
  const count = batches.reduce(
    (sum, { data: { entries, more = 0 } }) => sum + entries.length + more,
    0,
  );
  expect(count).toBe(last);
  expect(Math.max(...batches.map(({ data }) => data.entries.length))).toBeLessThanOrEqual(20);
});

test('a client that connects again receives what it has missed', async () => {
  const url = await serveHttp();
  for (let sent = 0; sent < 30; sent++) await fetch(`${url}/api/users/1`);
  const headers = { 'last-event-id': '5' };
  const [batch] = await readEvents(`${url}/_backlot/events`, headers, (all) => all.length > 0);
  expect(batch).toMatchObject({ id: 30, data: { more: 5 } });
  expect(batch!.data.entries[0]!.id).toBe(11);
});

test('events of a session are those of its own back office', async () => {
  const url = await serveHttp();
  await fetch(`${url}/s/ada/api/users/1`);
  await fetch(`${url}/s/bob/api/users/2`);
  const [batch] = await readEvents(
    `${url}/s/bob/_backlot/events?since=0`,
    {},
    (all) => all.length > 0,
  );
  expect(batch!.data.entries).toMatchObject([{ id: 1, title: 'GET /api/users/2' }]);
});

test('events require the token of the control API', async () => {
  const url = await serveHttp({}, { controlToken: 'open-sesame' });
  expect((await fetch(`${url}/_backlot/events`)).status).toBe(401);
});
