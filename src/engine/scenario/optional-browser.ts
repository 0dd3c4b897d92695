import { onDemand } from '../lib/on-demand.ts';
import type * as Parts from './optional-parts.ts';

export { loadOptionalParts } from '../lib/on-demand.ts';

// Replaces `optional.ts` in the bundle for browsers, which loads these parts later or not at all.
const optional = onDemand<typeof Parts>();

export const changedState = optional.call('changedState');
export const assertValidRecords = optional.call('assertValidRecords');
export const moveToToday = optional.call('moveToToday');

/** Has the functions of this module call these parts. */
export const provideScenarioParts = optional.provide;
