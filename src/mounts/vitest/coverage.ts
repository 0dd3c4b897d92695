import '../node/require-node.ts';
import { fileURLToPath } from 'node:url';
import type { Reporter, TestModule, Vitest } from 'vitest/node';
import { countsFolder, countsIn, reportRun } from '../node/coverage-files.ts';
import type { ContractCoverageOptions, CoverageCounts } from '../node/coverage-types.ts';

export type * from '../node/coverage-types.ts';

const setupName = import.meta.url.endsWith('.ts')
  ? './coverage-setup.ts'
  : './vitest-coverage-setup.js';
const setupFile = fileURLToPath(new URL(setupName, import.meta.url));

/**
 * A reporter of vitest that says what the tests have met of the contract:
 * `reporters: ['default', ['backlot/vitest/coverage', { thresholds: { statuses: 80 } }]]`.
 *
 * It counts every back office of all workers, of pages in browser mode, and of servers that tests start with `backlot`.
 * Merge shards with the reporter `blob` in addition to this one and `--merge-reports`. Thresholds apply to the merged run.
 */
export class ContractCoverageReporter implements Reporter {
  readonly #options: ContractCoverageOptions;
  readonly #byModule = new Map<string, CoverageCounts>();
  #vitest: Vitest | undefined;
  #folder = '';

  constructor(options: ContractCoverageOptions = {}) {
    this.#options = options;
  }

  /** Adds a setup file, which counts, to each project. */
  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
    for (const { config } of vitest.projects)
      if (!config.setupFiles.includes(setupFile)) config.setupFiles.unshift(setupFile);
    this.#folder = countsFolder();
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    for (const module of modules) {
      const { backlotCoverage }: ReturnType<typeof module.meta> & CoveredMeta = module.meta();
      if (backlotCoverage !== undefined) this.#byModule.set(module.id, backlotCoverage);
    }
    for (const [name, counts] of countsIn(this.#folder)) this.#byModule.set(name, counts);
    const { config, logger } = this.#vitest ?? {};
    const issues = reportRun(this.#byModule.values(), this.#options, {
      folder: config?.root ?? '',
      log: (text) => logger?.log(text),
      isShard: config?.shard !== undefined,
    });
    if (issues.length > 0) process.exitCode = 1;
    for (const issue of issues) logger?.error(issue);
  }
}

/** The counts that `coverage-setup.ts` leaves in the `meta` of a test file. */
interface CoveredMeta {
  readonly backlotCoverage?: CoverageCounts;
}

// oxlint-disable-next-line import/no-default-export -- vitest loads a reporter by its default export
export default ContractCoverageReporter;
