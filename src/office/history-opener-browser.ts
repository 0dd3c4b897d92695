import { provideSimilar } from '../journal/similar-opener-browser.ts';
import { onDemand } from '../lib/on-demand.ts';
import type * as Parts from './history-parts.ts';

// Replaces `history-opener.ts` in the bundle for browsers, which loads these parts later or not at all.
const optional = onDemand<typeof Parts>();

export const openHistory = optional.call('openHistory');
export const createExplainApi = optional.call('createExplainApi');

/** Has the functions of this module, and those that the journal needs, call these parts. */
export function provideHistory(parts: typeof Parts): void {
  optional.provide(parts);
  provideSimilar(parts.seenRequests);
}
