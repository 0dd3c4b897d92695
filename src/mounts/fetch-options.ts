import { Problem } from '../engine/lib/problem.ts';
import { unknownKeys } from '../engine/lib/unknown-keys.ts';
import type { SessionOptions } from '../engine/sessions/server.ts';
import type { OpenStore } from '../engine/sessions/store.ts';
import type { AccessOptions } from './access.ts';
import type { MountOptions } from './mount.ts';

/** Options of `createFetchHandler`. All of them are optional. */
export interface FetchHandlerOptions
  extends
    Omit<MountOptions, 'session' | 'baseUrl'>,
    Omit<SessionOptions, 'milliseconds'>,
    AccessOptions {
  /** A public demo: a session for each visitor, and a limit for everything. Other options can change each of them. */
  readonly demo?: boolean | undefined;
  /** Path in front of every path, where the handler is mounted: `/mock` (default: none). */
  readonly basePath?: string | undefined;
  /** Maximum number of delayed responses, by faults or long polls, at one time (default: unlimited). */
  readonly maxWaiting?: number | undefined;
  /** Returns the address of the client, which limits count (default: all clients are one). */
  readonly client?: ((request: Request) => string | undefined) | undefined;
  /**
   * Opens the store of the sessions, which outlive the process in it: `storeAt('file:./shops')` of `backlot/node`,
   * `durableObjectStore(ctx.storage)`, or your own (default: in memory). A response waits until its changes are saved.
   */
  readonly store?: OpenStore | undefined;
}

/** @throws Problem `invalid` for an option that `createFetchHandler` does not have */
export function assertKnownOptions(options: FetchHandlerOptions): void {
  const known = Object.keys(names);
  const unknown = Object.keys(options).filter((name) => !known.includes(name));
  if (unknown.length === 0) return;
  throw new Problem('invalid', `createFetchHandler: ${unknownKeys(unknown, known, 'option')}`);
}

/** JavaScript does not check the names of options. */
const names: Readonly<Record<keyof FetchHandlerOptions, true>> = {
  allowedHosts: true,
  api: true,
  apiPath: true,
  basePath: true,
  client: true,
  clientShare: true,
  clock: true,
  control: true,
  controlToken: true,
  corsOrigin: true,
  coverage: true,
  coverageReport: true,
  currentTime: true,
  demo: true,
  document: true,
  faults: true,
  fixedStarts: true,
  history: true,
  limitFaultHeaders: true,
  maxBodyBytes: true,
  maxCachedBytes: true,
  maxControlBytes: true,
  maxImportBytes: true,
  maxRows: true,
  maxSessions: true,
  maxSnapshots: true,
  maxWaiting: true,
  milliseconds: true,
  newName: true,
  now: true,
  onProgress: true,
  report: true,
  requestRate: true,
  scenario: true,
  scenarios: true,
  seed: true,
  sessionIdle: true,
  sessionLife: true,
  sessions: true,
  settings: true,
  store: true,
  today: true,
  version: true,
};
