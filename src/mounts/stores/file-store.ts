import { rename, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  endText,
  neverSaved,
  StoreIssue,
  StoreUnavailable,
  type Claim,
  type HeldCopy,
  type SessionStore,
  type StoreContext,
} from '../../engine/sessions/store.ts';
import { Disk } from './disk.ts';
import { FolderLock } from './folder-lock.ts';
import {
  encodeFile,
  fileNameOf,
  printable,
  suffixes,
  writeFlags,
  type SavedFile,
} from './session-file.ts';
import {
  assertOwnFolder,
  makeFolder,
  markOwned,
  oldSessions,
  readSession,
  tidy,
} from './session-folder.ts';
import { thrownMessage } from '../../engine/lib/thrown.ts';

export type FileStoreOptions = Omit<StoreContext, 'onDataLost' | 'onRequested'>;

/**
 * Keeps sessions in a folder, one file each, for one process at a time. A file is replaced by a rename, so that it is
 * always whole, whenever the process ends. The store touches no file but those that it has made.
 */
export class FileStore implements SessionStore {
  readonly #folder: string;
  readonly #options: FileStoreOptions;
  readonly #disk: Disk;
  readonly #timers: NodeJS.Timeout[] = [];
  readonly #fences = new Map<string, number>();
  /** The last operation on each file. Later ones wait for it. */
  readonly #turns = new Map<string, Promise<unknown>>();
  /** The sessions whose last save has failed. */
  readonly #failures = new Set<string>();
  #isFailureTold = false;
  #lock!: FolderLock;
  #fence = 0;
  #lapses = 0;

  private constructor(folder: string, options: FileStoreOptions) {
    this.#folder = folder;
    this.#options = options;
    this.#disk = new Disk(printable(folder), options.warn);
  }

  /** @throws StoreIssue if another process uses the folder, it cannot be written to, or it has files of others */
  static async open(folder: string, options: FileStoreOptions): Promise<FileStore> {
    const store = new FileStore(folder, options);
    try {
      await store.#open();
    } catch (error) {
      if (error instanceof StoreIssue) throw error;
      throw new StoreIssue(`Cannot write to ${printable(folder)}: ${thrownMessage(error)}`);
    }
    return store;
  }

  /** Whether the disk answers. Where it is full, it does, until the memory has too many sessions that it did not take. */
  get isAvailable(): boolean {
    return !this.hangs && this.#failures.size < maxFailures;
  }

  get hangs(): boolean {
    return this.#disk.hangs;
  }

  get leaseUntil(): number {
    return this.#lock.until;
  }

  get lapses(): number {
    return this.#lapses;
  }

  async claim(key: string, what: 'any' | 'existing' | 'own', held?: HeldCopy): Promise<Claim> {
    const saved = await this.#inTurn('read a session', key, async () => this.#take(key, what));
    if (what === 'own' || (saved === undefined && what === 'existing')) return { status: 'none' };
    // Without a fence, the lock was missing. What is in the folder is then of a process that had it meanwhile.
    const isOfOther = held !== undefined && saved !== undefined;
    const previous = this.#fences.get(key) ?? (isOfOther ? -1 : 0);
    const fence = ++this.#fence;
    this.#fences.set(key, fence);
    const isTakenOver = saved?.isOwned === true && previous <= 0;
    let state = saved?.state;
    if (state === '') state = isTakenOver ? endText(neverSaved) : undefined;
    return { status: 'mine', fence, previous, state, isTakenOver };
  }

  async save(key: string, fence: number, state: string): Promise<boolean> {
    return this.#save(key, fence, { state, isOwned: true });
  }

  async release(key: string, fence: number, state: string | undefined): Promise<boolean> {
    if (this.#fences.get(key) !== fence) return false;
    if (state === undefined) {
      await this.#inTurn('delete a session', key, async () => this.#delete(key));
      this.#settled(key);
    } else await this.#save(key, fence, { state, isOwned: false });
    this.#fences.delete(key);
    return true;
  }

  touch(keys: readonly string[]): void {
    if (this.hangs) return;
    const now = new Date();
    for (const key of keys) utimes(this.#pathOf(key), now, now).catch(() => undefined);
  }

  async close(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    await Promise.allSettled(this.#turns.values());
    const { size } = this.#failures;
    if (size > 0) {
      const names = [...this.#failures].slice(0, 3).join(', ');
      this.#options.warn(`The last changes of ${size} sessions could not be saved: ${names} …`);
    }
    await this.#disk.run('leave the folder', async () => this.#leave()).catch(() => undefined);
  }

  async #open(): Promise<void> {
    const { idle, lease = 10_000, warn } = this.#options;
    const folder = this.#folder;
    await makeFolder(folder);
    await assertOwnFolder(folder);
    this.#lock = await FolderLock.take(folder, {
      lease,
      warn: (message) => warn(printable(message)),
      deleted: async () => this.#beginAgain(),
    });
    await tidy(folder, (name) => this.#lock.owns(name), warn);
    this.#regularly(lease / 4, async () =>
      this.#disk.run('use the folder', async () => this.#lock.renew()),
    );
    this.#regularly(Math.min(idle, maxInterval), async () => this.#deleteOld());
    void this.#deleteOld().catch(() => undefined);
  }

  #regularly(interval: number, work: () => Promise<void>): void {
    let isRunning = false;
    const run = async (): Promise<void> => {
      if (isRunning) return;
      isRunning = true;
      await work().catch(() => undefined);
      isRunning = false;
    };
    this.#timers.push(setInterval(() => void run(), interval).unref());
  }

  /** Reads a session and notes in its file, or a new one, that it has an owner. */
  async #take(key: string, what: 'any' | 'existing' | 'own'): Promise<SavedFile | undefined> {
    await this.#lock.check();
    const saved = await readSession(this.#pathOf(key), this.#options.warn);
    // A full disk lets sessions begin. Their changes are what cannot be saved.
    if (saved?.isOwned === false && what !== 'own')
      await markOwned(this.#pathOf(key)).catch(() => undefined);
    if (saved === undefined && what === 'any')
      await this.#write(key, { state: '', isOwned: true }).catch(() => undefined);
    return saved;
  }

  /** Returns whether this process still is the owner of a session. @throws StoreUnavailable */
  async #save(key: string, fence: number, saved: SavedFile): Promise<boolean> {
    const isCurrent = (): boolean => this.#fences.get(key) === fence;
    if (!isCurrent()) return false;
    try {
      await this.#inTurn('save a session', key, async () => this.#write(key, saved, isCurrent));
    } catch (error) {
      this.#failed(key, error);
      throw error;
    }
    this.#settled(key);
    return isCurrent();
  }

  #failed(key: string, error: unknown): void {
    const isToldElsewhere = this.hangs || this.#lock.isLost;
    if (!isToldElsewhere && !this.#isFailureTold) {
      this.#isFailureTold = true;
      this.#options.warn(`${thrownMessage(error)}. The server tries again.`);
    }
    this.#failures.add(key);
  }

  #settled(key: string): void {
    this.#failures.delete(key);
    if (!this.#isFailureTold || this.#failures.size > 0) return;
    this.#isFailureTold = false;
    this.#options.warn('All sessions are saved again.');
  }

  /** @param isWanted asked again when the disk has taken the content, which can take long */
  async #write(key: string, saved: SavedFile, isWanted = () => true): Promise<void> {
    const path = this.#pathOf(key);
    const half = path.replace(suffixes.session, suffixes.half);
    await this.#lock.check();
    try {
      await writeFile(half, encodeFile(saved), { flag: writeFlags });
      await this.#lock.check();
      await (isWanted() ? rename(half, path) : rm(half));
    } catch (error) {
      await rm(half, { force: true }).catch(() => undefined);
      throw error;
    }
  }

  async #delete(key: string): Promise<void> {
    await this.#lock.check();
    await rm(this.#pathOf(key), { force: true });
  }

  /** Deletes the files of sessions that were not used for too long. */
  async #deleteOld(): Promise<void> {
    for await (const key of oldSessions(this.#folder, this.#options.idle)) {
      if (this.#fences.has(key)) continue;
      await this.#inTurn('delete a session', key, async () => {
        if (!this.#fences.has(key)) await rm(this.#pathOf(key), { force: true });
      });
    }
  }

  /** The folder was emptied: all sessions that this process owns are saved again. */
  async #beginAgain(): Promise<void> {
    this.#options.warn(
      `The folder ${printable(this.#folder)} was emptied. Sessions in memory go on, and are saved again.`,
    );
    this.#fences.clear();
    this.#failures.clear();
    this.#lapses += 1;
    await makeFolder(this.#folder);
  }

  /** Frees what requests have claimed and never opened, then the folder. */
  async #leave(): Promise<void> {
    for (const key of this.#fences.keys()) {
      const saved = await readSession(this.#pathOf(key), this.#options.warn);
      if (saved?.isOwned === true && saved.state === '') await this.#delete(key);
    }
    await this.#lock.release();
  }

  /** Runs work after all earlier work on the same file. @throws StoreUnavailable */
  async #inTurn<Result>(what: string, key: string, work: () => Promise<Result>): Promise<Result> {
    if (this.hangs) throw new StoreUnavailable('The disk does not answer.');
    const turn = (this.#turns.get(key) ?? Promise.resolve()).then(work, work);
    this.#turns.set(key, turn);
    try {
      return await this.#disk.run(what, () => turn);
    } finally {
      if (this.#turns.get(key) === turn) this.#turns.delete(key);
    }
  }

  #pathOf(key: string): string {
    return join(this.#folder, fileNameOf(key));
  }
}

const maxFailures = 1000;

/** In milliseconds. */
const maxInterval = 600_000;
