import type { BackOffice } from '../../engine/office/open-back-office.ts';
import type { ApiResponse } from '../../engine/rest/message.ts';
import type { Server } from '../../engine/sessions/server.ts';
import {
  neverSaved,
  StoreUnavailable,
  type Claim,
  type SessionStore,
} from '../../engine/sessions/store.ts';
import { wait } from '../wait.ts';
import { ChangeDetector } from './change-detector.ts';
import { dropReason, sharedName, takenOver } from './needed-session.ts';
import { Moves } from './moves.ts';
import { Opened } from './opened.ts';
import { Reclaims } from './reclaims.ts';
import { Releases } from './releases.ts';
import { Requested } from './requested.ts';
import type { SessionTexts } from './saved-session.ts';
import { retryDelay, Saver, type Held } from './saver.ts';

export interface KeeperOptions {
  readonly server: Server;
  readonly store: SessionStore;
  readonly texts: SessionTexts;
  /** Whether a response waits until its changes are saved. */
  readonly isDurable: boolean;
  /** Receives what operators should know. */
  readonly warn: (message: string) => void;
}

type NotMine = Exclude<Claim, { status: 'mine' }>;

/** Owns sessions: claims them, saves what changes, and gives them up. */
export class Keeper {
  readonly #options: KeeperOptions;
  readonly #held = new Map<string, Held>();
  readonly #saver: Saver;
  readonly #moves = new Moves();
  readonly #releases: Releases;
  readonly #reclaims = new Reclaims(async (name) => this.#reclaim(name));
  /** Sessions that requests are about to use, so that no other one takes their place. */
  readonly #pinned = new Set<string>();
  readonly #requested = new Requested({
    isInUse: (name) => this.#isInUse(name),
    release: async (name) => this.#release(name),
  });
  readonly #opened: Opened;
  /** In front of the names of sessions, so that a reset of everything begins with new ones. */
  epoch = '';
  isClosing = false;

  constructor(options: KeeperOptions) {
    this.#options = options;
    this.#releases = new Releases(options.store, this.#moves, (name) => this.#lost(name));
    this.#saver = new Saver({
      store: options.store,
      write: (held) => this.#textOf(held),
      refused: async (held) => this.#verify(held),
      isHeld: (held) => this.#held.get(held.name) === held,
    });
    this.#opened = new Opened({
      ...options,
      keyOf: (name) => this.keyOf(name),
      claim: async (name) =>
        this.#moves.run(name, async () => {
          await this.#releases.flush(name);
          return options.store.claim(this.keyOf(name), 'any');
        }),
      keep: async (name, fence, office) => {
        const held = this.#hold(name, this.keyOf(name), fence, office);
        held.changes.reset(office);
        this.#saver.add(held);
        return options.isDurable ? this.#saver.saveNow(held) : undefined;
      },
    });
    options.server.sessions.listen({
      opened: (name, office) => this.#open(name, office),
      ended: (name, reason) => this.#ended(name, reason),
      replaced: (before, after) => this.#replaced(before, after),
      full: (names) => this.#park(names),
    });
  }

  /** Whether an operation of the store may never end, and the process with it. */
  get hangs(): boolean {
    return this.#options.store.hangs ?? false;
  }

  /** Returns a session if this server is its owner and no other one can be. */
  get(name: string): Held | undefined {
    return this.#moves.has(name) || this.#requested.has(name) ? undefined : this.#owned(name);
  }

  #owned(name: string): Held | undefined {
    const held = this.#held.get(name);
    const { store } = this.#options;
    if (held === undefined || held.lapses !== store.lapses) return undefined;
    return performance.now() >= store.leaseUntil ? undefined : held;
  }

  /**
   * Claims a session.
   *
   * @returns where it is, if not here
   * @throws StoreUnavailable
   */
  async claim(name: string, what: 'any' | 'existing'): Promise<NotMine | undefined> {
    await this.#requested.released(name);
    return this.#moves.run(name, async () => {
      // One that waited before this one may have claimed it.
      if (this.#owned(name) === undefined) {
        if (this.isClosing) return { status: 'none' };
        try {
          const place = await this.#claim(name, what);
          if (place !== undefined) return place;
        } catch (error) {
          if (!(error instanceof StoreUnavailable && this.#isUsable(name))) throw error;
        }
      }
      this.#pin(name);
      return undefined;
    });
  }

  /** Whether a session that may lose changes can be used while the store cannot be reached. */
  #isUsable(name: string): boolean {
    const { store, isDurable } = this.#options;
    const { usableUntil = store.leaseUntil } = store;
    return this.#held.has(name) && !isDurable && performance.now() < usableUntil;
  }

  /** Has a session stay in memory until the request that has claimed it is answered, which no timer precedes. */
  #pin(name: string): void {
    this.#pinned.add(name);
    setTimeout(() => this.#pinned.delete(name), 0);
  }

  /** Notes what a request has changed: see `SessionRouter`. */
  settle(name: string | undefined, isRead: boolean): Promise<ApiResponse | undefined> | undefined {
    const claiming = this.#opened.claimAll();
    if (claiming !== undefined) return claiming;
    const held = name === undefined ? undefined : this.#held.get(name);
    if (held?.office === undefined || !held.changes.detect(held.office, isRead)) return undefined;
    this.#saver.add(held);
    return this.#options.isDurable ? this.#saver.saveNow(held) : undefined;
  }

  /** Has the owned sessions that were used lately not expire. */
  touch(within: number): void {
    const { server, store } = this.#options;
    const used = Array.from(this.#held.values()).filter(
      ({ name }) => name === sharedName || (server.sessions.timesOf(name)?.idle ?? 0) < within,
    );
    store.touch(used.map(({ key }) => key));
  }

  /** Gives up a session that another server has requested, once no request is in progress on it. */
  letGo(key: string): void {
    const name = key.slice(this.keyOf('').length);
    if (this.keyOf(name) === key) this.#requested.add(name);
  }

  async #release(name: string): Promise<void> {
    const held = this.#held.get(name);
    if (held !== undefined) this.#leave(held);
    const free = async (): Promise<void> => {
      if (held === undefined) await this.#releases.free(name, this.keyOf(name));
    };
    await this.#moves.run(name, free).catch(() => undefined);
  }

  /** Saves and gives up every session, and closes the store. */
  async close(): Promise<void> {
    const { store, warn } = this.#options;
    this.isClosing = true;
    await this.#moves.allEnded();
    // The requests that have waited for these claims are answered first.
    await wait(0);
    for (const held of this.#held.values()) this.#leave(held);
    await this.#moves.allEnded();
    this.#saver.end();
    this.#releases.end(warn);
    await store.close();
  }

  /** Claims all sessions again, because the store has lost that this server is their owner. */
  reclaim(): void {
    this.#reclaims.add(this.#held.keys());
    this.#releases.restore();
  }

  /** Gives up every session without saving it, because everything begins anew under other keys. */
  beginEpoch(epoch: string): void {
    const shared = this.#held.get(sharedName);
    if (shared !== undefined) this.#ended(sharedName);
    this.epoch = epoch;
  }

  /** Returns the key of a session in the store. */
  keyOf(name: string): string {
    return this.epoch === '' ? name : `${this.epoch}~${name}`;
  }

  /** Returns after which time in milliseconds to try again, if it is not decided who owns the session. */
  async #reclaim(name: string): Promise<number | undefined> {
    try {
      const place = await this.#moves.run(name, async () =>
        this.isClosing || !this.#held.has(name) ? undefined : this.#claim(name, 'own'),
      );
      return place?.status === 'wait' ? place.remaining : undefined;
    } catch {
      return retryDelay;
    }
  }

  async #claim(name: string, what: 'any' | 'existing' | 'own'): Promise<NotMine | undefined> {
    const { store } = this.#options;
    const key = this.keyOf(name);
    await this.#releases.flush(name);
    const before = this.#held.get(name);
    // Another claim, of a save that was refused, may change the fence meanwhile.
    const copy = before && { fence: before.fence, lapses: before.lapses };
    const claim = await store.claim(key, what, copy);
    const held = this.#held.get(name);
    if (claim.status === 'wait') return claim;
    if (claim.status !== 'mine') {
      if (held !== undefined) this.#drop(held);
      return claim;
    }
    // This server has the newest state if no other one has claimed it since, or if the store has lost it.
    if (held !== undefined && [copy?.fence, held.fence, 0].includes(claim.previous)) {
      held.fence = Math.max(held.fence, claim.fence);
      held.lapses = store.lapses;
      this.#saver.add(held);
      return undefined;
    }
    if (held !== undefined) this.#drop(held);
    this.#adopt(name, key, claim);
    return undefined;
  }

  #adopt(name: string, key: string, claim: Extract<Claim, { status: 'mine' }>): void {
    const { server, texts, isDurable } = this.#options;
    const { fence, isTakenOver, state } = claim;
    const notice = isTakenOver && !isDurable ? takenOver(name) : server.sessions.takeEnd(name);
    const held = this.#hold(name, key, fence, name === sharedName ? server.shared : undefined);
    if (state === undefined) {
      if (isTakenOver) this.#beginAnew(held, neverSaved);
    } else {
      const open = (age: number): BackOffice => held.office ?? server.sessions.adopt(name, age);
      const refusal = texts.read(state, open);
      if (refusal !== undefined) this.#beginAnew(held, refusal.reason);
      else if (notice !== undefined) server.sessions.notify(name, notice);
    }
    if (held.office !== undefined) held.changes.reset(held.office);
  }

  #hold(name: string, key: string, fence: number, office: BackOffice | undefined): Held {
    const { lapses } = this.#options.store;
    this.#releases.forget(name);
    const changes = new ChangeDetector();
    const held = { name, key, office, fence, lapses, changes, saving: undefined };
    this.#held.set(name, held);
    return held;
  }

  #beginAnew(held: Held, reason: string): void {
    const { server } = this.#options;
    if (held.name === sharedName) {
      server.shared.reset();
      return;
    }
    server.sessions.forget(held.name);
    held.office = undefined;
    server.sessions.recordEnd(held.name, reason);
  }

  #open(name: string, office: BackOffice): void {
    const held = this.#held.get(name);
    if (held === undefined) this.#opened.add(name);
    else held.office = office;
  }

  #replaced(before: BackOffice, after: BackOffice): void {
    for (const held of this.#held.values()) {
      if (held.office !== before) continue;
      held.office = after;
      this.#saver.add(held);
    }
  }

  /** Has the first of the sessions that can be given up stay in the store only. */
  #park(names: Iterable<string>): void {
    const held = [...names]
      .filter((name) => !this.#moves.has(name) && !this.#pinned.has(name))
      .map((name) => this.#held.get(name))
      .find((one) => one !== undefined && !this.#isAwaited(one));
    if (held !== undefined && this.#options.store.isAvailable) this.#leave(held);
  }

  #isInUse(name: string): boolean {
    const held = this.#held.get(name);
    const isAwaited = held !== undefined && this.#isAwaited(held);
    return isAwaited || this.#pinned.has(name) || this.#moves.has(name);
  }

  /** Whether responses wait until a session is saved. */
  #isAwaited(held: Held): boolean {
    return this.#options.isDurable && this.#saver.has(held);
  }

  #ended(name: string, reason?: string): void {
    const held = this.#held.get(name);
    if (held === undefined) return;
    this.#held.delete(name);
    this.#saver.delete(held);
    const { texts } = this.#options;
    this.#releases.add(held, reason === undefined ? undefined : texts.writeEnd(reason));
  }

  /** Saves and gives up a session, which is in the memory of this server no longer. */
  #leave(held: Held): void {
    const text = this.#textOf(held);
    this.#remove(held);
    this.#releases.add(held, text);
  }

  /** Removes a session that another server owns now. */
  #drop(held: Held): void {
    this.#remove(held);
    this.#lost(held.name);
  }

  /** Has the client of a session learn that its last changes may be missing. */
  #lost(name: string): void {
    const { server, isDurable } = this.#options;
    if (name !== sharedName && !isDurable) server.sessions.recordEnd(name, dropReason);
  }

  #remove(held: Held): void {
    const { server } = this.#options;
    const { name } = held;
    this.#saver.delete(held);
    this.#held.delete(name);
    if (name === sharedName) server.shared.reset();
    else server.sessions.forget(name);
  }

  #textOf({ name, office }: Held): string | undefined {
    const { server, texts } = this.#options;
    return office && texts.write(office, server.sessions.timesOf(name)?.age ?? 0);
  }

  async #verify(held: Held): Promise<void> {
    const { name } = held;
    if (this.#held.get(name) !== held) return;
    try {
      await this.#moves.run(name, async () => {
        if (this.#held.get(name) === held) await this.#claim(name, 'own');
      });
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
    }
  }
}
