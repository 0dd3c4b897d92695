import fc from 'fast-check';

/** The part of all property runs that is performed: a quarter, all of them (1) in `npm run test:long`, or more. */
const factor = Number(process.env['RUNS'] ?? 0.25);

/** Returns how often a property is tried if `all` tries are enough for `RUNS=1`: `fc.assert(property, { numRuns: runs(100) })`. */
export function runs(all: number): number {
  return Math.max(1, Math.round(all * factor));
}

/** Returns `count` of the cases, the first one and others at equal distances, or all of them with `RUNS=1`. */
export function sample<Case>(cases: readonly Case[], count: number): Case[] {
  if (factor >= 1) return [...cases];
  const distance = cases.length / count;
  return cases.filter((_, at) => Math.floor(at / distance) !== Math.floor((at - 1) / distance));
}

/**
 * The seed of the properties of a test file. A failed property prints it, and a check behind properties names it in its message:
 * `SEED=7` repeats the run.
 */
export const seed = Number(process.env['SEED'] ?? Date.now() % 2 ** 31);
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed });
