import { isObject } from '../../engine/lib/json-value.ts';
import {
  StoreIssue,
  StoreUnavailable,
  type OpenStore,
  type SessionStore,
  type StoredSession,
} from '../../engine/sessions/store.ts';
import { SessionUse } from './session-use.ts';

/** The storage of a Durable Object, as far as a store uses it. */
export interface ObjectStorage {
  get(key: string): Promise<unknown>;
  put(key: string, value: string | number): Promise<void>;
  delete(key: string): Promise<unknown>;
  list(options: { readonly prefix: string }): Promise<ReadonlyMap<string, unknown>>;
}

/**
 * Returns what opens a store in the storage of a Durable Object, `ctx.storage`. Cloudflare runs one instance of an object at a
 * time, so that nothing but the handler in it changes sessions.
 *
 * @throws StoreIssue for a KV namespace, and for what is no such storage
 */
export function durableObjectStore(storage: ObjectStorage): OpenStore {
  const given = isObject(storage) ? storage : {};
  const missing = ['get', 'put', 'delete', 'list'].filter((name) => !(name in given));
  if (missing.length > 0) {
    throw new StoreIssue(
      `durableObjectStore requires the storage of a Durable Object, durableObjectStore(ctx.storage), not a value without ${missing.join(', ')}.`,
    );
  }
  if ('getWithMetadata' in given) {
    throw new StoreIssue(
      'A KV namespace cannot keep sessions: Workers see its changes up to 60 seconds later, so that two of them would lose changes of each other. Pass ctx.storage of a Durable Object.',
    );
  }
  return ({ idle }) => new ObjectStore(storage, idle);
}

class ObjectStore implements SessionStore {
  readonly isAvailable = true;
  readonly #storage: ObjectStorage;
  readonly #idle: number;
  readonly #use: SessionUse;
  #swept = -Infinity;

  /** @param idle how long an unused session stays, in milliseconds */
  constructor(storage: ObjectStorage, idle: number) {
    this.#storage = storage;
    this.#idle = idle;
    this.#use = new SessionUse(idle);
  }

  async read(key: string, known?: string): Promise<StoredSession> {
    const now = Date.now();
    return run(async () => {
      if (this.#use.isIdle(key)) await this.#delete(key);
      else if (known !== undefined) {
        await this.#touch(key);
        return { version: known, now };
      }
      await this.#deleteOld();
      const text = await this.#storage.get(`${saved}${key}`);
      if (typeof text !== 'string') return { version: undefined, now };
      await this.#touch(key);
      return { version: onlyVersion, text, now };
    });
  }

  async write(key: string, version: string | undefined, text: string): Promise<string | undefined> {
    return run(async () => {
      const name = `${saved}${key}`;
      if (version === undefined && (await this.#storage.get(name)) !== undefined) return undefined;
      await Promise.all([this.#storage.put(name, text), this.#touch(key)]);
      return onlyVersion;
    });
  }

  async delete(key: string): Promise<void> {
    await run(async () => this.#delete(key));
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  async #touch(key: string): Promise<void> {
    if (this.#use.add(key)) await this.#storage.put(`${used}${key}`, Date.now());
  }

  async #delete(key: string): Promise<void> {
    this.#use.delete(key);
    await Promise.all([saved, used].map((prefix) => this.#storage.delete(`${prefix}${key}`)));
  }

  /** Deletes the sessions that were not used for too long, twice in that time. */
  async #deleteOld(): Promise<void> {
    const now = Date.now();
    if (now - this.#swept < this.#idle / 2) return;
    this.#swept = now;
    const oldest = this.#use.sweep();
    for (const [name, time] of await this.#storage.list({ prefix: used })) {
      const key = name.slice(used.length);
      if (Number(time) < oldest && !this.#use.has(key)) await this.#delete(key);
    }
  }
}

/** The version of all sessions: nothing else changes them. */
const onlyVersion = '1';

/** The beginnings of keys: for what a session has, and for when it was used. */
const [saved, used] = ['backlot session ', 'backlot used '];

async function run<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (cause) {
    throw new StoreUnavailable(`Cannot use the storage of the object: ${String(cause)}`, { cause });
  }
}
