import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import { dirname, relative, resolve } from 'node:path';
import { Writable } from 'node:stream';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { ViteUserConfig } from 'vitest/config';
import type * as VitestNode from 'vitest/node';
import type { TestCase, TestModule, TestProject, TestSpecification, Vitest } from 'vitest/node';
import { recordHooked } from '../hooked-recording.ts';
import type { Changes } from '../since.ts';
import type { Recording, SuiteRunner, TestRuns } from '../suite-runner.ts';
import { trialsKey, type SuiteMeta, type Trials } from '../trials.ts';
import { installedRunner } from '../node/installed-runner.ts';
import { mocksIn } from '../node/mocked-modules.ts';

/**
 * Opens the suite that a command of vitest runs, with the vitest and the configuration of a folder.
 *
 * @param words what follows `vitest`: `['run', 'test/checkout.test.ts']`
 * @param paths known paths of an API that is not one of Backlot: `/api/orders/:order_id`
 * @throws Error that says what is missing
 */
export async function openVitestSuite(
  words: readonly string[],
  folder: string,
  paths: readonly string[] = [],
): Promise<SuiteRunner> {
  const { createVitest, parseCLI } = await loadVitest(folder);
  // Configurations ask whether they are those of vitest, as its command tells them.
  Object.assign(process.env, { TEST: 'true', VITEST: 'true' });
  process.env['NODE_ENV'] ??= 'test';
  const { filter, options: parsed } = parseCLI(['vitest', ...words], { allowUnknownOptions: true });
  // On the command line, `--exclude` adds to what the configuration excludes, and does not replace it.
  const { exclude: cliExclude = [], ...options } = parsed;
  const signals = ['SIGINT', 'SIGTERM'] as const;
  const listeners = new Set(signals.flatMap((signal) => process.listeners(signal)));
  // oxlint-disable-next-line typescript/no-deprecated -- older versions than 5 require the mode
  const vitest = await createVitest(
    'test',
    {
      ...options,
      cliExclude: [cliExclude].flat(),
      root: options.root ?? folder,
      watch: false,
      run: true,
      runner: runnerFile,
      // A changed response must not become a snapshot.
      update: false,
      bail: 0,
      silent: true,
      coverage: { enabled: false },
      reporters: [{}],
    },
    {
      plugins: [
        {
          name: 'backlot',
          config: configure,
          // The package may be outside of the project: a link to it, or that of a workspace.
          configResolved: ({ server }) => void server.fs.allow.push(dirname(runnerFile)),
        },
      ],
    },
    // What the code under test prints under faults is of no use.
    { stdout: nowhere(), stderr: nowhere() },
  );
  // A listener of vitest ends the process before anything can be told.
  for (const signal of signals)
    for (const one of process.listeners(signal)) if (!listeners.has(one)) process.off(signal, one);
  const specifications = await vitest.globTestSpecifications(filter);
  if (Number.parseInt(vitest.version) < leastInBrowser && vitest.projects.some(isInBrowser)) {
    await vitest.close();
    throw new Error(
      `its browser mode must be that of version ${leastInBrowser} or later, not ${vitest.version}.`,
    );
  }
  for (const { config } of vitest.projects) {
    // A project with a file of its own does not have that of the whole.
    config.runner = runnerFile;
    config.snapshotOptions.updateSnapshot = 'none';
    config.testTimeout = Math.max(config.testTimeout, leastTimeout);
    if (config.browser.enabled) {
      config.setupFiles.unshift(pageFile);
      config.browser.screenshotFailures = false;
    }
  }
  return new VitestSuite(vitest, specifications, folder, paths);
}

/**
 * Has the runner import the vitest of the project, wherever the package is. Has vitest run two files for each core, because
 * trials wait most of their time, unless the project says how many.
 */
function configure({ test }: ViteUserConfig): ViteUserConfig {
  const isLimited = test?.maxWorkers !== undefined || test?.fileParallelism === false;
  const maxWorkers = 2 * availableParallelism();
  // Everything, if it is true.
  const isInline = test?.server?.deps?.inline === true;
  return {
    test: {
      ...(!isInline && {
        server: { deps: { inline: [/\/(vitest-suite-runner\.js|suite\/vitest\/runner\.ts)$/] } },
      }),
      ...(!isLimited && { maxWorkers }),
    },
  };
}

class VitestSuite implements SuiteRunner {
  readonly #vitest: Vitest;
  #specifications: readonly TestSpecification[];
  readonly #folder: string;
  #paths: readonly string[];
  /** The files whose hooks run around each test. */
  #hooked: readonly string[] = [];

  constructor(
    vitest: Vitest,
    specifications: readonly TestSpecification[],
    folder: string,
    paths: readonly string[],
  ) {
    this.#vitest = vitest;
    this.#specifications = specifications;
    this.#folder = folder;
    this.#paths = paths;
  }

