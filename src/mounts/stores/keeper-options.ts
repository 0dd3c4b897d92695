import type { Server } from '../../engine/sessions/server.ts';
import type { SessionStore } from '../../engine/sessions/store.ts';
import type { SessionTexts } from './saved-session.ts';

export interface KeeperOptions {
  readonly server: Server;
  readonly store: SessionStore;
  readonly texts: SessionTexts;
  /** Whether a response waits until its changes are saved. */
  readonly isDurable: boolean;
  /** Receives what operators should know. */
  readonly warn: (message: string) => void;
}
