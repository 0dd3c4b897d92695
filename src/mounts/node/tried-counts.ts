import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CoverageCounts } from '../../engine/coverage/counts.ts';

/** Below the folder of a run: the counts of its tests, one file for each try. */
const folderOf = (run: string): string => join(run, 'tests');

/** A try of a test: `retry` is 0 for the first one. */
interface Try {
  readonly testId: string;
  readonly retry: number;
}

/** Saves what a try of a test has met of the contract. */
export function saveCounts(run: string, { testId, retry }: Try, counts: CoverageCounts): void {
  mkdirSync(folderOf(run), { recursive: true });
  writeFileSync(join(folderOf(run), `${retry}-${testId}.json`), JSON.stringify(counts));
}

/** Returns the counts of the last try of each test. */
export function readCounts(run: string): CoverageCounts[] {
  if (!existsSync(folderOf(run))) return [];
  const byTest = Map.groupBy(readdirSync(folderOf(run)), (name) => name.replace(/^\d+-/, ''));
  return Array.from(byTest.values(), (names) => {
    const last = names.reduce((one, other) =>
      Number.parseInt(one) > Number.parseInt(other) ? one : other,
    );
    return JSON.parse(readFileSync(join(folderOf(run), last), 'utf8')) as CoverageCounts;
  });
}
