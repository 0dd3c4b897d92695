import { Problem } from '../lib/problem.ts';
import type { Milliseconds } from '../lib/virtual-clock.ts';

/** Limits of sessions: their number, their lifetime and their requests. */
export interface SessionLimits {
  /** Maximum number of sessions (default: 1000). */
  readonly maxSessions?: number | undefined;
  /** Maximum idle time of a session, an ISO 8601 duration of real time (default: PT1H). */
  readonly sessionIdle?: string | undefined;
  /** Maximum age of a session, used or not: an ISO 8601 duration of real time (default: unlimited). */
  readonly sessionLife?: string | undefined;
  /**
   * Maximum requests per second of each session, and of each client outside of sessions (default: unlimited). Short
   * bursts may be faster.
   */
  readonly requestRate?: number | undefined;
  /**
   * Maximum share of all sessions, and of all delayed responses, for one client in percent (default: 100). A client is
   * identified by its address, an IPv6 client by its /64 network.
   */
  readonly clientShare?: number | undefined;
  /** Returns real time. Without it no session is ever idle, and rates are not limited. */
  readonly milliseconds?: Milliseconds | undefined;
}

/** Returns the error for a client that finds no room. @param seconds until a session ends if it is not used */
export function retryIn(seconds: number, reason: string): Problem {
  const headers = { 'retry-after': String(seconds) };
  return new Problem('too many', `${reason} Retry in ${seconds} s.`, { headers });
}

/** Returns the error for a session that is open already, with the request that begins it again. */
export function openProblem(name: string): Problem {
  return new Problem(
    'conflict',
    `Session ${name} is open already. POST /_backlot/sessions/${name}/reset begins it again.`,
  );
}
