import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { styleText } from 'node:util';
import type { Reporter, TestModule, Vitest } from 'vitest/node';
import { mergeCounts, type CoverageCounts } from '../coverage/counts.ts';
import { coverageCtrf, coverageText } from '../coverage/formats.ts';
import { coverageHtml } from '../coverage/html.ts';
import {
  countsOf,
  coverageReport,
  thresholdIssues,
  type CoverageReport,
  type ReportOptions,
  type Thresholds,
} from '../coverage/report.ts';

export type { CoverageCounts } from '../coverage/counts.ts';
export type {
  CoverageReport,
  Gap,
  MeasureSummary,
  ReportOptions,
  Stray,
  Thresholds,
} from '../coverage/report.ts';
export type { Measure } from '../coverage/keys.ts';

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
    const report = coverageReport(mergeCounts(this.#byModule.values()), this.#options);
    this.#write(report);
    // A shard meets a part of what all of them meet.
    if (this.#vitest?.config.shard !== undefined) return;
    for (const issue of thresholdIssues(report, this.#options.thresholds ?? {})) {
      process.exitCode = 1;
      this.#vitest?.logger.error(styleText('red', `ERROR: ${issue}`));
    }
  }

  #write(report: CoverageReport): void {
    const {
      reporters = ['text', 'json', 'html'],
      directory = 'coverage/backlot',
      maxGaps,
    } = this.#options;
    const folder = resolve(this.#vitest?.config.root ?? '', directory);
    const write = (name: string, content: string): void => {
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, name), content);
    };
    if (reporters.includes('text')) {
      this.#vitest?.logger.log(`\n${coverageText(report, { paint: styleText, maxGaps })}\n`);
    }
    if (reporters.includes('json')) write('coverage.json', `${JSON.stringify(report, null, 2)}\n`);
    if (reporters.includes('html')) write('index.html', coverageHtml(report));
    if (reporters.includes('ctrf')) {
      const times = { start: this.#start, stop: Date.now() };
      write('ctrf.json', `${JSON.stringify(coverageCtrf(report, times), null, 2)}\n`);
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

/** Reads the counts that servers wrote when they ended. */
function countsIn(folder: string): [name: string, counts: CoverageCounts][] {
  const files = readdirSync(folder).filter((name) => name.endsWith('.json'));
  return files.map((name) => {
    const path = join(folder, name);
    return [path, countsOf(JSON.parse(readFileSync(path, 'utf8')), path)];
  });
}
