import type { BackOffice } from '../office/back-office.ts';
import type { RateLimit } from './rate-limit.ts';

/** An open session. */
export interface Session {
  readonly name: string;
  office: BackOffice;
  readonly rateLimit: RateLimit;
  /** The client that opened it. */
  readonly client: string;
  readonly openedAt: number;
  usedAt: number;
  /** A sentence for the client of its next request. */
  notice: string | undefined;
}

/** Receives what happens to the sessions of a pool. */
export interface PoolListener {
  opened(name: string, office: BackOffice): void;
  /** @param reason why the server has removed it by itself */
  ended(name: string, reason?: string): void;
  /** The back office of a session, or the shared one, is another now. */
  replaced(before: BackOffice, after: BackOffice): void;
  /** There is no room for another session: one may be forgotten. @param names from the least to the most recently used */
  full(names: Iterable<string>): void;
}
