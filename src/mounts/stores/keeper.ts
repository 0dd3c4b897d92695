import type { BackOffice } from '../../engine/office/open-back-office.ts';
import type { ApiResponse } from '../../engine/rest/message.ts';
import type { Server } from '../../engine/sessions/server.ts';
import {
  neverSaved,
  StoreUnavailable,
  type Claim,
  type OpenStore,
  type SessionStore,
  type StoreContext,
} from '../../engine/sessions/store.ts';
import { wait } from '../wait.ts';
import { ChangeDetector } from './change-detector.ts';
import { conflict, dropReason, sharedName, takenOver, unavailable, undecided } from './needed.ts';
import { measuredStore } from './measured-store.ts';
import { Moves } from './moves.ts';
import { Reclaims } from './reclaims.ts';
import { Releases } from './releases.ts';
import { SessionTexts } from './saved-session.ts';
import { retryDelay, Saver, type Held } from './saver.ts';

export interface KeepOptions extends Omit<StoreContext, 'onDataLost' | 'onRequested'> {
  /** Whether a response waits until its changes are saved. */
  readonly isDurable: boolean;
  /** The version of the program, and what else decides how a scenario starts. */
  readonly program: string;
}

interface KeeperOptions extends Pick<KeepOptions, 'isDurable' | 'warn'> {
  readonly server: Server;
  readonly store: SessionStore;
  readonly texts: SessionTexts;
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
  /** Sessions that other servers have requested, with what ends when they are released. */
  readonly #leaving = new Map<string, Promise<void>>();
  /** Sessions that requests have opened under new names, and that are not claimed yet. */
  #unclaimed: string[] = [];
  /** In front of the names of sessions, so that a reset of everything begins with new ones. */
  epoch = '';
  isClosing = false;

  private constructor(options: KeeperOptions) {
    this.#options = options;
    this.#releases = new Releases(options.store, this.#moves, (name) => this.#lost(name));
    this.#saver = new Saver({
      store: options.store,
      write: (held) => this.#textOf(held),
      refused: async (held) => this.#verify(held),
      isHeld: (held) => this.#held.get(held.name) === held,
    });
    options.server.sessions.listen({
      opened: (name, office) => this.#opened(name, office),
      ended: (name, reason) => this.#ended(name, reason),
      replaced: (before, after) => this.#replaced(before, after),
      full: (names) => this.#park(names),
    });
  }

  /** Keeps the sessions of a server in a store. @throws StoreIssue if it cannot be opened */
  static async open(
    server: Server,
    open: OpenStore,
    { isDurable, program, ...options }: KeepOptions,
  ): Promise<Keeper> {
    const own: { keeper?: Keeper } = {};
    const opened = await open({
      ...options,
      onDataLost: () => own.keeper?.reclaim(),
      onRequested: (key) => own.keeper?.letGo(key),
    });
    const store = measuredStore(opened, server.countStore);
    const texts = new SessionTexts(program, (name) => server.scenario(name));
    own.keeper = new Keeper({ server, store, texts, isDurable, warn: options.warn });
    server.requireStore(() => store.isAvailable);
    return own.keeper;
  }

  /** Whether an operation of the store may never end, and the process with it. */
  get hangs(): boolean {
    return this.#options.store.hangs ?? false;
  }

  /** Returns a session if this server is its owner and no other one can be. */
  get(name: string): Held | undefined {
    return this.#moves.has(name) || this.#leaving.has(name) ? undefined : this.#owned(name);
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
    await this.#leaving.get(name);
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
    const isCurrent = this.#held.get(name)?.lapses === store.lapses;
    return isCurrent && !isDurable && performance.now() < usableUntil;
  }

  /** Has a session stay in memory until the request that has claimed it is answered, which no timer precedes. */
  #pin(name: string): void {
    this.#pinned.add(name);
    setTimeout(() => this.#pinned.delete(name), 0);
  }

  /** Notes what a request has changed: see `SessionRouter`. */
  settle(name: string | undefined, isRead: boolean): Promise<ApiResponse | undefined> | undefined {
    const opened = this.#unclaimed;
    if (opened.length > 0) {
      this.#unclaimed = [];
      return this.#claimOpened(opened);
    }
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
    if (this.keyOf(name) !== key || this.#leaving.has(name)) return;
    const leaving = this.#letGo(name).finally(() => this.#leaving.delete(name));
    this.#leaving.set(name, leaving);
  }

  async #letGo(name: string): Promise<void> {
    // Later requests wait, and the other server requests it again.
    for (let tries = 0; this.#isInUse(name); tries++) {
      if (tries === maxTries) return;
      await wait(1);
    }
    const held = this.#held.get(name);
    if (held !== undefined) this.#leave(held);
    else await this.#moves.run(name, async () => this.#free(name)).catch(() => undefined);
    await this.#moves.run(name, async () => wait(handOver));
  }

  /** Frees a session that this server owns and does not have, because no reply to its claim has arrived. */
  async #free(name: string): Promise<void> {
    const { store } = this.#options;
    const key = this.keyOf(name);
    await this.#releases.flush(name);
    const claim = await store.claim(key, 'own');
    if (claim.status === 'mine') await store.release(key, claim.fence, claim.state);
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
    this.#releases.end();
    const { size } = this.#releases;
    if (size > 0)
      warn(`The store has not taken the last changes of ${size} session${size === 1 ? '' : 's'}.`);
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

  #opened(name: string, office: BackOffice): void {
    const held = this.#held.get(name);
    if (held === undefined) this.#unclaimed.push(name);
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

  async #claimOpened(names: readonly string[]): Promise<ApiResponse | undefined> {
    const answers = await Promise.all(names.map(async (name) => this.#claimNew(name)));
    return answers.find((answer) => answer !== undefined);
  }

  /** Claims a session that a request has opened. Removes it if it cannot be claimed. */
  async #claimNew(name: string): Promise<ApiResponse | undefined> {
    const { server, store, texts, isDurable } = this.#options;
    const key = this.keyOf(name);
    const office = server.sessions.peek(name);
    if (office === undefined) return undefined;
    try {
      const claim = await this.#moves.run(name, async () => {
        await this.#releases.flush(name);
        return store.claim(key, 'any');
      });
      const isNew = claim.status === 'mine' && (!claim.state || texts.isEnd(claim.state));
      if (claim.status === 'mine' && isNew) {
        const held = this.#hold(name, key, claim.fence, office);
        held.changes.reset(office);
        this.#saver.add(held);
        return isDurable ? await this.#saver.saveNow(held) : undefined;
      }
      if (claim.status === 'mine') await store.release(key, claim.fence, claim.state);
      server.sessions.forget(name);
      return claim.status === 'wait' ? undecided(claim.remaining) : conflict(name);
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      server.sessions.forget(name);
      return unavailable(
        `No session can begin at the moment, because the store of sessions ${error.reason}.`,
      );
    }
  }
}

/** How long a session that is in use is not given up, and how long one that was given up is not claimed again, in milliseconds. */
const [maxTries, handOver] = [1000, 3];
