import type { mostSimilar as MostSimilar } from './similar.ts';

// Replaces `similar-opener.ts` in the bundle for browsers, which loads it later.
let loaded: typeof MostSimilar | undefined;

/** Until it is loaded, the error of a verification lists no similar requests. */
export const mostSimilar: typeof MostSimilar = (...given) => loaded?.(...given) ?? [];

export function provideSimilar(found: typeof MostSimilar): void {
  loaded = found;
}
