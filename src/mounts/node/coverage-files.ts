import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { styleText } from 'node:util';
import { contractList } from '../../shop/coverage/listed-items.ts';
import type { CoverageCounts } from '../../engine/coverage/counts.ts';
import { coverageCtrf, coverageText } from '../../engine/coverage/formats.ts';
import { coverageHtml } from '../../engine/coverage/html.ts';
import {
  countsOf,
  type CoverageReport,
  type ReportOptions,
  type Thresholds,
} from '../../engine/coverage/report.ts';

/** Options of the reporter. All of them are optional. */
export interface ContractCoverageOptions extends ReportOptions {
  /** What is written (default: text, json and html): text to the terminal, the others to files. */
  readonly reporters?: readonly ('text' | 'json' | 'ctrf' | 'html')[] | undefined;
  /** Folder of the files `coverage.json`, `ctrf.json` and `index.html` (default: `coverage/backlot`). */
  readonly directory?: string | undefined;
  /**
   * Minimum percentages by measure, or of all items. A negative number is a maximum of items that are not met. A run
   * that does not reach them fails.
   */
  readonly thresholds?: Thresholds | undefined;
  /** Maximum number of gaps of each measure in the text (default: 5). */
  readonly maxGaps?: number | undefined;
}

/** The run of a test runner. */
export interface CoveredRun {
  /** The folder that paths start from. */
  readonly folder: string;
  /** When it began, in milliseconds since 1970. */
  readonly start: number;
  readonly log: (text: string) => void;
}

/** Prints a report and writes its files, as the options of a reporter say. */
export function writeReport(
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
  if (reporters.includes('html')) write('index.html', coverageHtml(report, contractList()));
  if (reporters.includes('ctrf')) {
    const times = { start: run.start, stop: Date.now() };
    write('ctrf.json', `${JSON.stringify(coverageCtrf(report, contractList(), times), null, 2)}\n`);
  }
}

/** Reads the counts in the files of a folder. @throws Problem `invalid` for a file that has none */
export function countsIn(folder: string): [name: string, counts: CoverageCounts][] {
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder).filter((name) => name.endsWith('.json'));
  return files.map((name) => {
    const path = join(folder, name);
    return [path, countsOf(JSON.parse(readFileSync(path, 'utf8')), path)];
  });
}
