import '../node/require-node.ts';
import { dirname } from 'node:path';
import { styleText } from 'node:util';
import type { FullConfig, FullResult, Reporter } from '@playwright/test/reporter';
import { countsFolder, reportRun } from '../node/coverage-files.ts';
import { readCounts } from '../node/tried-counts.ts';
import type { ContractCoverageOptions } from '../node/coverage-types.ts';

export type * from '../node/coverage-types.ts';

/**
 * A reporter of Playwright that says what the tests have met of the contract:
 * `reporter: [['list'], ['backlot/playwright/coverage', { thresholds: { statuses: 80 } }]]`.
 *
 * It counts the session of each test that uses the fixtures of `backlot/playwright`, in all workers: of a test that was
 * retried, the last try. The server counts if `webServer` starts it in this run, or if it was started with `--coverage`.
 */
export class ContractCoverageReporter implements Reporter {
  readonly #options: ContractCoverageOptions;
  readonly #folder = countsFolder();
  #config: FullConfig | undefined;
  #hasRun = false;

  constructor(options: ContractCoverageOptions = {}) {
    this.#options = options;
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
    const { configFile, rootDir = '', shard = null } = this.#config ?? {};
    const issues = reportRun(counts, this.#options, {
      folder: configFile === undefined ? rootDir : dirname(configFile),
      log: (text) => process.stdout.write(`${text}\n`),
      isShard: shard !== null,
    });
    const lines = counts.length === 0 ? [styleText('yellow', nothingCounted), ...issues] : issues;
    for (const line of lines) process.stderr.write(`${line}\n`);
    const isBelow = status === 'passed' && issues.length > 0;
    return Promise.resolve({ status: isBelow ? 'failed' : status });
  }
}

// oxlint-disable-next-line import/no-default-export -- Playwright loads a reporter by its default export
export default ContractCoverageReporter;

const nothingCounted =
  'No session was counted. The server must be started by webServer, or with --coverage <file>, and tests must use the fixtures of backlot/playwright.';
