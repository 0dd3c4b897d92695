import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { readFile, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StoreUnavailable, type Claim, type SessionStore } from '../../sessions/store.ts';

export interface FileStoreOptions {
  /** How long the file of an unused session stays, in milliseconds. */
  readonly idle: number;
}

/** A folder that cannot be used. The message states why. */
export class StoreIssue extends Error {
  override readonly name = 'StoreIssue';
}

/**
 * Keeps sessions in a folder, one file each, for one process at a time. A file is replaced by a rename, so that it is
 * always whole, whenever the process ends.
 */
export class FileStore implements SessionStore {
  readonly isAvailable = true;
  readonly leaseUntil = Infinity;
  readonly lapses = 0;
  readonly secret = '';
  readonly #folder: string;
  readonly #idle: number;
  readonly #sweep: NodeJS.Timeout;
  readonly #fences = new Map<string, number>();
  /** The last write to each file. Later ones wait for it. */
  readonly #writes = new Map<string, Promise<unknown>>();
  #fence = 0;

  /** @throws StoreIssue if another process uses the folder, or it cannot be written to */
  constructor(folder: string, { idle }: FileStoreOptions) {
    this.#folder = folder;
    this.#idle = idle;
    this.#open();
    this.#deleteOld(true);
    this.#sweep = setInterval(() => this.#deleteOld(false), Math.min(idle, maxInterval)).unref();
  }

  async claim(key: string, what: 'any' | 'existing' | 'none'): Promise<Claim> {
    await this.#writes.get(key);
    const state = await this.#read(key);
    if (what === 'none' || (state === undefined && what === 'existing')) return { status: 'none' };
    const previous = this.#fences.get(key) ?? 0;
    const fence = ++this.#fence;
    this.#fences.set(key, fence);
    return { status: 'mine', fence, previous, state, isTakenOver: false };
  }

  async save(key: string, fence: number, state: string): Promise<boolean> {
    if (this.#fences.get(key) !== fence) return false;
    const file = this.#fileOf(key);
    await this.#write(key, async () => {
      await writeFile(`${file}.tmp`, state);
      await rename(`${file}.tmp`, file);
    });
    return true;
  }

  async release(key: string, fence: number, state: string | undefined): Promise<boolean> {
    if (this.#fences.get(key) !== fence) return false;
    if (state !== undefined) await this.save(key, fence, state);
    else await this.#write(key, async () => rm(this.#fileOf(key), { force: true }));
    this.#fences.delete(key);
    return true;
  }

  touch(keys: readonly string[]): void {
    const now = new Date();
    for (const key of keys) utimes(this.#fileOf(key), now, now).catch(() => undefined);
  }

  async close(): Promise<void> {
    clearInterval(this.#sweep);
    await Promise.allSettled(this.#writes.values());
    rmSync(join(this.#folder, lockFile), { force: true });
  }

  /** @throws StoreIssue */
  #open(): void {
    const lock = join(this.#folder, lockFile);
    try {
      mkdirSync(this.#folder, { recursive: true });
      const owner = lockedBy(lock);
      if (owner !== undefined) {
        throw new StoreIssue(`Process ${owner} uses the folder ${this.#folder} already.`);
      }
      writeFileSync(lock, String(process.pid));
    } catch (error) {
      if (error instanceof StoreIssue) throw error;
      throw new StoreIssue(`Cannot write to ${this.#folder}: ${(error as Error).message}`);
    }
  }

  #deleteOld(isStart: boolean): void {
    const oldest = Date.now() - this.#idle;
    for (const name of readdirSync(this.#folder)) {
      const file = join(this.#folder, name);
      const isLeft = isStart && name.endsWith('.json.tmp');
      if (isLeft || (name.endsWith('.json') && modifiedAt(file) < oldest))
        rmSync(file, { force: true });
    }
  }

  async #read(key: string): Promise<string | undefined> {
    try {
      return await readFile(this.#fileOf(key), 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw new StoreUnavailable(`Cannot read a session: ${(error as Error).message}`);
    }
  }

  async #write(key: string, work: () => Promise<void>): Promise<void> {
    const write = (this.#writes.get(key) ?? Promise.resolve()).catch(() => undefined).then(work);
    this.#writes.set(key, write);
    try {
      await write;
    } catch (error) {
      throw new StoreUnavailable(`Cannot save a session: ${(error as Error).message}`);
    } finally {
      if (this.#writes.get(key) === write) this.#writes.delete(key);
    }
  }

  /** Some file systems ignore case, so capital letters are escaped. */
  #fileOf(key: string): string {
    const name = key.replaceAll(/[^a-z\d_~-]/g, (one) => `%${one.charCodeAt(0).toString(16)}`);
    return join(this.#folder, `${name}.json`);
  }
}

const lockFile = 'owner.pid';

/** In milliseconds. */
const maxInterval = 600_000;

/** Returns the other process that has the lock, if it runs. */
function lockedBy(lock: string): number | undefined {
  let owner: number;
  try {
    owner = Number(readFileSync(lock, 'utf8'));
    // In a container, each start can have the same id.
    if (owner === process.pid || !Number.isSafeInteger(owner) || owner < 1) return undefined;
    process.kill(owner, 0);
    return owner;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM' ? owner! : undefined;
  }
}

function modifiedAt(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Infinity;
}
