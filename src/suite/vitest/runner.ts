import { AsyncLocalStorage } from 'node:async_hooks';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { inject, vi } from 'vitest';
import type { RunnerTestCase, RunnerTestFile, RunnerTestSuite } from 'vitest';
import { ClientSeam } from '../client-seam.ts';
import { nodeContexts } from '../node-contexts.ts';
import { endpointNames } from '../endpoint-names.ts';
import { OutsideRuns } from '../outside-runs.ts';
import { RepeatedTest, testingLibraries, TrialRuns, within } from '../trial-runs.ts';
import { errorText, thrownErrorOf, type ThrownError } from '../thrown-error.ts';
import { trialsKey, type SuiteMeta } from '../trials.ts';
import type { WatchedRun } from '../watched-run.ts';
import { nodeClients } from '../node/node-clients.ts';
import { saveTraceAs } from '../../mounts/node/save-trace.ts';
import { fullNameOf, TestRunner } from './test-runner.ts';

type Test = RunnerTestCase;
type Try = Parameters<InstanceType<typeof TestRunner>['onBeforeTryTask']>[1];

/** The runs of a test, and the number of errors of those that have ended. */
interface Runs {
  readonly repeated: RepeatedTest;
  /** Whether the first run began with fake timers. */
  readonly hadFakeTimers: boolean;
  errors: number;
  /** What the function of the run in progress has thrown, before vitest prints the values in it. */
  thrown?: ThrownError | undefined;
}

/** The run that code belongs to, which may have ended, also in an earlier file. */
const storage = new AsyncLocalStorage<WatchedRun>();

/** Runs each test as often as there are trials for it, and leaves what came out in the `meta` of the test. */
// oxlint-disable-next-line import/no-default-export -- vitest loads a runner by its default export
export default class SuiteTestRunner extends TestRunner {
  readonly #trials = new TrialRuns(inject(trialsKey as never), saveTraceAs);
  readonly #runs = new WeakMap<Test, Runs>();
  readonly #seam = new ClientSeam(
    () => this.#watched,
    endpointNames(this.#trials.trials.paths),
    nodeContexts(),
    nodeClients,
  );
  #current: RepeatedTest | undefined;
  #outside = new OutsideRuns(this.#trials.trials.isOnce);
  #restore: readonly (() => void)[] = [];

