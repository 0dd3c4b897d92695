import { StoreUnavailable, type HeldCopy, type SessionStore } from '../../engine/sessions/store.ts';
import { unref } from '../../engine/lib/timers.ts';
import type { Moves } from './moves.ts';
import { retryDelay, type Held } from './saver.ts';

/** A session that is in the memory of this server no longer. */
interface Released extends HeldCopy {
  readonly key: string;
  /** Undefined if it is to be deleted. */
  readonly text: string | undefined;
  /** By `performance.now()`. */
  readonly at: number;
  /** Whether the store has taken it once, and has lost its data since. */
  readonly isRestored: boolean;
}

/**
 * How long the last state of a session is kept at least after the store has taken it, in milliseconds, and of how many
 * sessions at most.
 */
const [keptFor, maxKept] = [10_000, 1000];

/** Gives sessions up: tries again until the store takes them, so that nothing is lost while it cannot be used. */
export class Releases {
  readonly #store: SessionStore;
  readonly #moves: Moves;
  readonly #lost: (name: string) => void;
  /** What the store has not taken yet. */
  readonly #waiting = new Map<string, Released>();
  /** What the store has taken, the oldest first. If it loses its data, the next owner may not have it in memory yet. */
  readonly #taken = new Map<string, Released>();
  #isEnded = false;

  /** @param lost is called with the name of a session that another server has taken over before it was released */
  constructor(store: SessionStore, moves: Moves, lost: (name: string) => void) {
    this.#store = store;
    this.#moves = moves;
    this.#lost = lost;
  }

  /** @param text what is saved last; undefined to delete the session */
  add(held: Held, text: string | undefined): void {
    const { name, key, fence, lapses } = held;
    const at = performance.now();
    this.#waiting.set(name, { key, fence, lapses, text, at, isRestored: false });
    this.#moves
      .run(name, async () => {
        await held.saving;
        await this.flush(name);
      })
      .catch(() => this.#retry(name));
  }

  /** Releases a session now if it waits for that. @throws StoreUnavailable */
  async flush(name: string): Promise<void> {
    const waiting = this.#waiting.get(name);
    if (waiting === undefined) return;
    const { key, fence, text, isRestored } = waiting;
    const isTaken = !isRestored && (await this.#store.release(key, fence, text));
    if (!isTaken) await this.#releaseAgain(name, waiting);
    if (this.#waiting.get(name) === waiting) this.#waiting.delete(name);
    if (text !== undefined && !isRestored) this.#keep(name, waiting);
  }

  /** Forgets the state of a session that this server owns again. */
  forget(name: string): void {
    this.#taken.delete(name);
  }

  /** Releases again what the store may have lost. */
  restore(): void {
    for (const [name, taken] of this.#taken) {
      if (this.#waiting.has(name)) continue;
      // Other servers may have later copies.
      this.#waiting.set(name, { ...taken, lapses: -1, isRestored: true });
      this.#retry(name, 0);
    }
  }

  /** Frees a session that this server owns and does not have, because no reply to its claim has arrived. */
  async free(name: string, key: string): Promise<void> {
    await this.flush(name);
    const claim = await this.#store.claim(key, 'own');
    if (claim.status === 'mine') await this.#store.release(key, claim.fence, claim.state);
  }

  /** Tries no more. Warns of what the store has not taken. */
  end(warn: (message: string) => void): void {
    this.#isEnded = true;
    const { size } = this.#waiting;
    if (size > 0)
      warn(`The store has not taken the last changes of ${size} session${size === 1 ? '' : 's'}.`);
  }

  #keep(name: string, taken: Released): void {
    this.#taken.delete(name);
    this.#taken.set(name, taken);
    const oldest = performance.now() - keptFor;
    for (const [one, { at }] of this.#taken) {
      if (at > oldest && this.#taken.size <= maxKept) break;
      this.#taken.delete(one);
    }
  }

  /** Releases what the store has lost, unless another server has a later copy. */
  async #releaseAgain(name: string, waiting: Released): Promise<void> {
    const { key, text, isRestored } = waiting;
    const claim = await this.#store.claim(key, 'own', waiting);
    if (claim.status === 'wait') throw new StoreUnavailable('The store has lost data.');
    if (claim.status === 'mine') await this.#store.release(key, claim.fence, text);
    else if (!isRestored) this.#lost(name);
  }

  #retry(name: string, delay = retryDelay): void {
    const again = (): void => {
      if (this.#isEnded || !this.#waiting.has(name)) return;
      if (this.#moves.has(name)) return this.#retry(name);
      this.#moves.run(name, async () => this.flush(name)).catch(() => this.#retry(name));
    };
    unref(setTimeout(again, delay));
  }
}
