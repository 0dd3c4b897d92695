import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import { StoreIssue, StoreUnavailable } from '../../engine/sessions/store.ts';
import { isWindows } from './platform.ts';
import { printable, suffixes } from './session-file.ts';
import { withPage } from '../../engine/lib/error-page.ts';
import { errorCode } from '../../engine/lib/thrown.ts';

/** What the lock says of its owner. */
const Owner = z.object({
  token: z.uuid(),
  process: z.int(),
  host: z.string(),
  /** Equal in all containers of a machine, until it starts again. */
  machine: z.string(),
  hasSocket: z.boolean(),
});

export interface FolderLockOptions {
  /** Milliseconds after which a lock has no owner if nobody renews it. */
  readonly lease: number;
  /** Called if the lock was deleted, and with it, perhaps, everything. */
  readonly deleted: () => Promise<void>;
  readonly warn: (message: string) => void;
}

/**
 * Keeps a folder for one process at a time, also among containers and machines that share it. The lock is a file that its
 * owner renews. On the same machine, a socket beside it tells at once whether the owner runs: the system closes it with
 * the process, whatever ends that.
 */
export class FolderLock {
  readonly #folder: string;
  readonly #options: FolderLockOptions;
  readonly #token = randomUUID();
  #socket: Server | undefined;
  #content = '';
  #until = 0;
  #renewing: Promise<void> | undefined;
  #isLost = false;

  private constructor(folder: string, options: FolderLockOptions) {
    this.#folder = folder;
    this.#options = options;
  }

  /** @throws StoreIssue if another process uses the folder */
  static async take(folder: string, options: FolderLockOptions): Promise<FolderLock> {
    const lock = new FolderLock(folder, options);
    lock.#socket = await listen(socketPath(folder, lock.#token));
    try {
      await lock.#take();
      return lock;
    } catch (error) {
      lock.#socket?.close();
      throw error;
    }
  }

  /** The end of the lease, by `performance.now()`. */
  get until(): number {
    return this.#until;
  }

  /** Whether another process has the lock now. */
  get isLost(): boolean {
    return this.#isLost;
  }

