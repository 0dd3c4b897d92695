import { realpathSync, statSync } from 'node:fs';
import { join, resolve, sep } from 'node:path';
import type { ChaosFindings } from '../engine/control/chaos-findings.ts';
import { jsonLimits } from '../engine/lib/json-limits.ts';
import { readForeignJson, readForeignText } from '../mounts/node/read-file.ts';
import { ignoreFile } from '../mounts/vitest/trace.ts';
import { UsageError } from './values.ts';
import { assertWritable, writeWhole } from './whole-file.ts';

/** The report of the last run of `backlot chaos`, below the working directory. */
const file = '.backlot/chaos.json';

/** The folder of traces, below the working directory. */
export const traces = '.backlot/chaos';

/** The findings of the last run, as the studio of a server in the same folder shows them. */
export const lastFindings: ChaosFindings = {
  exist: () => realFile(file) !== undefined,
  read: () => readForeignJson(file, jsonLimits.report),
  // A report may be of another machine, and name any file of this one.
  readTrace(trace) {
    const real = realFile(trace);
    const isOfRun = real?.startsWith(join(realpathSync('.'), traces, sep));
    return real !== undefined && isOfRun
      ? readForeignText(real, jsonLimits.trace.bytes)
      : undefined;
  },
};

/** Returns the path of a file without links; undefined if there is none. */
function realFile(path: string): string | undefined {
  try {
    const real = realpathSync(path);
    return statSync(real).isFile() ? real : undefined;
  } catch {
    return undefined;
  }
}

/** @throws UsageError, before the run, if its report cannot be written */
export function assertCanSave(): void {
  for (const one of [ignoreFile.path, file, `${traces}/trace.html`]) assertWritable(one);
}

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
