import { Problem } from '../lib/problem.ts';
import type { openHistory as Open } from './history.ts';

let loaded: typeof Open | undefined;

/**
 * Replaces `history-opener.ts` in the bundle for browsers, which loads the history later or not at all.
 *
 * @throws Problem `refused` if it is not loaded
 */
export const openHistory: typeof Open = (parts) => {
  if (loaded !== undefined) return loaded(parts);
  throw new Problem(
    'refused',
    'The history is not loaded. Await `loaded()` of the back office first.',
  );
};

export async function loadHistory(): Promise<void> {
  if (loaded === undefined) provideHistory((await import('./history.ts')).openHistory);
}

/** Has `openHistory` open this history. */
export function provideHistory(open: typeof Open): void {
  loaded = open;
}
