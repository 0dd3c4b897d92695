import { randomUUID } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import { StoreIssue, StoreUnavailable } from '../../engine/sessions/store.ts';
import { lockName, printable, suffixes } from './session-file.ts';
import { withPage } from '../../engine/lib/error-page.ts';
import { errorCode } from '../../engine/lib/thrown.ts';

/** What the lock says of its owner. */
const Owner = z.object({ token: z.string(), process: z.int().positive(), host: z.string() });

type Owner = z.output<typeof Owner>;

export interface FolderLockOptions {
  /** Called if the lock was deleted, and with it, perhaps, everything. */
  readonly deleted: () => Promise<void>;
  readonly warn: (message: string) => void;
}

/** Keeps a folder for one process at a time: a file with the id of the process and the name of its host. */
export class FolderLock {
  readonly #folder: string;
  readonly #options: FolderLockOptions;
  readonly #token = randomUUID();
  readonly #content: string;
  #isLost = false;

  private constructor(folder: string, options: FolderLockOptions) {
    this.#folder = folder;
    this.#options = options;
    const owner: Owner = { token: this.#token, process: process.pid, host: hostname() };
    this.#content = JSON.stringify(owner);
  }

  /** @throws StoreIssue if another process has the folder */
  static async take(folder: string, options: FolderLockOptions): Promise<FolderLock> {
    const lock = new FolderLock(folder, options);
    while (!(await lock.#create())) await lock.#evict();
    return lock;
  }

  /** Whether another process has the folder. */
  get isLost(): boolean {
    return this.#isLost;
  }

  /** Resolves if this process has the folder. @throws StoreUnavailable */
  async check(): Promise<void> {
    const content = await this.#read();
    if (content === this.#content) return;
    if (content === undefined) {
      await this.#options.deleted();
      this.#isLost = false;
      if (await this.#create()) return;
    }
    if (!this.#isLost) {
      this.#options.warn(`Another process uses the folder ${this.#folder} now. Stop one of them.`);
    }
    this.#isLost = true;
    throw new StoreUnavailable('Another process uses the folder.');
  }

  async release(): Promise<void> {
    ownTokens.delete(this.#token);
    if ((await this.#read()) === this.#content) await rm(this.#path);
  }

  async #create(): Promise<boolean> {
    try {
      await writeFile(this.#path, this.#content, { flag: 'wx' });
      ownTokens.add(this.#token);
      return true;
    } catch (error) {
      if (errorCode(error) === 'EEXIST') return false;
      throw error;
    }
  }

  /** Removes the lock if its owner has ended. @throws StoreIssue if it runs, or may run */
  async #evict(): Promise<void> {
    const content = await this.#readWhole();
    if (content === undefined) return;
    const owner = parseOwner(content);
    if (owner !== undefined && mayRun(owner)) throw this.#inUse(owner);
    // Of two processes that have come to the same result, one removes it.
    const removed = `${this.#path}.${this.#token}${suffixes.lock}`;
    await rename(this.#path, removed).catch(() => undefined);
    const found = await readFile(removed, 'utf8').catch(() => undefined);
    await rm(removed, { force: true });
    if (found !== undefined && found !== content) throw this.#inUse(parseOwner(found));
  }

  /** Returns the lock, once it is written: what cannot be parsed later is damaged. */
  async #readWhole(): Promise<string | undefined> {
    const content = await this.#read();
    if (content === undefined || parseOwner(content) !== undefined) return content;
    await sleep(writeTime);
    return this.#read();
  }

  async #read(): Promise<string | undefined> {
    try {
      return await readFile(this.#path, 'utf8');
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return undefined;
      throw error;
    }
  }

  #inUse(owner: Owner | undefined): StoreIssue {
    const who =
      owner === undefined ? 'Another process' : `Process ${owner.process} of ${owner.host}`;
    const elsewhere =
      owner === undefined || owner.host === hostname()
        ? ''
        : ` If that host has ended, delete ${this.#path}.`;
    const message = `${who} uses the folder ${this.#folder} already. Stop it, or use another folder.${elsewhere}`;
    return new StoreIssue(withPage('store-folder', printable(message)));
  }

  get #path(): string {
    return join(this.#folder, lockName);
  }
}

/** The locks of this process: another one with its id was an earlier process of the same container. */
const ownTokens = new Set<string>();

/** How long the owner of a lock may take to write it, in milliseconds. */
const writeTime = 200;

/** Whether a process runs. That of another host may always do. */
function mayRun({ token, process: id, host }: Owner): boolean {
  if (host !== hostname()) return true;
  if (id === process.pid) return ownTokens.has(token);
  try {
    return process.kill(id, 0);
  } catch (error) {
    return errorCode(error) !== 'ESRCH';
  }
}

function parseOwner(content: string): Owner | undefined {
  try {
    return Owner.safeParse(JSON.parse(content)).data;
  } catch {
    return undefined;
  }
}