  /** Whether this process has made a file of the folder, by its name. */
  owns(name: string): boolean {
    return name === lockName || name === socketName(this.#token);
  }

  /** Renews the lease. @throws StoreUnavailable if another process has the lock */
  async renew(): Promise<void> {
    this.#renewing ??= this.#renew().finally(() => {
      this.#renewing = undefined;
    });
    return this.#renewing;
  }

  /** Resolves if this process has the lock. @throws StoreUnavailable */
  async check(): Promise<void> {
    if (performance.now() >= this.#until) await this.renew();
  }

  async release(): Promise<void> {
    await this.#renewing?.catch(() => undefined);
    if (!this.#isLost && (await this.#read()) === this.#content) await rm(this.#path);
    this.#socket?.close();
  }

  async #take(): Promise<void> {
    const began = performance.now();
    this.#content = JSON.stringify({
      token: this.#token,
      process: process.pid,
      host: hostname(),
      machine: machine(),
      hasSocket: this.#socket !== undefined,
    } satisfies z.output<typeof Owner>);
    while (!(await this.#create())) await this.#evict();
    this.#until = began + this.#options.lease;
  }

  async #create(): Promise<boolean> {
    try {
      await writeFile(this.#path, this.#content, { flag: 'wx' });
      return true;
    } catch (error) {
      if (errorCode(error) === 'EEXIST') return false;
      throw error;
    }
  }

  /** Removes the lock if its owner has ended. @throws StoreIssue if it runs */
  async #evict(): Promise<void> {
    const content = await this.#read();
    if (content === undefined) return;
    const owner = parseOwner(content);
    // What cannot be parsed is either damaged or not yet written.
    const isRunning = await (owner === undefined ? this.#isRenewed() : this.#isRunning(owner));
    if (isRunning) throw this.#inUse(owner);
    // Of two processes that have come to the same result, one removes it.
    const removed = `${this.#path}.${this.#token}${suffixes.lock}`;
    await rename(this.#path, removed).catch(() => undefined);
    const found = await readFile(removed, 'utf8').catch(() => undefined);
    await rm(removed, { force: true });
    if (found !== undefined && found !== content) throw this.#inUse(parseOwner(found));
  }

  async #isRunning({ token, machine: place, hasSocket }: z.output<typeof Owner>): Promise<boolean> {
    const answer =
      hasSocket && place === machine()
        ? await knock(socketPath(this.#folder, token))
        : ('unknown' as const);
    return answer === 'unknown' ? this.#isRenewed() : answer === 'open';
  }

  /** Waits for a lease whether the lock is renewed. */
  async #isRenewed(): Promise<boolean> {
    const before = await this.#state();
    const end = performance.now() + this.#options.lease;
    while (performance.now() < end) {
      await sleep(this.#options.lease / 50);
      if ((await this.#state()) !== before) return true;
    }
    return false;
  }

  async #state(): Promise<string> {
    // Read first: opening a file has network file systems ask for its times.
    const content = await this.#read();
    const times = await stat(this.#path).catch(() => undefined);
    return `${times?.mtimeMs} ${content}`;
  }

  async #renew(): Promise<void> {
    const began = performance.now();
    if (!this.#isLost) await this.#keep();
    if (this.#isLost) throw new StoreUnavailable('Another process uses the folder.');
    this.#until = began + this.#options.lease;
  }

  async #keep(): Promise<void> {
    const content = await this.#read();
    if (content === this.#content) {
      const now = new Date();
      await utimes(this.#path, now, now);
      return;
    }
    if (content === undefined) {
      await this.#options.deleted();
      if (await this.#create()) return;
    }
    this.#isLost = true;
    this.#until = 0;
    this.#options.warn(
      `Another process uses the folder ${this.#folder} now, because this one was suspended. Stop one of them.`,
    );
  }

  async #read(): Promise<string | undefined> {
    try {
      return await readFile(this.#path, 'utf8');
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return undefined;
      throw error;
    }
  }

  #inUse(owner: z.output<typeof Owner> | undefined): StoreIssue {
    const who =
      owner === undefined ? 'Another process' : `Process ${owner.process} of ${owner.host}`;
    return new StoreIssue(
      withPage(
        'store-folder',
        printable(
          `${who} uses the folder ${this.#folder} already. Stop it, or use another folder.`,
        ),
      ),
    );
  }

  get #path(): string {
    return join(this.#folder, lockName);
  }
}

function parseOwner(content: string): z.output<typeof Owner> | undefined {
  try {
    return Owner.safeParse(JSON.parse(content)).data;
  } catch {
    return undefined;
  }
}

const lockName = `owner${suffixes.lock}`;

function socketName(token: string): string {
  return `${token.slice(0, 8)}${suffixes.socket}`;
}

/** Returns the path of a socket, or of a named pipe on Windows. */
function socketPath(folder: string, token: string): string {
  const name = socketName(token);
  return isWindows ? `\\\\.\\pipe\\${name}` : join(folder, name);
}

/** Some file systems have no sockets, and systems allow few characters for their paths. */
async function listen(path: string): Promise<Server | undefined> {
  if (Buffer.byteLength(path) > maxSocketPath) return undefined;
  const server = createServer((one) => one.destroy()).listen(path);
  try {
    await once(server, 'listening');
    return server.unref();
  } catch {
    return undefined;
  }
}

const maxSocketPath = 100;

/** Connects to the socket of an owner. */
async function knock(path: string): Promise<'open' | 'closed' | 'unknown'> {
  const socket = connect(path);
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(1000) });
    return 'open';
  } catch (error) {
    const code = errorCode(error);
    return code === closedCode ? 'closed' : 'unknown';
  } finally {
    socket.destroy();
  }
}

/** A named pipe ends with its process; the file of a socket stays. */
const closedCode = isWindows ? 'ENOENT' : 'ECONNREFUSED';

function machine(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return hostname();
  }
}
