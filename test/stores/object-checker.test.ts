import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { pseudoRandom } from '../../src/engine/lib/pseudo-random.ts';
import {
  createFetchHandler,
  durableObjectStore,
  type FetchHandler,
  type ObjectStorage,
} from '../../src/mounts/fetch-handler.ts';
import { compare, newVisitor, type Listed, type Visitor } from './checked-writes.ts';
import { runs } from '../support/runs.ts';

/** What a Durable Object has, each of whose operations takes another time. */
function slowStorage(random: () => number): ObjectStorage {
  const entries = new Map<string, unknown>();
  const later = async <Result>(work: () => Result): Promise<Result> => {
    if (random() < 0.7) await sleep(random() * 4);
    const result = work();
    if (random() < 0.5) await sleep(random() * 4);
    return result;
  };
  return {
    get: async (key) => later(() => entries.get(key)),
    put: async (key, value) => later(() => void entries.set(key, value)),
    delete: async (key) => later(() => entries.delete(key)),
    list: async ({ prefix }) =>
      later(() => new Map([...entries].filter(([key]) => key.startsWith(prefix)))),
  };
}

async function send(handle: FetchHandler, name: string, path: string, body?: object) {
  const response = await handle(
    new Request(`http://localhost/s/${name}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }),
  );
  return { status: response.status, text: await response.text() };
}

async function add(handle: FetchHandler, { name, ...visitor }: Visitor, number: number) {
  const body = { code: `w${number}`, name: `write ${number}` };
  for (;;) {
    const { status, text } = await send(handle, name, '/api/stock-locations/', body);
    if (status === 201) {
      visitor.added.set(number, (JSON.parse(text) as Listed).id);
      return;
    }
    if (status === 503 && text.includes('may have been performed')) {
      visitor.uncertain.add(number);
      return;
    }
    // Beyond the limit of sessions, it was certainly not performed.
    if (status !== 503 && status !== 429) {
      visitor.wrong.push(`adding ${number}: ${status} ${text}`);
      return;
    }
    await sleep(1);
  }
}

async function list(handle: FetchHandler, name: string): Promise<Listed[]> {
  for (;;) {
    const { status, text } = await send(handle, name, '/api/stock-locations/?limit=100');
    if (status === 200) {
      const { _embedded } = JSON.parse(text) as { _embedded: { items: Listed[] } };
      return _embedded.items.filter((one) => one.name.startsWith('write '));
    }
    await sleep(1);
  }
}

const [clients, writes] = [3, 4];

test.for(Array.from({ length: runs(60) }, (_, at) => `seed ${at}`))(
  'over a Durable Object with fewer places than sessions, each acknowledged write is there once: %s',
  async (seed) => {
    const random = pseudoRandom(seed);
    const options = { store: durableObjectStore(slowStorage(random)) };
    const handle = createFetchHandler({ ...options, maxSessions: 1 + Math.floor(random() * 3) });
    const visitors = Array.from({ length: 8 }, (_, at) => newVisitor(`visitor-${at}`));
    const client = async (visitor: Visitor, from: number): Promise<void> => {
      for (let number = from; number < from + writes; number++) {
        await sleep(random() * 6);
        await add(handle, visitor, number);
      }
    };
    await Promise.all(
      visitors.flatMap((visitor) =>
        Array.from({ length: clients }, async (_, at) => client(visitor, 1 + at * writes)),
      ),
    );
    const here = await Promise.all(
      visitors.map(async (one) => [...one.wrong, ...compare(one, await list(handle, one.name))]),
    );
    expect(here.flat()).toEqual([]);
    await handle.close();
    const next = createFetchHandler(options);
    onTestFinished(() => next.close());
    const later = await Promise.all(
      visitors.map(async (one) => compare(one, await list(next, one.name))),
    );
    expect(later.flat()).toEqual([]);
    const uncertain = visitors.reduce((sum, one) => sum + one.uncertain.size, 0);
    expect(uncertain).toBeLessThan(visitors.length);
  },
);
