import { createStore, get, update } from 'idb-keyval';
import { isObject } from '../../engine/lib/json-value.ts';
import { StoreUnavailable } from '../../engine/sessions/store.ts';

/** The record of a session in IndexedDB. */
interface Entry {
  /** The fence of the last claim. */
  readonly fence: number;
  /** The fence with which the state was saved. */
  readonly saved: number;
  readonly state?: string | undefined;
}

/** The last saved state. */
export interface SavedState {
  /** 0 if nothing was saved. */
  readonly fence: number;
  readonly state: string | undefined;
}

/** The claim of a tab. */
export interface OwnedState {
  /** A number that is higher than that of every earlier claim. */
  readonly fence: number;
  /** The fence of the claim before; 0 if there was none. */
  readonly previous: number;
  /** The last saved state. */
  readonly state: string | undefined;
  /** Saves a state and ends the claim. Returns whether this tab still had it. @throws StoreUnavailable */
  release(state: string): Promise<boolean>;
}

/**
 * Keeps a session in IndexedDB, for all tabs of an origin. Its owner is the tab that has the lock of its name: a claim waits
 * until that is free.
 */
export class IndexedDbStore {
  readonly #name: string;
  readonly #entries = createStore('backlot', 'states');
  readonly #lock: Lock;

  /** @param name the key of the session */
  constructor(name: string) {
    this.#name = name;
    this.#lock = createLock(`backlot ${name}`);
  }

  /** @throws StoreUnavailable */
  async claim(): Promise<OwnedState> {
    const unlock = await this.#lock();
    try {
      const entry = await this.#change((found) => ({ ...found, fence: found.fence + 1 }));
      const { fence, state } = entry ?? none;
      const release = (text: string) => this.#save(fence, text).finally(unlock);
      return { fence, previous: fence - 1, state, release };
    } catch (error) {
      unlock();
      throw error;
    }
  }

  /** Returns the last saved state, without a claim: for a tab that follows others. @throws StoreUnavailable */
  async newest(): Promise<SavedState> {
    try {
      const { saved, state } = entryOf(await get(this.#name, this.#entries));
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
  async seize(state: string, after?: number): Promise<number | undefined> {
    const seized = await this.#change(({ fence, saved }) => {
      if (after !== undefined && after !== saved) return undefined;
      return { fence: fence + 1, saved: fence + 1, state };
    });
    return seized?.fence;
  }

  async #save(fence: number, state: string): Promise<boolean> {
    const saved = await this.#change((entry) =>
      entry.fence === fence ? { fence, saved: fence, state } : undefined,
    );
    return saved !== undefined;
  }

  /** Replaces an entry in one transaction, unless `next` returns undefined. Returns the new one. */
  async #change(next: (entry: Entry) => Entry | undefined): Promise<Entry | undefined> {
    let changed: Entry | undefined;
    const replace = (found: unknown): unknown => (changed = next(entryOf(found))) ?? found;
    try {
      await update(this.#name, replace, this.#entries);
      return changed;
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
type Lock = () => Promise<() => void>;

/** Returns a lock for all tabs if the browser has `navigator.locks`, otherwise for this one. */
function createLock(name: string): Lock {
  if ('locks' in navigator) {
    return () =>
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
  let last: Promise<undefined> | undefined;
  return async () => {
    const before = last;
    const { promise, resolve } = Promise.withResolvers<undefined>();
    last = promise;
    await before;
    return () => resolve(undefined);
  };
}
