import { Problem } from '../lib/problem.ts';
import type { generateOrders as Generate } from './generate/generate.ts';

let loaded: typeof Generate | undefined;

/**
 * Replaces `generator.ts` in the bundle for browsers, which loads the generator later or not at all.
 *
 * @throws Problem `refused` if it is not loaded
 */
export const generateOrders: typeof Generate = (...parameters) => {
  if (loaded !== undefined) return loaded(...parameters);
  throw new Problem(
    'refused',
    "The generator of orders is not loaded. Await `loaded()` of the back office first, or import createBackOffice from 'backlot'.",
  );
};

export async function loadGenerator(): Promise<void> {
  if (loaded === undefined)
    provideGenerator((await import('./generate/generate.ts')).generateOrders);
}

/** Has `generateOrders` call this generator. */
export function provideGenerator(generator: typeof Generate): void {
  loaded = generator;
}
