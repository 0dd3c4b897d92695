import { secondsIn } from '../../engine/lib/duration.ts';
import type { Server } from '../../engine/sessions/server.ts';
import { keepSessions, type KeepOptions } from './keep-sessions.ts';
import { storeAt } from './store-at.ts';
import type { StoredSessions } from './stored-sessions.ts';

export { StoreIssue } from '../../engine/sessions/store.ts';

export interface StoreOptions extends Omit<KeepOptions, 'idle'> {
  /** `file:<folder>`, `redis://host:6379/0` or `rediss://…`. */
  readonly url: string;
  /** How long an unused session stays: an ISO 8601 duration. */
  readonly idle: string;
  /** Seconds between two resets of everything. */
  readonly resetEvery?: number | undefined;
}

/** A server whose sessions are kept in a store. */
export interface StoredServer {
  readonly sessionRouter: StoredSessions;
  /** Closes the store when all requests have been answered. */
  close(): Promise<void>;
}

/** Keeps the sessions of a server in the store at a URL, while the process runs. @throws StoreIssue */
export async function openStored(
  server: Server,
  { url, resetEvery, ...options }: StoreOptions,
): Promise<StoredServer> {
  const idle = secondsIn(options.idle) * 1000;
  const sessionRouter = await keepSessions(server, storeAt(url), { ...options, idle });
  // The shared back office does not expire while a server runs.
  const refresh = setInterval(
    () => sessionRouter.refresh(),
    Math.min(idle / 4, maxTimeout),
  ).unref();
  const endEpochs = beginEpochs(server, sessionRouter, resetEvery);
  return {
    sessionRouter,
    close: async () => {
      clearInterval(refresh);
      endEpochs();
      await sessionRouter.close();
    },
  };
}

/** Resets everything at the same times on all servers. Returns a function that ends it. */
function beginEpochs(
  server: Server,
  sessions: StoredSessions,
  resetEvery: number | undefined,
): () => void {
  if (resetEvery === undefined) return () => undefined;
  const length = resetEvery * 1000;
  const current = (): number => Math.floor(Date.now() / length);
  let epoch = current();
  sessions.beginEpoch(String(epoch));
  let timer: NodeJS.Timeout | undefined;
  const schedule = (): void => {
    timer = setTimeout(next, Math.min((epoch + 1) * length - Date.now(), maxTimeout)).unref();
  };
  const next = (): void => {
    if (current() !== epoch) {
      epoch = current();
      server.resetAll();
      sessions.beginEpoch(String(epoch));
    }
    schedule();
  };
  schedule();
  return () => clearTimeout(timer);
}

/** Timers of Node.js wait for at most 24 days. */
const maxTimeout = 2_000_000_000;
