import type { Coverage, CoverageRecorder } from './recorder.ts';

const symbol = Symbol.for('backlot.coverage');
const creator = Symbol.for('backlot.coverage.create');
const host: typeof globalThis & {
  [symbol]?: CoverageRecorder | undefined;
  [creator]?: () => Coverage;
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

/** Lets the setup file create a recorder without an import of its own, which each test file would pay for. */
export function offerCoverage(create: () => Coverage): void {
  if (host[symbol] !== undefined) host[creator] = create;
}

/** Creates a recorder, if a library that is loaded has offered one. */
export function offeredCoverage(): Coverage | undefined {
  return host[creator]?.();
}