  get #watched(): WatchedRun | undefined {
    return storage.getStore() ?? this.#outside.current ?? this.#current?.watched;
  }

  /** Modules may keep `fetch` and `JSON.parse` as they are when they are loaded, and open back offices. */
  onBeforeCollect(): void {
    this.#seam.watch();
    if (this.#restore.length > 0) return;
    this.#restore = [
      () => this.#seam.restore(),
      observeStubs(() => this.#seam.watch()),
      this.#trials.watch(() => this.#watched),
      observeUncaught((error) => this.#watched?.evidence.uncaught.push(errorText(error))),
    ];
  }

  override onCollectStart(file: RunnerTestFile): void {
    this.#outside = new OutsideRuns(this.#trials.trials.isOnce);
    super.onCollectStart(file);
  }

  override async onBeforeRunSuite(suite: RunnerTestSuite): Promise<void> {
    this.#outside.beginHooks();
    if (this.#trials.trials.hooked?.includes(suite.file.filepath) === true)
      runAroundEach(suite, this.config.sequence.hooks);
    await super.onBeforeRunSuite(suite);
  }

  override onAfterRunFiles(files: RunnerTestFile[]): void {
    for (const restore of this.#restore) restore();
    this.#restore = [];
    super.onAfterRunFiles(files);
  }

  override async onBeforeRunTask(test: Test): Promise<void> {
    const count = this.#trials.countOf(test.id);
    if (test.fails === true && test.mode === 'run') test.mode = 'skip';
    else if (count > 0) {
      test.repeats = count - 1;
      test.retry = 0;
      await limitWaits(this.config.root, this.#trials.waitOf(test.id));
    } else if (test.mode === 'run') test.mode = 'skip';
    await super.onBeforeRunTask(test);
  }

  // oxlint-disable-next-line typescript/no-misused-promises -- vitest awaits it
  override async onBeforeTryTask(test: Test, tried: Try): Promise<void> {
    await this.#end(test);
    this.#outside.beginTest();
    this.#current = this.#begin(test, tried.repeats);
    this.#seam.watch();
    super.onBeforeTryTask(test, tried);
  }

  #begin(test: Test, at: number): RepeatedTest {
    const names = { name: fullNameOf(test), file: test.file.name };
    const repeated =
      this.#runs.get(test)?.repeated ?? new RepeatedTest(this.#trials, test.id, names);
    if (!this.#runs.has(test))
      this.#runs.set(test, { repeated, errors: 0, hadFakeTimers: vi.isFakeTimers() });
    repeated.begin(at);
    this.#runs.get(test)!.thrown = undefined;
    return repeated;
  }

  /** Ends the run of a test that is in progress, if there is one. */
  async #end(test: Test): Promise<void> {
    const runs = this.#runs.get(test);
    if (runs === undefined) return;
    runs.repeated.end(errorOf(test, runs));
    runs.errors = test.result?.errors?.length ?? 0;
    // A run that hangs does not put back what it has replaced.
    if (!runs.hadFakeTimers && vi.isFakeTimers()) vi.useRealTimers();
    await this.#trials.settle();
  }

  async runTask(test: Test): Promise<void> {
    const runs = this.#runs.get(test);
    const run = TestRunner.getTestFn(test);
    if (runs === undefined || runs.repeated.isNoticed) return;
    const { repeated } = runs;
    // Hooks may have put another client there.
    this.#seam.watch();
    try {
      await storage.run(repeated.watched!, () => within(repeated.tried?.limit, run));
    } catch (error) {
      runs.thrown = thrownErrorOf(error);
      throw error;
    }
  }

  /** Called when the function of the test has ended, before hooks clean its page up. */
  async onTaskFinished(test: Test): Promise<void> {
    const runs = this.#runs.get(test);
    if (runs === undefined) return;
    const { repeated } = runs;
    const error = test.result?.errors?.[runs.errors];
    await repeated.judge(error?.message, {
      thrown: runs.thrown ?? (error && thrownErrorOf(error)),
      passFakeTime,
      inContext: (work) => storage.run(repeated.watched!, work),
    });
  }

  // oxlint-disable-next-line typescript/no-misused-promises -- vitest awaits it
  override async onAfterRunTask(test: Test): Promise<void> {
    await this.#end(test);
    const runs = this.#runs.get(test);
    this.#outside.endTest();
    const meta: SuiteMeta = { backlotOutside: this.#outside.calls };
    Object.assign(test.meta, meta, runs && { backlotSuite: runs.repeated.recorded });
    super.onAfterRunTask(test);
  }
}

/** Has the hooks `beforeAll` and `afterAll` of a group run around each test, outside of its other hooks. */
function runAroundEach(suite: RunnerTestSuite, order: string): void {
  const hooks = TestRunner.getSuiteHooks(suite);
  const before = hooks.beforeAll.splice(0).map((hook) => () => hook(suite));
  const after = hooks.afterAll.splice(0).map((hook) => () => hook(suite));
  hooks.beforeEach.unshift(...before);
  // The last ones of a stack are called first.
  if (order === 'stack') hooks.afterEach.unshift(...after);
  else hooks.afterEach.push(...after);
}

/** Returns the message of the first error of the run in progress. */
function errorOf(test: Test, { errors }: Runs): string | undefined {
  return test.result?.errors?.[errors]?.message;
}

/** Passes time for a page whose timers are fake, and that no test passes any more. */
async function passFakeTime(ms: number): Promise<void> {
  if (vi.isFakeTimers()) await vi.advanceTimersByTimeAsync(ms);
}

/** Calls a listener after each stub that a test sets by `vi`, until the returned function is called. */
function observeStubs(listener: () => void): () => void {
  const { spyOn, stubGlobal } = vi;
  const observed = {
    spyOn(...args: Parameters<typeof spyOn>) {
      const spy: unknown = spyOn(...args);
      listener();
      return spy;
    },
    stubGlobal(...args: Parameters<typeof stubGlobal>) {
      stubGlobal(...args);
      listener();
      return vi;
    },
  };
  Object.assign(vi, observed);
  return () => void Object.assign(vi, { spyOn, stubGlobal });
}

/** Calls a listener with each error that nobody catches, until the returned function is called. */
function observeUncaught(listener: (error: unknown) => void): () => void {
  const onError = (event: Event): void => listener('error' in event ? event.error : undefined);
  process.on('unhandledRejection', listener);
  const { addEventListener: add, removeEventListener: remove }: Partial<typeof globalThis> =
    globalThis;
  add?.('error', onError);
  return () => {
    process.off('unhandledRejection', listener);
    remove?.('error', onError);
  };
}

/** Sets how long the Testing Library of a project waits for what does not come, if the project has one. */
async function limitWaits(root: string, asyncUtilTimeout: number): Promise<void> {
  const { resolve } = createRequire(join(root, 'package.json'));
  for (const name of testingLibraries) {
    const library = await importIfThere(() => resolve(name));
    library?.configure?.({ asyncUtilTimeout });
  }
}

async function importIfThere(
  resolve: () => string,
): Promise<{ configure?: (options: { asyncUtilTimeout: number }) => void } | undefined> {
  try {
    return (await import(pathToFileURL(resolve()).href)) as { configure?: () => void };
  } catch {
    return undefined;
  }
}
