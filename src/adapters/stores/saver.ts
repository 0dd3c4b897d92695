import type { BackOffice } from '../../office/open-back-office.ts';
import type { ApiResponse } from '../../rest/message.ts';
import type { SessionStore } from '../../sessions/store.ts';
import type { ChangeDetector } from './change-detector.ts';
import { unavailable } from './needed.ts';

/** How long a change waits at most before it is saved, in milliseconds. Later changes are saved with it. */
const delay = 25;

/** How long a save waits after one that has failed, in milliseconds. */
const retryDelay = 250;

/** A session whose owner this server is. */
export interface Held {
  readonly name: string;
  readonly key: string;
  /** Undefined until a request opens it. */
  office: BackOffice | undefined;
  fence: number;
  /** The number of lapses of the lease at the last claim. */
  lapses: number;
  /** Whether its owner before has ended without a release. */
  readonly isTakenOver: boolean;
  readonly changes: ChangeDetector;
  saving: Promise<boolean> | undefined;
}

export interface SaverOptions {
  readonly store: SessionStore;
  /** Returns what is to be saved; undefined for a session that no request has opened. */
  readonly write: (held: Held) => string | undefined;
  /** Called when the store has not taken a save, because another server may be the owner. */
  readonly refused: (held: Held) => Promise<void>;
  readonly isHeld: (held: Held) => boolean;
}

/** Saves sessions that have changed, one save at a time for each, so that memory stays bounded while a store is away. */
export class Saver {
  readonly #options: SaverOptions;
  readonly #dirty = new Set<Held>();
  #timer: NodeJS.Timeout | undefined;

  constructor(options: SaverOptions) {
    this.#options = options;
  }

  /** Has a session saved soon. */
  add(held: Held): void {
    this.#dirty.add(held);
    this.#schedule(delay);
  }

  delete(held: Held): void {
    this.#dirty.delete(held);
  }

  /** Saves a session at once. Returns a response in place of that of its request if this fails. */
  async saveNow(held: Held): Promise<ApiResponse | undefined> {
    for (let tries = 0; tries < 3; tries++) {
      await held.saving;
      if (!this.#dirty.has(held)) return undefined;
      if (await this.#save(held)) return undefined;
      if (!this.#options.isHeld(held)) break;
    }
    return unavailable('The change cannot be saved at the moment. It may be lost.');
  }

  end(): void {
    clearTimeout(this.#timer);
  }

  #schedule(time: number): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      for (const held of this.#dirty) if (held.saving === undefined) void this.#save(held);
    }, time).unref();
  }

  /** Returns whether the session was saved. */
  async #save(held: Held): Promise<boolean> {
    const { store, write, refused, isHeld } = this.#options;
    if (!store.isAvailable) {
      this.#schedule(retryDelay);
      return false;
    }
    const text = write(held);
    if (text === undefined) return false;
    this.#dirty.delete(held);
    held.saving = store.save(held.key, held.fence, text).catch(() => {
      if (isHeld(held)) this.#dirty.add(held);
      this.#schedule(retryDelay);
      return true;
    });
    const isTaken = await held.saving;
    held.saving = undefined;
    if (!isTaken) await refused(held);
    else if (this.#dirty.has(held)) this.#schedule(delay);
    return isTaken && !this.#dirty.has(held);
  }
}
