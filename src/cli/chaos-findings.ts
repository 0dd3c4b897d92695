import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { ChaosFindings } from '../engine/control/chaos-findings.ts';
import { ignoreFile } from '../mounts/vitest-trace.ts';
import { UsageError } from './values.ts';
import { writeWhole } from './whole-file.ts';

/** The report of the last run of `backlot chaos`, below the working directory. */
const file = '.backlot/chaos.json';

/** The findings of the last run, as the studio of a server in the same folder shows them. */
export const lastFindings: ChaosFindings = {
  exist: () => existsSync(file),
  read: () => readFileSync(file, 'utf8'),
  readTrace: (trace) => (existsSync(trace) ? readFileSync(trace, 'utf8') : undefined),
};

/** Writes the report of a run, and has git ignore it. */
export function saveFindings(report: string): void {
  writeWhole(ignoreFile.path, ignoreFile.content);
  writeWhole(file, report);
}

/** @throws UsageError for a baseline that the findings of the next run would replace */
export function assertNotReplaced(baseline: string | undefined): void {
  if (baseline === undefined || resolve(baseline) !== resolve(file)) return;
  throw new UsageError(
    `--baseline must be another file than ${file}, which each run of chaos writes: chaos-known.json`,
  );
}
