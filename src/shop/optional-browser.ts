import { loadPartsBy, onDemand } from '../engine/lib/on-demand.ts';
import { provideHistory } from '../engine/office/history-opener-browser.ts';
import { provideScenarioParts } from '../engine/scenario/optional-browser.ts';
import type { optionalParts as Parts } from './optional-parts.ts';

// Replaces `optional.ts` in the bundle for browsers, which loads these parts later or not at all.
const optional = onDemand<typeof Parts>();

loadPartsBy(async () => provideOptionalParts((await import('./optional-parts.ts')).optionalParts));

export const explanations = optional.call('explanations');
export const generateOrders = optional.call('generateOrders');
export const orderRecords = optional.call('orderRecords');

/** Has the functions of this module, and those that histories and scenarios need, call these parts. */
export function provideOptionalParts(parts: typeof Parts): void {
  provideHistory(parts);
  provideScenarioParts(parts);
  optional.provide(parts);
}
