import { loadPartsBy, onDemand } from '../scenario/on-demand.ts';
import { provideScenarioParts } from '../scenario/optional-browser.ts';
import type * as Parts from './optional-parts.ts';

// Replaces `optional.ts` in the bundle for browsers, which loads these parts later or not at all.
const optional = onDemand<typeof Parts>();

loadPartsBy(async () => provideOptionalParts(await import('./optional-parts.ts')));

export const generateOrders = optional.call('generateOrders');
export const explainOrder = optional.call('explainOrder');

/** Has the functions of this module, and those that scenarios need, call these parts. */
export function provideOptionalParts(parts: typeof Parts): void {
  provideScenarioParts(parts);
  optional.provide(parts);
}
