import { Problem } from '../lib/problem.ts';
import type * as Parts from './optional-parts.ts';

let loaded: typeof Parts | undefined;

/**
 * Replaces `optional.ts` in the bundle for browsers, which loads these parts later or not at all.
 *
 * @throws Problem `refused` if they are not loaded
 */
function parts(): typeof Parts {
  if (loaded !== undefined) return loaded;
  throw new Problem(
    'refused',
    "A part of the package that this scenario needs is not loaded. Await `loaded()` of the back office first, or import createBackOffice from 'backlot'.",
  );
}

export const generateOrders: typeof Parts.generateOrders = (...given) =>
  parts().generateOrders(...given);

export const changedState: typeof Parts.changedState = (...given) => parts().changedState(...given);

export const assertValidRules: typeof Parts.assertValidRules = (...given) =>
  parts().assertValidRules(...given);

export const moveToToday: typeof Parts.moveToToday = (...given) => parts().moveToToday(...given);

export async function loadOptionalParts(): Promise<void> {
  if (loaded === undefined) provideOptionalParts(await import('./optional-parts.ts'));
}

/** Has the functions of this module call these parts. */
export function provideOptionalParts(given: typeof Parts): void {
  loaded = given;
}
