import { createStore, get } from 'idb-keyval';
import { isObject } from '../../engine/lib/json-value.ts';
import { StoreUnavailable, type Claim, type SessionStore } from '../../engine/sessions/store.ts';

/** What IndexedDB has of a session. */
interface Entry {
  /** The fence of the last claim. */
  readonly fence: number;
  /** The fence with which the state was saved. */
  readonly saved: number;
  readonly state?: string | undefined;
}

/** What was saved last. */
export interface SavedState {
  /** 0 if nothing was saved. */
  readonly fence: number;
  readonly state: string | undefined;
}

/**
 * Keeps sessions in IndexedDB, for all tabs of an origin. The owner of a session is the tab that has the lock of its name:
 * a claim waits until it is free, so that no session is ever elsewhere.
 */
export class IndexedDbStore implements SessionStore {
  readonly isAvailable = true;
  readonly leaseUntil = Infinity;
  readonly lapses = 0;
  readonly secret = '';
  readonly #entries = createStore('backlot', 'states');
  readonly #lock = createLock();
  readonly #owned = new Map<string, { readonly fence: number; readonly unlock: () => void }>();

  async claim(key: string, what: 'any' | 'existing' | 'none'): Promise<Claim> {
    if (what === 'none') return { status: 'none' };
    const unlock = await this.#lock(`backlot ${key}`);
    try {
      let found = none;
      const fence = await this.#change(key, (entry) => {
        found = entry;
        if (entry.state === undefined && what === 'existing') return undefined;
        return { ...entry, fence: entry.fence + 1 };
      });
      if (fence === undefined) {
        unlock();
        return { status: 'none' };
      }
      this.#owned.set(key, { fence, unlock });
      const { fence: previous, state } = found;
      return { status: 'mine', fence, previous, state, isTakenOver: false };
    } catch (error) {
      unlock();
      throw error;
    }
  }

  async save(key: string, fence: number, state: string | undefined): Promise<boolean> {
    const saved = await this.#change(key, (entry) =>
      entry.fence === fence ? { fence, saved: fence, state } : undefined,
    );
    return saved !== undefined;
  }

  async release(key: string, fence: number, state: string | undefined): Promise<boolean> {
    try {
      return await this.save(key, fence, state);
    } finally {
      const owned = this.#owned.get(key);
      if (owned?.fence === fence) {
        this.#owned.delete(key);
        owned.unlock();
      }
    }
  }

  /** Returns what was saved last, without a claim: for a tab that follows others. @throws StoreUnavailable */
  async newest(key: string): Promise<SavedState> {
    try {
      const { saved, state } = entryOf(await get(key, this.#entries));
      return { fence: saved, state };
    } catch (error) {
      throw unavailable(error);
    }
  }

  /**
   * Claims, saves and releases a session in one transaction, which waits for no other tab. A tab that owns the session
   * cannot save it any more.
   *
   * @param after the fence of the state that this one replaces; if another one was saved since, nothing is saved
   * @returns the fence of the claim; undefined if nothing was saved
   * @throws StoreUnavailable
   */
  async seize(key: string, state: string, after?: number): Promise<number | undefined> {
    return this.#change(key, ({ fence, saved }) => {
      if (after !== undefined && after !== saved) return undefined;
      return { fence: fence + 1, saved: fence + 1, state };
    });
  }

  /** An entry stays as long as IndexedDB does. */
  touch(): void {}

  close(): Promise<void> {
    for (const { unlock } of this.#owned.values()) unlock();
    this.#owned.clear();
    return Promise.resolve();
  }

  /** Replaces an entry in one transaction, unless `next` returns undefined. Returns the new fence. */
  async #change(
    key: string,
    next: (entry: Entry) => Entry | undefined,
  ): Promise<number | undefined> {
    const change = (entries: IDBObjectStore): Promise<number | undefined> =>
      new Promise((resolve, reject) => {
        const { transaction } = entries;
        const found: IDBRequest<unknown> = entries.get(key);
        let changed: Entry | undefined;
        found.addEventListener('success', () => {
          try {
            changed = next(entryOf(found.result));
            if (changed !== undefined) entries.put(changed, key);
          } catch (error) {
            reject(error instanceof Error ? error : new Error(String(error)));
          }
        });
        transaction.addEventListener('complete', () => resolve(changed?.fence));
        transaction.addEventListener('abort', () =>
          reject(transaction.error ?? new Error('The transaction was aborted')),
        );
      });
    try {
      return await this.#entries('readwrite', change);
    } catch (error) {
      throw unavailable(error);
    }
  }
}

const none: Entry = { fence: 0, saved: 0 };

/** Ignores a state in the format of an earlier version. */
function entryOf(found: unknown): Entry {
  return isEntry(found) ? found : none;
}

function isEntry(value: unknown): value is Entry {
  return isObject(value) && value['fence'] !== undefined;
}

function unavailable(cause: unknown): StoreUnavailable {
  return new StoreUnavailable(`Cannot use IndexedDB: ${String(cause)}`, { cause });
}

/** Waits for a lock. Resolves with the function that gives it back. */
type Lock = (name: string) => Promise<() => void>;

/** Returns locks for all tabs if the browser has `navigator.locks`, otherwise for this one. */
function createLock(): Lock {
  if ('locks' in navigator) {
    return (name) =>
      new Promise((resolve, reject) => {
        const hold = (): Promise<void> =>
          new Promise((unlock) => {
            resolve(unlock);
          });
        navigator.locks.request(name, hold).catch(reject);
      });
  }
  // oxlint-disable-next-line no-console -- there is no caller to report it to
  console.warn(
    'This browser has no navigator.locks. Tabs that write at the same time can give the same ids twice.',
  );
  const last = new Map<string, Promise<undefined>>();
  return async (name) => {
    const before = last.get(name);
    const { promise, resolve } = Promise.withResolvers<undefined>();
    last.set(name, promise);
    await before;
    return () => resolve(undefined);
  };
}
