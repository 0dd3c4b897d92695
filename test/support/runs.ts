/** The part of all property runs that is performed: a quarter, all of them (1) in `npm run test:all`, or more. */
const factor = Number(process.env['RUNS'] ?? 0.25);

/** Returns how often a property is tried if `all` tries are enough for `RUNS=1`: `fc.assert(property, { numRuns: runs(100) })`. */
export function runs(all: number): number {
  return Math.max(1, Math.round(all * factor));
}
