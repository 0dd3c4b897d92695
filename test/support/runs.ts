import fc from 'fast-check';

/** The part of all property runs that is performed: a quarter, all of them (1) in CI and `npm run test:all`, or more. */
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

/** A seed makes the runs of all properties the same each time: `SEED=7`. */
const seed = process.env['SEED'];
if (seed !== undefined) fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(seed) });
