import { rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  StoreIssue,
  type SessionStore,
  type StoreContext,
  type StoredSession,
} from '../../engine/sessions/store.ts';
import { thrownMessage } from '../../engine/lib/thrown.ts';
import { Disk } from './disk.ts';
import { FolderLock } from './folder-lock.ts';
import { encodeFile, fileNameOf, printable, suffixes, writeFlags } from './session-file.ts';
import { assertOwnFolder, makeFolder, oldSessions, readSession, tidy } from './session-folder.ts';
import { SessionUse } from './session-use.ts';

/**
 * Keeps sessions in a folder, one file each, for one process at a time. A file is replaced by a rename, so that it is
 * always whole, whenever the process ends. The store touches no file but those that it has made.
 */
export class FileStore implements SessionStore {
  readonly #folder: string;
  readonly #options: StoreContext;
  readonly #disk: Disk;
  readonly #use: SessionUse;
  /** The last operation on each file. Later ones wait for it. */
  readonly #turns = new Map<string, Promise<unknown>>();
  #sweeping: NodeJS.Timeout | undefined;
  /** The version of all sessions, which is another one if the folder was emptied: no other process changes them. */
  #version = 1;
  #isFailing = false;
  #lock!: FolderLock;

  private constructor(folder: string, options: StoreContext) {
    this.#folder = folder;
    this.#options = options;
    this.#disk = new Disk(printable(folder), options.warn);
    this.#use = new SessionUse(options.idle);
  }

  /** @throws StoreIssue if another process uses the folder, it cannot be written to, or it has files of others */
  static async open(folder: string, options: StoreContext): Promise<FileStore> {
    const store = new FileStore(folder, options);
    try {
      await store.#open();
    } catch (error) {
      if (error instanceof StoreIssue) throw error;
      throw new StoreIssue(`Cannot write to ${printable(folder)}: ${thrownMessage(error)}`);
    }
    return store;
  }

  get isAvailable(): boolean {
    return !this.hangs && !this.#lock.isLost;
  }

  get hangs(): boolean {
    return this.#disk.hangs;
  }

  async read(key: string, known?: string): Promise<StoredSession> {
    if (known === String(this.#version) && this.isAvailable && !this.#use.isIdle(key)) {
      this.#touch(key);
      return { version: known, now: Date.now() };
    }
    return this.#inTurn('read a session', key, async () => {
      if (this.#lock.isLost) await this.#lock.check();
      const [path, now] = [this.#pathOf(key), Date.now()];
      if (this.#use.isIdle(key)) await rm(path, { force: true });
      const text = await readSession(path, this.#options.warn);
      if (text === undefined) return { version: undefined, now };
      this.#touch(key);
      return { version: String(this.#version), text, now };
    });
  }

  async write(key: string, version: string | undefined, text: string): Promise<string | undefined> {
    const path = this.#pathOf(key);
    const write = async (): Promise<string | undefined> => {
      await this.#lock.check();
      if (version === undefined && (await isFile(path))) return undefined;
      await this.#replace(path, text);
      return String(this.#version);
    };
    try {
      const written = await this.#inTurn('save a session', key, write);
      if (this.#isFailing) this.#options.warn('Sessions are saved again.');
      this.#isFailing = false;
      this.#touch(key);
      return written;
    } catch (error) {
      const isToldElsewhere = this.#isFailing || !this.isAvailable;
      if (!isToldElsewhere)
        this.#options.warn(
          `${thrownMessage(error)}. Until that is mended, changes get status 503.`,
        );
      this.#isFailing ||= !isToldElsewhere;
      throw error;
    }
  }

  async delete(key: string): Promise<void> {
    await this.#inTurn('delete a session', key, async () => {
      await this.#lock.check();
      await rm(this.#pathOf(key), { force: true });
    });
    this.#use.delete(key);
  }

  async close(): Promise<void> {
    clearInterval(this.#sweeping);
    await Promise.allSettled(this.#turns.values());
    await this.#disk.run('leave the folder', async () => this.#lock.release()).catch(ignore);
  }

  async #open(): Promise<void> {
    const { idle, warn } = this.#options;
    const folder = this.#folder;
    await makeFolder(folder);
    await assertOwnFolder(folder);
    this.#lock = await FolderLock.take(folder, {
      warn: (message) => warn(printable(message)),
      deleted: async () => this.#beginAgain(),
    });
    await tidy(folder, warn);
    const sweep = (): void => void this.#deleteOld().catch(ignore);
    this.#sweeping = setInterval(sweep, Math.min(idle, maxInterval)).unref();
    sweep();
  }

  /** Writes a file beside another one, and puts it in its place. */
  async #replace(path: string, text: string): Promise<void> {
    const half = path.replace(suffixes.session, suffixes.half);
    try {
      await writeFile(half, encodeFile(text), { flag: writeFlags });
      await rename(half, path);
    } catch (error) {
      await rm(half, { force: true }).catch(ignore);
      throw error;
    }
  }

  /** Has the file of a session not become old. */
  #touch(key: string): void {
    const now = new Date();
    if (this.#use.add(key)) utimes(this.#pathOf(key), now, now).catch(ignore);
  }

  async #deleteOld(): Promise<void> {
    for await (const key of oldSessions(this.#folder, this.#use.sweep())) {
      await this.#inTurn('delete a session', key, async () => {
        if (!this.#use.has(key)) await rm(this.#pathOf(key), { force: true });
      });
    }
  }

  /** The folder was emptied: what is in memory is saved again when it is used next. */
  async #beginAgain(): Promise<void> {
    this.#options.warn(
      `The folder ${printable(this.#folder)} was emptied. Sessions in memory go on, and are saved again.`,
    );
    this.#version += 1;
    await makeFolder(this.#folder);
  }

  /** Runs work after all earlier work on the same file. @throws StoreUnavailable */
  async #inTurn<Result>(what: string, key: string, work: () => Promise<Result>): Promise<Result> {
    const before = this.#turns.get(key) ?? Promise.resolve();
    const turn = before.catch(ignore).then(async () => this.#disk.run(what, work));
    this.#turns.set(key, turn);
    try {
      return await turn;
    } finally {
      if (this.#turns.get(key) === turn) this.#turns.delete(key);
    }
  }

  #pathOf(key: string): string {
    return join(this.#folder, fileNameOf(key));
  }
}

/** In milliseconds. */
const maxInterval = 600_000;

function ignore(): void {}

async function isFile(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined)) !== undefined;
}
