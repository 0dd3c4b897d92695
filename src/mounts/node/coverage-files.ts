import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { styleText } from 'node:util';
import { jsonLimits } from '../../engine/lib/json-limits.ts';
import { readForeignJson } from './read-file.ts';
import { mergeCounts, type CoverageCounts } from '../../engine/coverage/counts.ts';
import { coverageText } from '../../engine/coverage/text.ts';
import { assertOptions } from '../../engine/lib/unknown-keys.ts';
import { coverageFile } from '../../reports/coverage.ts';
import { storeContract } from '../../shop/store-contract.ts';
import {
  countsOf,
  coverageReport,
  thresholdIssues,
  thresholdNames,
  type CoverageReport,
} from '../../engine/coverage/report.ts';
import type { ContractCoverageOptions } from './coverage-types.ts';

/** The run of a test runner. */
export interface CoveredRun {
  /** The folder that paths start from. */
  readonly folder: string;
  readonly log: (text: string) => void;
  /** Whether it is a part of a run, which meets a part of what all of it meets. */
  readonly isShard: boolean;
}

/** Creates the folder in which servers and workers that inherit the environment leave their counts. It ends with the process. */
export function countsFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'backlot-coverage-'));
  process.env['BACKLOT_COVERAGE'] = folder;
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Reports what was counted, as the options of a reporter say. @returns the thresholds that the run does not reach, in words */
export function reportRun(
  counts: Iterable<CoverageCounts>,
  options: ContractCoverageOptions,
  run: CoveredRun,
): readonly string[] {
  const { reporters = [], thresholds = {} } = options;
  assertOptions(
    'reporters',
    Object.fromEntries(reporters.map((name) => [name, true])),
    reporterFiles,
  );
  assertOptions('thresholds', thresholds, thresholdNames);
  const report = coverageReport(mergeCounts(counts), storeContract(), options);
  writeReport(report, options, run);
  const issues = run.isShard ? [] : thresholdIssues(report, thresholds);
  return issues.map((issue) => styleText('red', `ERROR: ${issue}`));
}

/** The file of each reporter. */
const reporterFiles = { text: undefined, json: 'coverage.json', junit: 'junit.xml' } as const;

/** Prints a report and writes its files. */
function writeReport(
  report: CoverageReport,
  {
    reporters = ['text', 'json'],
    directory = 'coverage/backlot',
    maxGaps,
  }: ContractCoverageOptions,
  run: CoveredRun,
): void {
  if (reporters.includes('text'))
    run.log(`\n${coverageText(report, { paint: styleText, maxGaps })}\n`);
  const folder = resolve(run.folder, directory);
  for (const name of reporters.flatMap((one) => reporterFiles[one] ?? [])) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, name), coverageFile(name, report, storeContract()));
  }
}

/** Reads the counts in the files of a folder. @throws Problem `invalid` for a file that has none */
export function countsIn(folder: string): [name: string, counts: CoverageCounts][] {
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder).filter((name) => name.endsWith('.json'));
  return files.map((name) => {
    const path = join(folder, name);
    return [path, countsOf(readForeignJson(path, jsonLimits.report), path)];
  });
}
