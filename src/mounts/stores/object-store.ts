import { isObject } from '../../engine/lib/json-value.ts';
import {
  StoreIssue,
  StoreUnavailable,
  type Claim,
  type OpenStore,
  type SessionStore,
} from '../../engine/sessions/store.ts';
import { Moves } from './moves.ts';

/** The storage of a Durable Object, as far as a store uses it. */
export interface ObjectStorage {
  get(key: string): Promise<unknown>;
  put(key: string, value: string | number): Promise<void>;
  delete(key: string): Promise<unknown>;
  list(options: { readonly prefix: string }): Promise<ReadonlyMap<string, unknown>>;
}

/**
 * Returns what opens a store in the storage of a Durable Object, `ctx.storage`. Cloudflare runs one instance of an object at a
 * time, so that the handler in it owns all sessions.
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
  readonly leaseUntil = Infinity;
  readonly lapses = 0;
  readonly #storage: ObjectStorage;
  readonly #idle: number;
  readonly #fences = new Map<string, number>();
  /** What is done with each session, one after the other: the storage may end a later operation first. */
  readonly #moves = new Moves();
  #fence = 0;
  #swept = -Infinity;

  /** @param idle how long an unused session stays, in milliseconds */
  constructor(storage: ObjectStorage, idle: number) {
    this.#storage = storage;
    this.#idle = idle;
  }

  async claim(key: string, what: 'any' | 'existing' | 'own'): Promise<Claim> {
    if (what === 'own') return { status: 'none' };
    await run(async () => this.#deleteOld());
    return this.#moves.run(key, async () => {
      // The fence first, so that nobody saves what is not read here.
      const previous = this.#fences.get(key) ?? 0;
      const fence = ++this.#fence;
      this.#fences.set(key, fence);
      const state = await run(async () => this.#storage.get(`${saved}${key}`));
      if (state === undefined && what === 'existing') {
        this.#fences.delete(key);
        return { status: 'none' };
      }
      return {
        status: 'mine',
        fence,
        previous,
        state: typeof state === 'string' ? state : undefined,
        isTakenOver: false,
      };
    });
  }

  save(key: string, fence: number, state: string): Promise<boolean> {
    return this.#moves.run(key, async () => this.#save(key, fence, state));
  }

  release(key: string, fence: number, state: string | undefined): Promise<boolean> {
    return this.#moves.run(key, async () => {
      if (this.#fences.get(key) !== fence) return false;
      if (state === undefined) await run(async () => this.#delete(key));
      else await this.#save(key, fence, state);
      this.#fences.delete(key);
      return true;
    });
  }

  async #save(key: string, fence: number, state: string): Promise<boolean> {
    if (this.#fences.get(key) !== fence) return false;
    await run(async () => {
      await Promise.all([this.#storage.put(`${saved}${key}`, state), this.#use(key)]);
    });
    return this.#fences.get(key) === fence;
  }

  touch(keys: readonly string[]): void {
    for (const key of keys) this.#use(key).catch(() => undefined);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  async #use(key: string): Promise<void> {
    await this.#storage.put(`${used}${key}`, Date.now());
  }

  async #delete(key: string): Promise<void> {
    await Promise.all([saved, used].map((prefix) => this.#storage.delete(`${prefix}${key}`)));
  }

  /** Deletes the sessions that were not used for too long, twice in that time. */
  async #deleteOld(): Promise<void> {
    const now = Date.now();
    if (now - this.#swept < this.#idle / 2) return;
    this.#swept = now;
    for (const [name, time] of await this.#storage.list({ prefix: used })) {
      const key = name.slice(used.length);
      if (Number(time) >= now - this.#idle) continue;
      await this.#moves.run(key, async () => {
        if (!this.#fences.has(key)) await this.#delete(key);
      });
    }
  }
}

/** The beginnings of keys: for what a session has, and for when it was used. */
const [saved, used] = ['backlot session ', 'backlot used '];

async function run<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (cause) {
    throw new StoreUnavailable(`Cannot use the storage of the object: ${String(cause)}`, { cause });
  }
}
