import { isBegin, isPublic } from '../../engine/control/guard.ts';
import { isControl } from '../../engine/lib/api-path.ts';
import { namePattern } from '../../engine/lib/names.ts';
import type { ApiResponse, RequestTarget } from '../../engine/rest/message.ts';
import { jsonHeaders, problemResponse } from '../../engine/rest/errors.ts';
import { openProblem } from '../../engine/sessions/session-limits.ts';
import type { Needed } from '../../engine/sessions/session-router.ts';

/** The key of the shared back office. No session can have this name. */
export const sharedName = '~shared';

/**
 * Returns the session that a request needs; undefined if any server can answer it.
 *
 * @param keepsShared whether the shared back office is kept, too
 */
export function neededBy(
  { session, path }: RequestTarget,
  keepsShared: boolean,
): Needed | undefined {
  if (isControl(path)) {
    const [, subject] = /^\/_backlot\/sessions\/([^/]+)/.exec(path) ?? [];
    if (subject !== undefined) return needed(subject, { create: false, isOptional: true });
    if (/^\/_backlot\/(sessions|metrics)\/?$/.test(path)) return undefined;
    if (isBegin(path)) return keepsShared ? needed(sharedName) : undefined;
    if (isPublic(path)) {
      const isHealth = /^\/_backlot\/health\/?$/.test(path) && session !== undefined;
      return isHealth ? needed(session, { create: false, isOptional: true }) : undefined;
    }
  }
  if (session !== undefined) return needed(session);
  return keepsShared ? needed(sharedName) : undefined;
}

/** A text that cannot be the name of a session is rejected by any server. */
function needed(
  name: string,
  { create = true, isOptional = false }: Partial<Needed> = {},
): Needed | undefined {
  const isName = name === sharedName || namePattern.test(name);
  return isName ? { name, create, isOptional } : undefined;
}

/** @param seconds after which the client may try again */
export function unavailable(message: string, seconds = 1): ApiResponse {
  return {
    status: 503,
    headers: { ...jsonHeaders, 'retry-after': String(seconds) },
    body: JSON.stringify({ code: 503, message }),
  };
}

/** @param remaining milliseconds until servers know which of them has a session */
export function undecided(remaining: number): ApiResponse {
  return unavailable(
    'The store of sessions has lost data. Until the servers have claimed what they hold, no other session can begin.',
    Math.max(1, Math.ceil(remaining / 1000)),
  );
}

/** Why a server has removed a session that another one owns. */
export const dropReason = 'another server has taken it over, and its last changes may be missing';

/** A sentence for the client of a session whose last changes may be missing. */
export function takenOver(name: string): string {
  return `Session ${name} was taken over from a server that has ended without saving it. Its last changes may be missing: usually those of 50 ms, and of up to 10 s if it was cut off from the store.`;
}

export function conflict(name: string): ApiResponse {
  return problemResponse(openProblem(name));
}
