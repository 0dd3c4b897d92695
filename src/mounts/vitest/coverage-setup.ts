import { afterAll } from 'vitest';
import { activeCoverage, startCoverage } from '../../engine/coverage/active.ts';
import type { CoverageCounts } from '../../engine/coverage/counts.ts';
import { Coverage } from '../../engine/coverage/recorder.ts';

/** The counts that the reporter finds in the `meta` of a test file. */
interface CoveredMeta {
  backlotCoverage?: CoverageCounts;
}

// Files that are not isolated from each other have one recorder, because back offices may outlive a file.
const active = activeCoverage();
const coverage = isOwn(active) ? active : new Coverage();
startCoverage(coverage);

function saveCounts(...all: readonly unknown[]): void {
  const file = all.find(hasMeta);
  if (file !== undefined) file.meta.backlotCoverage = coverage.counts({ reset: true });
}

// Vitest passes the suite of the file as the first or, since version 4, as the second argument. It reads the source of a
// hook to find the fixtures that its first parameter names; a bound function shows no source.
afterAll(saveCounts.bind(undefined));

function isOwn(recorder: unknown): recorder is Coverage {
  return typeof recorder === 'object' && recorder !== null && 'counts' in recorder;
}

function hasMeta(value: unknown): value is { readonly meta: CoveredMeta } {
  return typeof value === 'object' && value !== null && 'meta' in value;
}
