import { onDemand } from '../lib/on-demand.ts';
import type * as Parts from './history-parts.ts';

// Replaces `history-opener.ts` in the bundle for browsers, which loads these parts later or not at all.
const optional = onDemand<typeof Parts>();

export const openHistory = optional.call('openHistory');
export const createExplainApi = optional.call('createExplainApi');

/** Until it is loaded, responses do not say why. */
export const whyHeader: typeof Parts.whyHeader = (...given) => reasons?.whyHeader(...given);
export const whyLine = optional.call('whyLine');

/** Until it is loaded, the error of a verification lists no requests. */
export const seenRequests: typeof Parts.seenRequests = (...given) =>
  reasons?.seenRequests(...given) ?? [];

let reasons: typeof Parts | undefined;

/** Has the functions of this module call these parts. */
export function provideHistory(parts: typeof Parts): void {
  optional.provide(parts);
  reasons = parts;
}
