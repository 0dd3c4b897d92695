import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { styleText } from 'node:util';
import { jsonLimits } from '../../engine/lib/json-limits.ts';
import { readForeignJson } from './read-file.ts';
import { knownContract } from './known-contract.ts';
import { mergeCounts, type CoverageCounts } from '../../engine/coverage/counts.ts';
import { coverageCtrf, coverageText } from '../../engine/coverage/formats.ts';
import { coverageHtml } from '../../engine/coverage/html.ts';
import {
  countsOf,
  coverageReport,
  thresholdIssues,
  type CoverageReport,
} from '../../engine/coverage/report.ts';
import type { ContractCoverageOptions } from '../coverage-types.ts';

/** The run of a test runner. */
export interface CoveredRun {
  /** The folder that paths start from. */
  readonly folder: string;
  /** When it began, in milliseconds since 1970. */
  readonly start: number;
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
  const report = coverageReport(mergeCounts(counts), knownContract(), options);
  writeReport(report, options, run);
  const issues = run.isShard ? [] : thresholdIssues(report, options.thresholds ?? {});
  return issues.map((issue) => styleText('red', `ERROR: ${issue}`));
}

/** Prints a report and writes its files. */
function writeReport(
  report: CoverageReport,
  {
    reporters = ['text', 'json', 'html'],
    directory = 'coverage/backlot',
    maxGaps,
  }: ContractCoverageOptions,
  run: CoveredRun,
): void {
  const folder = resolve(run.folder, directory);
  const write = (name: string, content: string): void => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, name), content);
  };
  if (reporters.includes('text')) {
    run.log(`\n${coverageText(report, { paint: styleText, maxGaps })}\n`);
  }
  if (reporters.includes('json')) write('coverage.json', `${JSON.stringify(report, null, 2)}\n`);
  if (reporters.includes('html')) write('index.html', coverageHtml(report, knownContract()));
  if (reporters.includes('ctrf')) {
    const times = { start: run.start, stop: Date.now() };
    write(
      'ctrf.json',
      `${JSON.stringify(coverageCtrf(report, knownContract(), times), null, 2)}\n`,
    );
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
