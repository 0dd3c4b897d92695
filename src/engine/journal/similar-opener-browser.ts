import type { seenRequests as SeenRequests } from './similar.ts';

// Replaces `similar-opener.ts` in the bundle for browsers, which loads it later.
let loaded: typeof SeenRequests | undefined;

/** Until it is loaded, the error of a verification lists no requests. */
export const seenRequests: typeof SeenRequests = (...given) => loaded?.(...given) ?? [];

export function provideSimilar(found: typeof SeenRequests): void {
  loaded = found;
}
