import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { jsonLimits } from '../../engine/lib/json-limits.ts';
import { readForeignJson } from './read-file.ts';
import { countsOf } from '../../engine/coverage/report.ts';
import type { CoverageCounts } from '../../engine/coverage/counts.ts';

/** Below the folder of a run: the counts of its tests, one file for each try. */
const folderOf = (run: string): string => join(run, 'tests');

/** A try of a test: `retry` is 0 for the first one. */
interface Try {
  readonly testId: string;
  readonly retry: number;
}

/** Saves the report of what a try of a test has met of the contract. */
export function saveReport(run: string, { testId, retry }: Try, report: unknown): void {
  mkdirSync(folderOf(run), { recursive: true });
  writeFileSync(join(folderOf(run), `${retry}-${testId}.json`), JSON.stringify(report));
}

/** Returns the counts of the last try of each test. @throws Problem `invalid` for a file that has none */
export function readCounts(run: string): CoverageCounts[] {
  if (!existsSync(folderOf(run))) return [];
  const byTest = Map.groupBy(readdirSync(folderOf(run)), (name) => name.replace(/^\d+-/, ''));
  return Array.from(byTest.values(), (names) => {
    const last = names.reduce((one, other) =>
      Number.parseInt(one) > Number.parseInt(other) ? one : other,
    );
    const path = join(folderOf(run), last);
    return countsOf(readForeignJson(path, jsonLimits.report), path);
  });
}
