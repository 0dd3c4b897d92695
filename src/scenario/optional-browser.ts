import { onDemand } from './on-demand.ts';
import type * as Parts from './optional-parts.ts';

export { loadOptionalParts } from './on-demand.ts';

const optional = onDemand<typeof Parts>();

/** Replaces `optional.ts` in the bundle for browsers, which loads these parts later or not at all. */
export const changedState: typeof Parts.changedState = (...given) =>
  optional.parts().changedState(...given);

export const assertValidRecords: typeof Parts.assertValidRecords = (...given) =>
  optional.parts().assertValidRecords(...given);

export const moveToToday: typeof Parts.moveToToday = (...given) =>
  optional.parts().moveToToday(...given);

/** Has the functions of this module call these parts. */
export const provideScenarioParts: typeof optional.provide = (parts) => optional.provide(parts);
