import type { Coverage, CoverageRecorder } from './recorder.ts';

const symbol = Symbol.for('backlot.coverage');
const creator = Symbol.for('backlot.coverage.create');
const host = globalThis as {
  [symbol]?: CoverageRecorder | undefined;
  [creator]?: () => Coverage;
};

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

/** Offers what creates a recorder to a setup file, which then need not load one: that takes longer than all the rest. */
export function offerCoverage(create: () => Coverage): void {
  if (host[symbol] !== undefined) host[creator] = create;
}

/** Creates a recorder, if a library that is loaded offers one. */
export function offeredCoverage(): Coverage | undefined {
  return host[creator]?.();
}
