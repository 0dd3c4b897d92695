import type { create } from 'mutative';

let loaded: typeof create | undefined;

/** Replaces `draft.ts` in the bundle for browsers, which loads mutative at the first update of a collection. */
export function loadDrafts(): Promise<void> | undefined {
  return loaded === undefined ? load() : undefined;
}

async function load(): Promise<void> {
  ({ create: loaded } = await import('mutative'));
}

/** @throws TypeError before `loadDrafts` */
export const createDraft = ((...parameters: Parameters<typeof create>) =>
  loaded!(...parameters)) as typeof create;