  async related({ files }: Changes): Promise<readonly string[]> {
    const { config } = this.#vitest;
    config.related = [...files];
    const related = await this.#vitest.getRelevantTestSpecifications();
    delete config.related;
    const all = new Set(this.#specifications.map(({ moduleId }) => moduleId));
    return related
      .filter(({ moduleId }) => all.has(moduleId))
      .map(({ moduleId }) => this.#pathOf(moduleId));
  }

  async record(...[files]: Parameters<SuiteRunner['record']>): ReturnType<SuiteRunner['record']> {
    if (files !== undefined)
      this.#specifications = this.#specifications.filter(({ moduleId }) =>
        files.includes(this.#pathOf(moduleId)),
      );
    const { hooked, paths, ...recorded } = await recordHooked(
      (again) => this.#record(again),
      this.#paths,
    );
    this.#hooked = hooked;
    this.#paths = paths;
    return recorded;
  }

  recordOnce(): Promise<Recording> {
    return this.#record(undefined, true);
  }

  /** @param hooked the files to run, with their hooks around each test (default: all, as they are) */
  async #record(hooked?: readonly string[], isOnce = false): Promise<Recording> {
    const chosen = this.#specifications.filter(
      ({ moduleId }) => hooked?.includes(this.#pathOf(moduleId)) ?? true,
    );
    const { modules, errors } = await this.#run(chosen, { byTest: undefined, hooked, isOnce });
    const ofFiles = modules.flatMap((module) => module.errors().map(({ message }) => message));
    const outside = modules.flatMap((module) => {
      const last = [...module.children.allTests()].findLast((one) => metaOf(one).backlotOutside);
      const calls = last && metaOf(last).backlotOutside;
      return calls === undefined ? [] : [[this.#pathOf(module.moduleId), calls] as const];
    });
    return {
      tests: this.#runsOf(modules),
      errors: [...ofFiles, ...errors],
      outside: Object.fromEntries(outside),
    };
  }

  async run(...[byTest, traces]: Parameters<SuiteRunner['run']>): Promise<readonly TestRuns[]> {
    const chosen = this.#specifications.filter(({ testModule }) =>
      Array.from(testModule?.children.allTests() ?? []).some(({ id }) => id in byTest),
    );
    const { modules } = await this.#run(chosen, { byTest, traces, hooked: this.#hooked });
    return this.#runsOf(modules).filter(({ id }) => id in byTest);
  }

  async #run(
    specifications: readonly TestSpecification[],
    trials: Trials,
  ): Promise<{ modules: readonly TestModule[]; errors: readonly string[] }> {
    const hooked = trials.hooked?.map((file) => resolve(this.#folder, file).replaceAll('\\', '/'));
    const provided: Trials = { ...trials, hooked, paths: this.#paths };
    for (const project of this.#vitest.projects)
      project.provide(trialsKey as never, provided as never);
    const { testModules, unhandledErrors } = await this.#vitest.runTestSpecifications([
      ...specifications,
    ]);
    // What fails under a trial is a result, and no failure of this process.
    process.exitCode = undefined;
    return { modules: testModules, errors: unhandledErrors.map(messageOf) };
  }

  #runsOf(modules: readonly TestModule[]): TestRuns[] {
    const mocks = mocksIn(modules.map(({ moduleId }) => moduleId));
    return modules.flatMap((module) =>
      Array.from(module.children.allTests(), (one) => {
        const { attempts = [], subjects = [], plain, received } = metaOf(one).backlotSuite ?? {};
        return {
          id: one.id,
          name: one.fullName,
          file: this.#pathOf(module.moduleId),
          attempts: attempts.filter(({ error }) => error !== abortion),
          subjects,
          plain,
          received,
          fails: one.options.fails,
          ...mocks.get(module.moduleId),
        };
      }),
    );
  }

  #pathOf(moduleId: string): string {
    return relative(this.#folder, moduleId).replaceAll('\\', '/');
  }

  async stop(): Promise<void> {
    await this.#vitest.cancelCurrentRun('keyboard-input');
  }

  async close(): Promise<void> {
    await this.#vitest.close();
  }
}

/** The error of each run of a test in progress when a command is interrupted, or its budget is spent. */
const abortion = 'The test run was aborted by the user.';

function metaOf(one: TestCase): SuiteMeta {
  const meta: ReturnType<TestCase['meta']> & SuiteMeta = one.meta();
  return meta;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String((error as { message?: unknown }).message);
}

const runnerFile = fileOf('runner');
const pageFile = fileOf('page');

/** Returns the file of a module that vitest loads: a source, or an entry point of the package. */
function fileOf(name: string): string {
  const path = import.meta.url.endsWith('.ts') ? `./${name}.ts` : `../vitest-suite-${name}.js`;
  return fileURLToPath(new URL(path, import.meta.url));
}

function nowhere(): Writable {
  return new Writable({ write: (_chunk, _encoding, done) => done() });
}

/** Maximum time of a test as it is, in milliseconds, if the configuration allows less: its first run also loads what it imports. */
const leastTimeout = 30_000;

/** The first version of vitest whose runner `runner.ts` extends. */
const leastVersion = '3.2';

/** The first major version of vitest whose hooks `page.ts` calls. */
const leastInBrowser = 5;

function isInBrowser({ config }: TestProject): boolean {
  return config.browser.enabled;
}

/** Loads the vitest that a folder has. @throws Error */
async function loadVitest(folder: string): Promise<typeof VitestNode> {
  const manifest = installedRunner('vitest', folder, leastVersion);
  const file = createRequire(manifest).resolve('vitest/node');
  return (await import(pathToFileURL(file).href)) as typeof VitestNode;
}
