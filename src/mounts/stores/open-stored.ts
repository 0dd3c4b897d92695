import { secondsIn } from '../../engine/lib/duration.ts';
import type { Server } from '../../engine/sessions/server.ts';
import type { SessionRouter } from '../../engine/sessions/session-router.ts';
import { keepSessions } from './keep-sessions.ts';
import type { Keeper } from './keeper.ts';
import { storeAt } from './store-at.ts';
import { StoreRouter } from './store-router.ts';

export { StoreIssue } from '../../engine/sessions/store.ts';

export interface StoreOptions {
  /** `file:<folder>`, `redis://host:6379/0` or `rediss://…`. */
  readonly url: string;
  /** Whether a response waits until its changes are saved. */
  readonly isDurable: boolean;
  /** How long an unused session stays: an ISO 8601 duration. */
  readonly idle: string;
  /** How requests without a session are treated: with `own`, the shared back office never changes. */
  readonly sessions: 'optional' | 'required' | 'own';
  /** Seconds between two resets of everything. */
  readonly resetEvery?: number | undefined;
  /** The version of the program, and the flags that decide how a scenario starts. */
  readonly program: string;
  /** How long a store that is away is waited for, in milliseconds (default: 10,000). */
  readonly lease?: number | undefined;
  readonly warn: (message: string) => void;
}

/** A server whose sessions are kept in a store. */
export interface StoredServer {
  readonly sessionRouter: SessionRouter;
  /** Saves and gives up all sessions. */
  close(): Promise<void>;
  /** Whether an operation of the store may never end, and the process with it. */
  readonly hangs: boolean;
}

/** Keeps the sessions of a server in a store. @throws StoreIssue */
export async function openStored(server: Server, options: StoreOptions): Promise<StoredServer> {
  const { program, isDurable, lease, warn } = options;
  const idle = secondsIn(options.idle) * 1000;
  const kept = { program, isDurable, idle, lease, warn };
  const keeper = await keepSessions(server, storeAt(options.url), kept);
  const timers = [touchRegularly(keeper, idle), beginEpochs(server, keeper, options)];
  return {
    sessionRouter: new StoreRouter(keeper, options.sessions === 'optional'),
    close: async () => {
      for (const end of timers) end();
      await keeper.close();
    },
    get hangs() {
      return keeper.hangs;
    },
  };
}

/** Prevents four times in each idle time that sessions expire which are only read. Returns a function that ends it. */
function touchRegularly(keeper: Keeper, idle: number): () => void {
  const interval = Math.min(Math.max(idle / 4, 250), maxTimeout);
  const timer = setInterval(() => keeper.touch(interval * 1.5), interval).unref();
  return () => clearInterval(timer);
}

/** Resets everything at the same times on all servers. Returns a function that ends it. */
function beginEpochs(server: Server, keeper: Keeper, { resetEvery }: StoreOptions): () => void {
  if (resetEvery === undefined) return () => undefined;
  const length = resetEvery * 1000;
  const current = (): number => Math.floor(Date.now() / length);
  let epoch = current();
  keeper.beginEpoch(String(epoch));
  let timer: NodeJS.Timeout | undefined;
  const schedule = (): void => {
    timer = setTimeout(next, Math.min((epoch + 1) * length - Date.now(), maxTimeout)).unref();
  };
  const next = (): void => {
    if (current() !== epoch) {
      epoch = current();
      keeper.beginEpoch(String(epoch));
      server.resetAll();
    }
    schedule();
  };
  schedule();
  return () => clearTimeout(timer);
}

/** Timers of Node.js wait for at most 24 days. */
const maxTimeout = 2_000_000_000;
