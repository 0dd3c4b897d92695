import { isBegin, isPublic } from '../../engine/control/guard.ts';
import { isControl } from '../../engine/lib/api-path.ts';
import { namePattern } from '../../engine/lib/names.ts';
import type { ApiResponse, RequestTarget } from '../../engine/rest/message.ts';
import { jsonHeaders } from '../../engine/rest/errors.ts';
import type { StoreUnavailable } from '../../engine/sessions/store.ts';

/** A session that a request needs. */
export interface Needed {
  readonly name: string;
  /** Whether the request is answered from memory if the store cannot be used. */
  readonly isOptional: boolean;
}

/** The name of the shared back office. No session can have it. */
export const sharedName = '~shared';

/**
 * Returns the session that a request needs; undefined if it needs none.
 *
 * @param keepsShared whether the shared back office is kept, too
 */
export function neededBy(
  { session, path }: RequestTarget,
  keepsShared: boolean,
): Needed | undefined {
  if (isControl(path)) {
    const [, subject] = /^\/_backlot\/sessions\/([^/]+)/.exec(path) ?? [];
    if (subject !== undefined) return needed(subject, true);
    if (/^\/_backlot\/(sessions|metrics)\/?$/.test(path)) return undefined;
    if (isBegin(path)) return keepsShared ? needed(sharedName) : undefined;
    if (isPublic(path)) {
      const isHealth = /^\/_backlot\/health\/?$/.test(path) && session !== undefined;
      return isHealth ? needed(session, true) : undefined;
    }
  }
  if (session !== undefined) return needed(session);
  return keepsShared ? needed(sharedName) : undefined;
}

/** A text that cannot be the name of a session is rejected without one. */
function needed(name: string, isOptional = false): Needed | undefined {
  return name === sharedName || namePattern.test(name) ? { name, isOptional } : undefined;
}

/** Returns a response that has the client try again in a second. */
export function unavailable(message: string): ApiResponse {
  return {
    status: 503,
    headers: { ...jsonHeaders, 'retry-after': '1' },
    body: JSON.stringify({ code: 503, message }),
  };
}

/** The response to a request whose session cannot be read, so that it was not performed. */
export function notRead({ reason }: StoreUnavailable): ApiResponse {
  return unavailable(`The store of sessions ${reason} at the moment.`);
}

/** The response to a request whose changes no store has confirmed. */
export function notWritten(error: StoreUnavailable): ApiResponse {
  if (error.reason === 'is full') return notRead(error);
  return unavailable(
    `The store of sessions ${error.reason} at the moment: the request may have been performed or not.`,
  );
}
