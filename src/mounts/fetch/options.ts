import type { NamesOf } from '../../engine/lib/unknown-keys.ts';
import { sessionOptions, type SessionOptions } from '../../engine/sessions/session-options.ts';
import type { OpenStore } from '../../engine/sessions/store.ts';
import type { AccessOptions } from '../server/allowed.ts';
import { storeOptions } from '../../shop/office/store-office.ts';
import type { MountOptions } from '../mount.ts';

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

const { session: _, ...shared } = storeOptions;

export const fetchHandlerOptions: NamesOf<FetchHandlerOptions> = {
  ...shared,
  ...sessionOptions,
  corsOrigin: true,
  allowedHosts: true,
  demo: true,
  basePath: true,
  maxWaiting: true,
  client: true,
  store: true,
};
