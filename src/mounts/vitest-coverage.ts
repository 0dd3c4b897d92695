import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { styleText } from 'node:util';
import type { Reporter, TestModule, Vitest } from 'vitest/node';
import { mergeCounts, type CoverageCounts } from '../engine/coverage/counts.ts';
import { contractList } from '../shop/coverage/listed-items.ts';
import { coverageReport, thresholdIssues } from '../engine/coverage/report.ts';
import { countsIn, writeReport, type ContractCoverageOptions } from './node/coverage-files.ts';

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
 * A reporter of vitest that says what the tests have met of the contract:
 * `reporters: ['default', ['backlot/vitest/coverage', { thresholds: { statuses: 80 } }]]`.
 *
 * It counts every back office of all workers, of pages in browser mode, and of servers that tests start with `backlot`.
 * Merge shards with the reporter `blob` beside this one and `--merge-reports`. Thresholds apply to the merged run.
 */
export class ContractCoverageReporter implements Reporter {
  readonly #options: ContractCoverageOptions;
  readonly #byModule = new Map<string, CoverageCounts>();
  #vitest: Vitest | undefined;
  #folder = '';
  #start = Date.now();

  constructor(options: ContractCoverageOptions = {}) {
    this.#options = options;
  }

  /** Adds a setup file, which counts, to each project. */
  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
    this.#start = Date.now();
    for (const { config } of vitest.projects) {
      const setup = setupFile(config.browser.enabled);
      if (!config.setupFiles.includes(setup)) config.setupFiles.unshift(setup);
    }
    this.#folder = mkdtempSync(join(tmpdir(), 'backlot-coverage-'));
    // Servers that tests start inherit it.
    process.env['BACKLOT_COVERAGE'] = this.#folder;
    process.once('exit', () => rmSync(this.#folder, { recursive: true, force: true }));
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    for (const module of modules) {
      const { backlotCoverage } = module.meta() as { backlotCoverage?: CoverageCounts };
      if (backlotCoverage !== undefined) this.#byModule.set(module.id, backlotCoverage);
    }
    for (const [name, counts] of countsIn(this.#folder)) this.#byModule.set(name, counts);
    const report = coverageReport(
      mergeCounts(this.#byModule.values()),
      contractList(),
      this.#options,
    );
    const { config, logger } = this.#vitest ?? {};
    writeReport(report, this.#options, {
      folder: config?.root ?? '',
      start: this.#start,
      log: (text) => logger?.log(text),
    });
    // A shard meets a part of what all of them meet.
    if (config?.shard !== undefined) return;
    for (const issue of thresholdIssues(report, this.#options.thresholds ?? {})) {
      process.exitCode = 1;
      logger?.error(styleText('red', `ERROR: ${issue}`));
    }
  }
}

// oxlint-disable-next-line import/no-default-export -- vitest loads a reporter by its default export
export default ContractCoverageReporter;

function setupFile(isBrowser: boolean): string {
  const name = 'vitest-coverage-setup';
  const file = import.meta.url.endsWith('.ts')
    ? `./${name}.ts`
    : `./${isBrowser ? 'browser/' : ''}${name}.js`;
  return fileURLToPath(new URL(file, import.meta.url));
}
