import type { BackOffice } from '../../engine/office/open-back-office.ts';
import type { ApiResponse } from '../../engine/rest/message.ts';
import type { SessionStore } from '../../engine/sessions/store.ts';
import { getOrCreate } from '../../engine/lib/maps.ts';
import { unref } from '../../engine/lib/timers.ts';
import type { ChangeDetector } from './change-detector.ts';
import { unavailable } from './needed-session.ts';

/** How long a change waits at most before it is saved, in milliseconds. Later changes are saved with it. */
const delay = 25;

/** How long a save waits after one that has failed, in milliseconds. */
export const retryDelay = 250;

/** A session whose owner this server is. */
export interface Held {
  readonly name: string;
  readonly key: string;
  /** Undefined until a request opens it. */
  office: BackOffice | undefined;
  fence: number;
  /** The number of lapses of the lease at the last claim. */
  lapses: number;
  readonly changes: ChangeDetector;
  /** The save under way: whether the store answers. */
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

/** The numbers of the last change of a session, and of the last one that is saved. */
interface Progress {
  changed: number;
  saved: number;
}

/** Saves sessions that have changed, one save at a time for each, so that memory stays bounded while a store is away. */
export class Saver {
  readonly #options: SaverOptions;
  readonly #unsaved = new Map<Held, Progress>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: SaverOptions) {
    this.#options = options;
  }

  /** Has a session saved soon. */
  add(held: Held): void {
    getOrCreate(this.#unsaved, held, () => ({ changed: 0, saved: 0 })).changed += 1;
    this.#schedule(delay);
  }

  /** Whether a session has changes that are not saved. */
  has(held: Held): boolean {
    return this.#unsaved.has(held);
  }

  delete(held: Held): void {
    this.#unsaved.delete(held);
  }

  /**
   * Resolves when all changes so far are saved. Those of several requests are saved together.
   *
   * @returns a response in place of that of the request, if they cannot be saved
   */
  async saveNow(held: Held): Promise<ApiResponse | undefined> {
    const progress = this.#unsaved.get(held);
    if (progress === undefined) return undefined;
    const wanted = progress.changed;
    // A save that is under way may have begun before the change.
    let isAnswered = (await held.saving) ?? true;
    for (let tries = 0; progress.saved < wanted; tries++) {
      if (!isAnswered || tries === maxTries || !this.#options.isHeld(held)) return notSaved;
      isAnswered = await this.#save(held);
    }
    return undefined;
  }

  end(): void {
    clearTimeout(this.#timer);
  }

  #schedule(time: number): void {
    if (this.#timer !== undefined) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      for (const held of this.#unsaved.keys()) void this.#save(held);
    }, time);
    unref(this.#timer);
  }

  /** Saves a session, unless a save is under way. Returns whether the store answers. */
  #save(held: Held): Promise<boolean> {
    held.saving ??= this.#attempt(held).finally(() => {
      held.saving = undefined;
    });
    return held.saving;
  }

  async #attempt(held: Held): Promise<boolean> {
    const { store, write, refused } = this.#options;
    const progress = this.#unsaved.get(held);
    const text = store.isAvailable ? write(held) : undefined;
    if (progress === undefined || text === undefined) {
      if (!store.isAvailable) this.#schedule(retryDelay);
      return store.isAvailable;
    }
    const { changed } = progress;
    try {
      if (!(await store.save(held.key, held.fence, text))) {
        await refused(held);
        if (this.#unsaved.has(held)) this.#schedule(retryDelay);
        return true;
      }
      progress.saved = changed;
    } catch {
      this.#schedule(retryDelay);
      return false;
    }
    if (progress.saved < progress.changed) this.#schedule(delay);
    else if (this.#unsaved.get(held) === progress) this.#unsaved.delete(held);
    return true;
  }
}

/** How often a save is tried whose fence is not the latest: each time, the session is claimed again. */
const maxTries = 3;

const notSaved = unavailable('The change cannot be saved at the moment. It may be lost.');
