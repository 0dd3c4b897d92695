import type { CoverageRecorder } from './recorder.ts';

const symbol = Symbol.for('backlot.coverage');
const host: typeof globalThis & {
  [symbol]?: CoverageRecorder | undefined;
} = globalThis;

/**
 * Counts for every back office that is opened from now on; undefined stops it. A property of the global object, because
 * a test file may load several copies of the library.
 */
export function startCoverage(recorder: CoverageRecorder | undefined): void {
  host[symbol] = recorder;
}

/** Returns the recorder for a new back office. Usually there is none. */
export function activeCoverage(): CoverageRecorder | undefined {
  return host[symbol];
}
