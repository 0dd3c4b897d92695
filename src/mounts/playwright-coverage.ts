import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { styleText } from 'node:util';
import type { FullConfig, FullResult, Reporter } from '@playwright/test/reporter';
import { mergeCounts } from '../engine/coverage/counts.ts';
import { contractList } from '../shop/coverage/listed-items.ts';
import { coverageReport, thresholdIssues } from '../engine/coverage/report.ts';
import { writeReport, type ContractCoverageOptions } from './node/coverage-files.ts';
import { readCounts } from './node/tried-counts.ts';

export type { ContractCoverageOptions } from './node/coverage-files.ts';
export type { CoverageCounts } from '../engine/coverage/counts.ts';
export type {
  CoverageReport,
  Gap,
  MeasureSummary,
  ReportOptions,
  Stray,
  Thresholds,
} from '../engine/coverage/report.ts';
export type { Measure } from '../engine/coverage/keys.ts';

/**
 * A reporter of Playwright that says what the tests have met of the contract:
 * `reporter: [['list'], ['backlot/playwright/coverage', { thresholds: { statuses: 80 } }]]`.
 *
 * It counts the session of each test that uses the fixtures of `backlot/playwright`, in all workers: of a test that was
 * retried, the last try. The server counts if `webServer` starts it in this run, or if it was started with `--coverage`.
 */
export class ContractCoverageReporter implements Reporter {
  readonly #options: ContractCoverageOptions;
  readonly #folder: string;
  readonly #start = Date.now();
  #config: FullConfig | undefined;
  #hasRun = false;

  constructor(options: ContractCoverageOptions = {}) {
    this.#options = options;
    this.#folder = mkdtempSync(join(tmpdir(), 'backlot-coverage-'));
    // Servers and workers inherit it.
    process.env['BACKLOT_COVERAGE'] = this.#folder;
    process.once('exit', () => rmSync(this.#folder, { recursive: true, force: true }));
  }

  /** Playwright has another reporter show the tests, if this one is alone. */
  printsToStdio(): boolean {
    return false;
  }

  onBegin(config: FullConfig): void {
    this.#config = config;
  }

  onTestEnd(): void {
    this.#hasRun = true;
  }

  /** Resolves with the status `failed` for a run below a threshold. */
  onEnd({ status }: Pick<FullResult, 'status'>): Promise<Pick<FullResult, 'status'>> {
    // A list of tests has none that ran.
    if (!this.#hasRun) return Promise.resolve({ status });
    const counts = readCounts(this.#folder);
    const report = coverageReport(mergeCounts(counts), contractList(), this.#options);
    const { configFile, rootDir = '', shard = null } = this.#config ?? {};
    writeReport(report, this.#options, {
      folder: configFile === undefined ? rootDir : dirname(configFile),
      start: this.#start,
      log: (text) => process.stdout.write(`${text}\n`),
    });
    if (counts.length === 0) say('yellow', nothingCounted);
    // A shard meets a part of what all of them meet.
    const issues = shard === null ? thresholdIssues(report, this.#options.thresholds ?? {}) : [];
    for (const issue of issues) say('red', `ERROR: ${issue}`);
    const isBelow = status === 'passed' && issues.length > 0;
    return Promise.resolve({ status: isBelow ? 'failed' : status });
  }
}

// oxlint-disable-next-line import/no-default-export -- Playwright loads a reporter by its default export
export default ContractCoverageReporter;

function say(colour: 'red' | 'yellow', text: string): void {
  process.stderr.write(`${styleText(colour, text)}\n`);
}

const nothingCounted =
  'No session was counted. The server must be started by webServer, or with --coverage <file>, and tests must use the fixtures of backlot/playwright.';
