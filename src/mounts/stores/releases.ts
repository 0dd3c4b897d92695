import { StoreUnavailable, type HeldCopy, type SessionStore } from '../../engine/sessions/store.ts';
import { unref } from '../../engine/lib/timers.ts';
import type { Moves } from './moves.ts';
import { retryDelay, type Held } from './saver.ts';

/** A session that is in the memory of this server no longer, and that the store has not taken yet. */
interface Unreleased extends HeldCopy {
  readonly key: string;
  /** Undefined if it is to be deleted. */
  readonly text: string | undefined;
}

/** Gives sessions up: tries again until the store takes them, so that nothing is lost while it cannot be used. */
export class Releases {
  readonly #store: SessionStore;
  readonly #moves: Moves;
  readonly #waiting = new Map<string, Unreleased>();
  readonly #lost: (name: string) => void;
  #isEnded = false;

  /** @param lost is called with the name of a session that another server has taken over before it was released */
  constructor(store: SessionStore, moves: Moves, lost: (name: string) => void) {
    this.#store = store;
    this.#moves = moves;
    this.#lost = lost;
  }

  /** The number of sessions that the store has not taken. */
  get size(): number {
    return this.#waiting.size;
  }

  /** @param text what is saved last; undefined to delete the session */
  add(held: Held, text: string | undefined): void {
    const { name, key, fence, lapses } = held;
    this.#waiting.set(name, { key, fence, lapses, text });
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
    const { key, fence, text } = waiting;
    if (!(await this.#store.release(key, fence, text))) await this.#releaseAgain(name, waiting);
    if (this.#waiting.get(name) === waiting) this.#waiting.delete(name);
  }

  /** Releases what the store has lost, unless another server has a later copy. */
  async #releaseAgain(name: string, waiting: Unreleased): Promise<void> {
    const { key, text } = waiting;
    const claim = await this.#store.claim(key, 'own', waiting);
    if (claim.status === 'wait') throw new StoreUnavailable('The store has lost data.');
    if (claim.status === 'mine') await this.#store.release(key, claim.fence, text);
    else this.#lost(name);
  }

  /** Tries no more. */
  end(): void {
    this.#isEnded = true;
  }

  #retry(name: string): void {
    const again = (): void => {
      if (this.#isEnded || !this.#waiting.has(name)) return;
      if (this.#moves.has(name)) return this.#retry(name);
      this.#moves.run(name, async () => this.flush(name)).catch(() => this.#retry(name));
    };
    unref(setTimeout(again, retryDelay));
  }
}
