import { Problem } from '../lib/problem.ts';
import type { NamesOf } from '../lib/unknown-keys.ts';
import type { ControlOptions } from './control-api.ts';
import type { SessionLimits } from './session-limits.ts';

/** Options of a server with sessions: access and limits. */
export interface SessionOptions extends SessionLimits, ControlOptions {
  /**
   * The treatment of requests without a session: the shared back office serves them (`optional`, the default), they are
   * rejected (`required`), or each visitor gets a session by cookie (`own`). With `own`, the shared back office only
   * serves reads of visitors without a cookie: it never changes, and its journal stays empty.
   */
  readonly sessions?: 'optional' | 'required' | 'own' | undefined;
  /** Makes an unguessable name for a session that a cookie names; required by `own`. */
  readonly newName?: (() => string) | undefined;
  /** Maximum body size of the store API in bytes. The settings of a session can only lower it. */
  readonly maxBodyBytes?: number | undefined;
}

export const sessionOptions: NamesOf<SessionOptions> = {
  sessions: true,
  newName: true,
  maxBodyBytes: true,
  maxSessions: true,
  sessionIdle: true,
  sessionLife: true,
  requestRate: true,
  clientShare: true,
  milliseconds: true,
  control: true,
  controlToken: true,
  fixedStarts: true,
  scenarios: true,
  version: true,
  maxControlBytes: true,
  maxImportBytes: true,
  coverageReport: true,
  chaos: true,
  replayRecording: true,
  document: true,
};

/** @throws Problem `invalid` if `newName` is required and missing */
export function newNameOf({ sessions, newName }: SessionOptions): () => string {
  if (newName === undefined && sessions === 'own') {
    throw new Problem('invalid', "sessions: 'own' requires newName, which makes random names.");
  }
  return newName ?? (() => '');
}
