import { secondsIn } from '../../engine/lib/duration.ts';
import { isObject } from '../../engine/lib/json-value.ts';
import { Problem } from '../../engine/lib/problem.ts';
import type { Server, SessionOptions } from '../../engine/sessions/server.ts';
import type { OpenStore, SessionStore } from '../../engine/sessions/store.ts';
import type { StoreOptions } from '../../shop/office/store-office.ts';
import { keepSessions } from '../stores/keep-sessions.ts';
import type { StoredSessions } from '../stores/stored-sessions.ts';
import { version } from '../server/version.ts';

/** Options of a handler whose sessions are in a store. */
export interface FetchStoreOptions
  extends
    Pick<SessionOptions, 'sessions' | 'sessionIdle'>,
    Pick<StoreOptions, 'settings' | 'faults'> {
  readonly store?: OpenStore | undefined;
}

/** Opens a store with the first request; with the next one, if it could not be opened. */
export interface StoreOpener extends Pick<StoredSessions, 'close'> {
  /** @throws StoreIssue */
  open(): Promise<StoredSessions>;
}

/** Returns undefined without a store. @throws Problem `invalid` for what opens none */
export function createStoreOpener(
  server: Server,
  { store, ...options }: FetchStoreOptions,
): StoreOpener | undefined {
  if (store === undefined) return undefined;
  if (typeof store !== 'function')
    throw notStore('store must be a function that opens a store', store);
  let opened: Promise<StoredSessions> | undefined;
  return {
    open: () =>
      (opened ??= open(server, store, options).catch((error: unknown) => {
        opened = undefined;
        throw error;
      })),
    close: async () => (await opened)?.close(),
  };
}

async function open(
  server: Server,
  store: OpenStore,
  { sessions, sessionIdle = 'PT1H', settings, faults }: Omit<FetchStoreOptions, 'store'>,
): Promise<StoredSessions> {
  return keepSessions(server, checked(store), {
    idle: secondsIn(sessionIdle) * 1000,
    program: JSON.stringify([version, settings, faults]),
    sessions,
    // oxlint-disable-next-line no-console -- there is no caller to report it to
    warn: (message) => console.warn(`backlot: ${message}`),
  });
}

/** Returns the same function, which throws if what it opens is no store. @throws Problem `invalid` */
function checked(store: OpenStore): OpenStore {
  return async (context) => {
    const opened: unknown = await store(context);
    if (isStore(opened)) return opened;
    throw notStore('store must return a SessionStore, as these do', opened);
  };
}

function isStore(value: unknown): value is SessionStore {
  return (
    isObject(value) && typeof value['read'] === 'function' && typeof value['write'] === 'function'
  );
}

function notStore(rule: string, store: unknown): Problem {
  const given = typeof store === 'string' ? `'${store}'` : `a value of type ${typeof store}`;
  return new Problem(
    'invalid',
    `${rule}: storeAt('file:./shops') of backlot/node, durableObjectStore(ctx.storage) of backlot/fetch, or your own; not ${given}.`,
  );
}
