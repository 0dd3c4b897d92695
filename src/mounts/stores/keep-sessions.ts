import type { Server } from '../../engine/sessions/server.ts';
import type { OpenStore, StoreContext } from '../../engine/sessions/store.ts';
import { Keeper } from './keeper.ts';
import { measuredStore } from './measured-store.ts';
import { SessionTexts } from './saved-session.ts';

export interface KeepOptions extends Omit<StoreContext, 'onDataLost' | 'onRequested'> {
  /** Whether a response waits until its changes are saved. */
  readonly isDurable: boolean;
  /** The version of the program, and what else decides how a scenario starts. */
  readonly program: string;
}

/** Keeps the sessions of a server in a store. @throws StoreIssue if it cannot be opened */
export async function keepSessions(
  server: Server,
  open: OpenStore,
  { isDurable, program, ...options }: KeepOptions,
): Promise<Keeper> {
  const own: { keeper?: Keeper } = {};
  const opened = await open({
    ...options,
    onDataLost: () => own.keeper?.reclaim(),
    onRequested: (key) => own.keeper?.letGo(key),
  });
  const store = measuredStore(opened, server.countStore);
  const texts = new SessionTexts(program, (name) => server.scenario(name));
  own.keeper = new Keeper({ server, store, texts, isDurable, warn: options.warn });
  server.requireStore(() => store.isAvailable);
  return own.keeper;
}
