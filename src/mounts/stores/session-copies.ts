import { scenarioOf } from '../../engine/office/difference.ts';
import type { BackOffice } from '../../engine/office/open-back-office.ts';
import type { Server } from '../../engine/sessions/server.ts';
import type { SessionStore, StoredSession } from '../../engine/sessions/store.ts';
import { sharedName } from './needed-session.ts';
import type { SessionTexts } from './saved-session.ts';

export interface CopiesOptions {
  readonly server: Server;
  readonly store: SessionStore;
  readonly texts: SessionTexts;
  /** The time for which the store keeps an unused session, in milliseconds. */
  readonly idle: number;
}

/** What is known of a back office in memory. */
interface Copy {
  /** The version of the store that it has; undefined if the store never had it. */
  version: string | undefined;
  /** When the store was last asked for it, by `performance.now()`. */
  readAt: number;
  /** Its stamp when it was loaded or written. */
  stamp: Stamp;
}

/** The sessions in the memory of a server as copies of those in a store. One that is removed is read again. */
export class SessionCopies {
  readonly #options: CopiesOptions;
  #copies = new WeakMap<BackOffice, Copy>();

  constructor(options: CopiesOptions) {
    this.#options = options;
    this.clear();
  }

  /** Returns the version of a session in memory. */
  versionOf(name: string): string | undefined {
    return this.#copyOf(name)?.version;
  }

  /** Has all sessions be new to the store. */
  clear(): void {
    this.#copies = new WeakMap();
    this.add(this.#options.server.shared);
  }

  /** Adds a back office that was opened. */
  add(office: BackOffice, version?: string, readAt = 0): void {
    this.#copies.set(office, { version, readAt, stamp: stampOf(office) });
  }

  /** Has a back office take the place of another one, and be written when it is used next. */
  replace(before: BackOffice, after: BackOffice): void {
    const copy = this.#copies.get(before);
    if (copy !== undefined) this.#copies.set(after, { ...copy, stamp: [] });
  }

  /**
   * Brings a session in memory to the state of the store.
   *
   * @param readAt when that was requested, by `performance.now()`
   * @returns the function that undoes what was done to the session since
   */
  take(name: string, stored: StoredSession, readAt: number): () => void {
    const copy = this.#copyOf(name);
    // Other servers may have used it meanwhile.
    if (stored.version !== undefined) this.#options.server.sessions.touch(name);
    if (copy !== undefined && copy.version === stored.version) copy.readAt = readAt;
    else if (stored.version !== undefined) this.#load(name, stored, readAt);
    else if (copy !== undefined) this.#keep(name, copy, readAt);
    const office = this.#officeOf(name);
    const undo = office?.savepoint();
    return () => {
      if (this.#officeOf(name) !== office) return this.#remove(name);
      undo?.();
      const own = office && this.#copies.get(office);
      if (own !== undefined) own.stamp = stampOf(office!);
    };
  }

  /**
   * Writes a session if it has changed, or if the store does not have it any more.
   *
   * @param stored what the store had before
   * @returns false if the store has another version now
   * @throws StoreUnavailable
   */
  async write(name: string, key: string, { version, now }: StoredSession): Promise<boolean> {
    const { server, store, texts } = this.#options;
    const office = this.#officeOf(name);
    const copy = this.#copyOf(name);
    if (office === undefined || copy === undefined) return true;
    const stamp = stampOf(office);
    const isChanged = stamp.some((part, at) => part !== copy.stamp[at]);
    copy.stamp = stamp;
    if (!isChanged && copy.version === version) return true;
    const text = texts.write(office, server.sessions.ageOf(name), now);
    const readAt = performance.now();
    const written = await store.write(key, version, text);
    if (written === undefined) return false;
    copy.version = written;
    copy.readAt = readAt;
    return true;
  }

  /**
   * Writes a session that was opened under a new name.
   *
   * @returns false if there is one of this name already
   * @throws StoreUnavailable
   */
  async begin(key: string, office: BackOffice): Promise<boolean> {
    const { store, texts } = this.#options;
    const stored = await store.read(key);
    const copy = this.#copies.get(office);
    // A request that has used it meanwhile has written it.
    if (copy === undefined || copy.version !== undefined) return true;
    if (stored.text && !texts.isEnd(stored.text)) return false;
    copy.stamp = stampOf(office);
    const text = texts.write(office, 0, stored.now);
    const version = await store.write(key, stored.version, text);
    copy.version ??= version;
    copy.readAt = performance.now();
    return copy.version !== undefined;
  }

  #officeOf(name: string): BackOffice | undefined {
    const { server } = this.#options;
    return name === sharedName ? server.shared : server.sessions.peek(name);
  }

  #copyOf(name: string): Copy | undefined {
    const office = this.#officeOf(name);
    return office && this.#copies.get(office);
  }

  /** The store does not have a session: it has lost it, unless it was idle for too long. */
  #keep(name: string, copy: Copy, readAt: number): void {
    const { sessions } = this.#options.server;
    const open = sessions.find(name);
    if (name !== sharedName && open === undefined) return;
    if (readAt - copy.readAt >= this.#options.idle) this.#remove(name);
    else sessions.notify(name, restoredNotice(name));
  }

  #load(name: string, { version, text = '', now }: StoredSession, readAt: number): void {
    const { server, texts } = this.#options;
    if (text === '') return this.#remove(name);
    const office = this.#officeOf(name);
    // The shared back office is there from the start.
    const isUsed = office !== undefined && office.journal.nextId > 1;
    let loaded: BackOffice | undefined;
    const open = (age: number): BackOffice =>
      (loaded = isUsed
        ? office.sibling(name, scenarioOf(office.shop.start))
        : (office ?? server.sessions.adopt(name, age)));
    const refusal = texts.read(text, open, { now });
    if (refusal !== undefined) {
      this.#remove(name);
      if (name !== sharedName) server.sessions.recordEnd(name, refusal.reason);
      return;
    }
    if (isUsed) office.follow(loaded!, 'changed by another server');
    this.add(this.#officeOf(name)!, version, readAt);
  }

  /** Removes a session from memory. */
  #remove(name: string): void {
    const { server } = this.#options;
    if (name !== sharedName) return server.sessions.forget(name);
    server.shared.reset();
    this.add(server.shared);
  }
}

/** What differs after each change of a back office, at a cost that does not matter to a request. */
type Stamp = readonly unknown[];

function stampOf({ shop, snapshots }: BackOffice): Stamp {
  const list = snapshots.list();
  return [shop.transaction.writes, shop.clock.moves, list.length, list.at(-1)?.state];
}

function restoredNotice(name: string): string {
  return `Session ${name} was restored from the memory of a server, because the store had lost it. Changes that other servers have made may be missing.`;
}
