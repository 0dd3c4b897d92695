import { Duplex } from 'node:stream';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createHttpServer } from '../../src/mounts/server/server.ts';
import { serveHttp } from '../support/raw-http.ts';
import { openServer } from '../support/server.ts';

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
  expect(Math.max(...batches.map(({ data }) => data.entries.length))).toBeLessThanOrEqual(16);
});

test('a client that connects again receives what it has missed', async () => {
  const url = await serveHttp();
  for (let sent = 0; sent < 30; sent++) await fetch(`${url}/api/users/1`);
  const headers = { 'last-event-id': '5' };
  const [batch] = await readEvents(`${url}/_backlot/events`, headers, (all) => all.length > 0);
  expect(batch).toMatchObject({ id: 30, data: { more: 9 } });
  expect(batch!.data.entries[0]!.id).toBe(15);
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

/** A connection whose client reads only when the test says so, as one with a full TCP window. */
class UnreadConnection extends Duplex {
  received = '';
  #read: (() => void) | undefined;

  override _read(): void {}

  override _write(chunk: Buffer, _: string, done: () => void): void {
    this.received += chunk.toString();
    this.#read = done;
  }

  /** Reads what has been sent. */
  readAll(): void {
    const read = this.#read;
    this.#read = undefined;
    read?.();
  }

  /** The number of entries that the client was told of, those included that were only counted. */
  get told(): number {
    const batches = [...this.received.matchAll(/^data: (.*)$/gm)];
    return batches.reduce((sum, [, data = '{}']) => {
      const { entries, more = 0 } = JSON.parse(data) as Batch['data'];
      return sum + entries.length + more;
    }, 0);
  }
}

test('a stream of events that is read slowly counts what it leaves out, and 200 that are not read keep 64 kB each and end', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval', 'clearTimeout', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const { sessions, call } = openServer();
  const server = createHttpServer(sessions);
  const connections = Array.from({ length: 201 }, () => new UnreadConnection());
  for (const connection of connections) {
    server.emit('connection', connection);
    connection.push('GET /_backlot/events HTTP/1.1\r\nhost: localhost\r\n\r\n');
  }
  await vi.waitFor(() => expect(connections.every(({ received }) => received !== '')).toBe(true));
  const [slow, ...others] = connections;
  const seconds = 20;
  let maxKept = 0;
  for (let second = 0; second < seconds; second++) {
    for (let sent = 0; sent < 20; sent++) call('GET /api/users/99999');
    slow!.readAll();
    await vi.advanceTimersByTimeAsync(1000);
    maxKept = Math.max(maxKept, ...others.map(({ writableLength }) => writableLength));
  }
  for (let times = 0; times < 5; times++) {
    slow!.readAll();
    await vi.advanceTimersByTimeAsync(1000);
  }
  expect(slow!.destroyed).toBe(false);
  expect(slow!.told).toBe(seconds * 20);
  expect(others.every(({ destroyed }) => destroyed)).toBe(true);
  // 13 MB in all
  expect(maxKept).toBeLessThan(65_536);
});
