import { join } from 'node:path';
import { styleText } from 'node:util';
import { addedResponses, contractFor } from '../engine/coverage/contract.ts';
import { noCounts, type CoverageCounts } from '../engine/coverage/counts.ts';
import { configFile, loadApi } from './config.ts';
import type { ApiDefinition } from '../engine/definition/api.ts';
import type { CoverageRecorder } from '../engine/coverage/recorder.ts';
import { SessionCoverage } from '../engine/coverage/session-coverage.ts';
import { coverageText } from '../engine/coverage/text.ts';
import {
  coverageReport,
  mergeReports,
  thresholdIssues,
  type CoverageReport,
} from '../engine/coverage/report.ts';
import { jsonLimits } from '../engine/lib/json-limits.ts';
import { coverageFile } from '../reports/coverage.ts';
import { storeContract } from '../shop/store-contract.ts';
import type { Arguments } from './commands.ts';
import { printIssue } from './terminal.ts';
import { UsageError } from './values.ts';
import { assertWritable, readJsonFile, writeWhole } from './whole-file.ts';

/** The part of a report that a merge reads. */
type CountsOnly = Pick<CoverageReport, 'backlot' | 'version' | 'requests' | 'counts'>;

/** The contract coverage of a server. */
export interface ServerCoverage {
  readonly recorder: CoverageRecorder;
  /** Returns the report, or only the counts of one session. */
  readonly report: (session?: string) => CoverageReport | CountsOnly;
  /** Writes the report. */
  save(): void;
}

/**
 * Counts for a server.
 *
 * @param file where the report is written at the end
 * @param folder where a test reporter collects the counts of servers
 * @param apiOf returns the API that the server has when a report is asked for
 * @throws UsageError for a file that cannot be written
 */
export function countServer(
  file: string | undefined,
  folder: string | undefined,
  apiOf: () => ApiDefinition,
): ServerCoverage {
  if (file !== undefined) assertWritable(file);
  const recorder = new SessionCoverage();
  const report = (session?: string): CoverageReport | CountsOnly =>
    session === undefined
      ? coverageReport(recorder.counts(), contractFor(apiOf(), storeContract()))
      : countsOnly(recorder.countsOf(session));
  const save = (): void => {
    if (file !== undefined) writeWhole(file, json(report()));
    if (folder === undefined) return;
    const name = `server-${crypto.randomUUID()}.json`;
    writeWhole(join(folder, name), json(countsOnly(recorder.counts())));
  };
  return { recorder, report, save };
}

function countsOnly(counts: CoverageCounts): CountsOnly {
  return { backlot: 'coverage', version: 1, requests: counts.requests, counts };
}

/**
 * Merges reports of contract coverage and prints the result: `merge a.json b.json --min 80 --out all.json`.
 *
 * @returns the exit code: 0, or 1 if the coverage is below the minimum
 * @throws UsageError for files that cannot be read, Problem `invalid` for a file that is no report
 */
export async function mergeFiles({
  names,
  min,
  gaps: maxGaps,
  ignore,
  out,
  ...flags
}: Arguments<'coverage'>): Promise<number> {
  const [action, ...files] = names;
  if (action !== 'merge' || files.length === 0) {
    throw new UsageError('coverage requires reports: backlot coverage merge a.json b.json');
  }
  for (const path of out) assertWritable(path);
  const reports = files.map((file) => [file, readJsonFile(file, jsonLimits.report)] as const);
  const file = configFile(flags);
  const api = await loadApi(flags);
  const contract = contractFor(api, storeContract());
  const added = file === undefined ? [] : [[file, listed(api)] as const];
  const report = mergeReports([...added, ...reports], contract, { ignore });
  console.log(coverageText(report, { paint: styleText, maxGaps }));
  for (const path of out) writeWhole(path, coverageFile(path, report, contract));
  const issues = thresholdIssues(report, { all: min });
  for (const issue of issues) printIssue(issue);
  return issues.length === 0 ? 0 : 1;
}

/** Returns a report without requests that lists what a definition adds. */
function listed(api: ApiDefinition): CountsOnly {
  const documented = Object.fromEntries(addedResponses(api).map((one) => [one, 1] as const));
  return countsOnly({ ...noCounts, documented });
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
