import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import {
  createFetchHandler,
  durableObjectStore,
  type FetchHandler,
  type FetchHandlerOptions,
  type ObjectStorage,
} from '../../src/mounts/fetch-handler.ts';
import { storeAt } from '../../src/mounts/stores/store-at.ts';
import { startRedis } from '../support/redis.ts';

/** Opens a handler that is closed with the test. */
function open(options: FetchHandlerOptions): FetchHandler {
  const handle = createFetchHandler(options);
  onTestFinished(() => handle.close());
  return handle;
}

async function send(
  handle: FetchHandler,
  path: string,
  body?: object,
): Promise<{ status: number; headers: Headers; text: string }> {
  const init = body && {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  };
  const response = await handle(new Request(`http://localhost:3000${path}`, init));
  return { status: response.status, headers: response.headers, text: await response.text() };
}

const cart = { channel: 1, user: 1, currency: 'EUR' };
const newFolder = (): string => mkdtempSync(join(tmpdir(), 'backlot-fetch-'));

/** What a Durable Object has, in memory. */
function createStorage(): ObjectStorage & { readonly entries: Map<string, unknown> } {
  const entries = new Map<string, unknown>();
  return {
    entries,
    get: (key) => Promise.resolve(entries.get(key)),
    put: (key, value) => Promise.resolve(void entries.set(key, value)),
    delete: (key) => Promise.resolve(entries.delete(key)),
    list: ({ prefix }) =>
      Promise.resolve(new Map([...entries].filter(([key]) => key.startsWith(prefix)))),
  };
}

test('a session and the shared back office are in a folder for the next handler', async () => {
  const store = storeAt(`file:${newFolder()}`);
  const first = open({ store });
  expect((await send(first, '/s/ada/api/orders/', cart)).status).toBe(201);
  expect((await send(first, '/api/orders/', cart)).status).toBe(201);
  await first.close();
  const ended = await send(first, '/s/ada/api/orders/121');
  expect([ended.status, ended.text]).toEqual([
    503,
    expect.stringContaining('was closed by close()'),
  ]);
  const second = open({ store });
  expect((await send(second, '/s/ada/api/orders/121')).status).toBe(200);
  expect((await send(second, '/api/orders/121')).status).toBe(200);
  expect((await send(second, '/s/eve/api/orders/121')).status).toBe(404);
});

test('a response is sent when its changes are saved', async () => {
  const storage = createStorage();
  const first = createFetchHandler({ store: durableObjectStore(storage) });
  expect((await send(first, '/s/ada/api/orders/', cart)).status).toBe(201);
  // The first handler is never closed, as in a process that is killed.
  const second = open({ store: durableObjectStore(storage) });
  const found = await send(second, '/s/ada/api/orders/121');
  expect([found.status, found.headers.get('x-backlot-notice')]).toEqual([200, null]);
});

test('each visitor of a demo has a session in the store', async () => {
  const storage = createStorage();
  const options = { demo: true, store: durableObjectStore(storage) };
  const created = await send(open(options), '/api/orders/', cart);
  const [cookie = ''] = (created.headers.get('set-cookie') ?? '').split(';');
  const read = new Request('http://localhost:3000/api/orders/121', { headers: { cookie } });
  expect((await open(options)(read)).status).toBe(200);
});

test('a session that begins anew in the next handler says why', async () => {
  const storage = createStorage();
  const store = durableObjectStore(storage);
  await send(open({ store }), '/s/ada/api/orders/', cart);
  const other = open({ store, settings: { maxLimit: 7 } });
  const found = await send(other, '/s/ada/api/orders/121');
  expect(found.status).toBe(404);
  expect(found.headers.get('x-backlot-notice')).toContain('another version of the server');
});

test('sessions that were not used for too long leave the storage of an object', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: 0 });
  onTestFinished(() => void vi.useRealTimers());
  const storage = createStorage();
  const names = (): string[] =>
    [...storage.entries.keys()].filter((key) => !key.endsWith('~shared')).toSorted();
  await send(open({ store: durableObjectStore(storage) }), '/s/ada/api/orders/', cart);
  expect(names()).toEqual(['backlot session ada', 'backlot used ada']);
  vi.setSystemTime(2 * 3_600_000);
  await send(open({ store: durableObjectStore(storage) }), '/s/eve/api/orders/', cart);
  expect(names()).toEqual(['backlot session eve', 'backlot used eve']);
});

test('a change that a store does not take gets a 503, and is not made', async () => {
  const storage = createStorage();
  const { put } = storage;
  const handle = open({ store: durableObjectStore(storage) });
  await send(handle, '/s/ada/api/orders/', cart);
  storage.put = () => Promise.reject(new Error('The disk is full.'));
  const refused = await send(handle, '/s/ada/api/orders/', cart);
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
  expect(refused.text).toContain('the request may have been performed or not.');
  expect((await send(handle, '/s/ada/api/orders/122')).status).toBe(404);
  storage.put = put;
  expect((await send(handle, '/s/ada/api/orders/', cart)).text).toContain('"id":122');
  const next = open({ store: durableObjectStore(storage) });
  expect((await send(next, '/s/ada/api/orders/122')).status).toBe(200);
});

test('what cannot keep sessions says what can', async () => {
  expect(() => createFetchHandler({ store: 'file:./shops' as never })).toThrow(
    "storeAt('file:./shops') of backlot/node, durableObjectStore(ctx.storage) of backlot/fetch",
  );
  expect(() => storeAt('./shops')).toThrow(
    "The store must be 'file:<folder>' or 'redis://host:6379/0', not './shops'.",
  );
  const namespace = { ...createStorage(), getWithMetadata: () => undefined };
  expect(() => durableObjectStore(namespace)).toThrow('Pass ctx.storage of a Durable Object.');
  expect(() => storeAt(new URL('file:///shops') as never)).toThrow('not a value of type object.');
  for (const wrong of [undefined, { storage: createStorage() }])
    expect(() => durableObjectStore(wrong as never)).toThrow(
      '(ctx.storage), not a value without get',
    );
  for (const wrong of [undefined, {}, storeAt('file:./shops')]) {
    const handle = createFetchHandler({ store: () => wrong as never });
    await expect(send(handle, '/api/orders/1')).rejects.toThrow(
      `store must return a SessionStore, as these do: storeAt('file:./shops') of backlot/node, durableObjectStore(ctx.storage) of backlot/fetch, or your own; not a value of type ${typeof wrong}.`,
    );
  }
  const folder = newFolder();
  await send(open({ store: storeAt(`file:${folder}`) }), '/api/orders/1');
  const other = createFetchHandler({ store: storeAt(`file:${folder}`) });
  await expect(send(other, '/api/orders/1')).rejects.toThrow(/Process \d+ .* uses the folder/);
});

test('each handler of a Redis answers each session', { tags: 'redis-server' }, async () => {
  const redis = await startRedis();
  onTestFinished(() => redis.stop());
  const store = storeAt(redis.url);
  const [first, second] = [open({ store }), open({ store, sessions: 'own' })];
  for (const [at, handle] of [first, second, first, second].entries()) {
    const { status, text, headers } = await send(handle, '/s/ada/api/orders/', cart);
    const { id } = JSON.parse(text) as { readonly id: number };
    expect([status, id, headers.get('x-backlot-notice')]).toEqual([201, 121 + at, null]);
  }
  await first.close();
  expect((await send(second, '/s/ada/api/orders/124')).status).toBe(200);
});
