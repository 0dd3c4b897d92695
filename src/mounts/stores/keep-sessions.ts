import type { Server } from '../../engine/sessions/server.ts';
import type { OpenStore, StoreContext } from '../../engine/sessions/store.ts';
import { measuredStore } from './measured-store.ts';
import { SessionTexts } from './saved-session.ts';
import { StoredSessions } from './stored-sessions.ts';

export interface KeepOptions extends StoreContext {
  /** The version of the program, and what else decides how a scenario starts. */
  readonly program: string;
  /** How requests without a session are treated: with `own`, the shared back office never changes. */
  readonly sessions?: 'optional' | 'required' | 'own' | undefined;
}

/** Keeps the sessions of a server in a store. @throws StoreIssue if it cannot be opened */
export async function keepSessions(
  server: Server,
  open: OpenStore,
  { program, sessions = 'optional', ...context }: KeepOptions,
): Promise<StoredSessions> {
  const store = measuredStore(await open(context), server.countStore);
  const texts = new SessionTexts(program, (name) => server.scenario(name));
  const keepsShared = sessions === 'optional';
  return new StoredSessions({ server, store, texts, keepsShared, idle: context.idle });
}
