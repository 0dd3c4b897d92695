import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { ClientSeam } from '../client-seam.ts';
import { endpointNames } from '../endpoint-names.ts';
import { nodeContexts } from '../node-contexts.ts';
import { OutsideRuns } from '../outside-runs.ts';
import type { TestRuns } from '../suite-runner.ts';
import { RepeatedTest, testingLibraries, TrialRuns } from '../trial-runs.ts';
import { errorText, thrownErrorOf, type ThrownError } from '../thrown-error.ts';
import type { OutsideCalls, Trials } from '../trials.ts';
import type { WatchedRun } from '../watched-run.ts';
import { copyOf, nameOf, runAroundEach } from './circus.ts';
import type { CircusBlock, CircusEvent, CircusExpect, CircusState, CircusTest } from './circus.ts';
import { nodeClients } from '../node/node-clients.ts';
import { saveTraceAs } from '../../mounts/node/save-trace.ts';

/** The environment variable with the folder of a round: its `round.json`, and a `*.result.json` for each file of tests. */
export const roundVariable = 'BACKLOT_JEST_ROUND';

/** What the processes of Jest do in a round. */
export interface JestRound {
  readonly trials: Trials;
  /** The file of `jest-circus/runner`. */
  readonly circus: string;
}

/** What came out for a file of tests. */
export interface JestResult {
  readonly file: string;
  readonly tests: readonly Omit<TestRuns, 'file'>[];
  /** Errors outside of tests. */
  readonly errors: readonly string[];
  readonly outside: OutsideCalls;
}

/** The parameters of a test runner: https://jestjs.io/docs/configuration#testrunner-string */
type RunnerArguments = [
  globalConfig: object,
  config: { readonly id: string; readonly rootDir: string },
  environment: JestEnvironment,
  runtime: { requireModule(from: string, name: string): unknown },
  testPath: string,
  ...others: unknown[],
];

interface JestEnvironment {
  readonly global: typeof globalThis;
  readonly fakeTimersModern?: { useRealTimers(): void } | null;
  readonly moduleMocker: { spyOn(...args: unknown[]): unknown } | null;
  handleTestEvent?: (event: CircusEvent, state: CircusState) => Promise<void> | void;
}

type RunFile = (...values: RunnerArguments) => Promise<{ readonly failureMessage?: string | null }>;

/** Runs the tests of a file as often as there are trials for them, and writes what came out into the folder of the round. */
// oxlint-disable-next-line import/no-default-export -- Jest loads a runner by its default export
export default async function runTests(...values: RunnerArguments): ReturnType<RunFile> {
  const [, , environment, , file] = values;
  const folder = process.env[roundVariable] ?? '';
  const { trials, circus } = JSON.parse(
    readFileSync(join(folder, 'round.json'), 'utf8'),
  ) as JestRound;
  const loaded = createRequire(import.meta.url)(circus) as RunFile & { default?: RunFile };
  // Jest 29 exports the function itself.
  const run = loaded.default ?? loaded;
  const tests = new RepeatedFile(trials, values);
  const others = environment.handleTestEvent?.bind(environment);
  environment.handleTestEvent = (event, state) => {
    const handled = tests.handle(event, state);
    return handled === undefined
      ? others?.(event, state)
      : handled.then(() => others?.(event, state));
  };
  const restore = tests.watch();
  const errors: string[] = [];
  try {
    return await run(...values);
  } catch (error) {
    errors.push(messageOf(error));
    throw error;
  } finally {
    restore();
    const result: JestResult = { file, ...tests.result(errors) };
    writeFileSync(join(folder, `${randomUUID()}.result.json`), JSON.stringify(result));
  }
}

/** The run that code belongs to, which may have ended, also in an earlier file. */
const storage = new AsyncLocalStorage<WatchedRun>();

/** One of the runs of a test. */
interface Run {
  readonly repeated: RepeatedTest;
  readonly at: number;
}

/** The tests of a file, with a copy for each run of a test beyond the first. */
class RepeatedFile {
  readonly #runs: TrialRuns;
  readonly #seam: ClientSeam;
  readonly #values: RunnerArguments;
  readonly #tests: {
    readonly id: string;
    readonly name: string;
    readonly repeated: RepeatedTest;
  }[] = [];
  readonly #byTest = new Map<CircusTest, Run>();
  readonly #errors: string[] = [];
  readonly #libraries: readonly string[];
  #expect: CircusExpect | undefined;
  readonly #outside: OutsideRuns;
  #current: RepeatedTest | undefined;
  /** That of the test in progress when its first run began. */
  #setTimeout: unknown;

  constructor(trials: Trials, values: RunnerArguments) {
    this.#runs = new TrialRuns(trials, saveTraceAs, values[2].global);
    this.#values = values;
    this.#outside = new OutsideRuns(trials.isOnce);
    this.#seam = new ClientSeam(() => this.#watched, endpointNames(trials.paths), nodeContexts(), {
      ...nodeClients,
      host: this.#runs.host,
    });
    const hasPage = 'document' in this.#runs.host;
    this.#libraries = hasPage ? librariesOf(values[1].rootDir) : [];
  }

  get #watched(): WatchedRun | undefined {
    return storage.getStore() ?? this.#outside.current ?? this.#current?.watched;
  }

  watch(): () => void {
    // Modules may keep `fetch` as it is when they are loaded.
    this.#seam.watch();
    this.#observeSpies();
    const restore = this.#runs.watch(() => this.#watched);
    return () => {
      restore();
      this.#seam.restore();
    };
  }

  /** A spy on a client replaces the getter of the seam. */
  #observeSpies(): void {
    const { moduleMocker } = this.#values[2];
    if (moduleMocker === null) return;
    const spyOn = moduleMocker.spyOn.bind(moduleMocker);
    moduleMocker.spyOn = (...args) => {
      const spy = spyOn(...args);
      this.#seam.watch();
      return spy;
    };
  }

  /** Handles an event of jest-circus. What is no promise is done at once. */
  handle(event: CircusEvent, state: CircusState): Promise<void> | undefined {
    switch (event.name) {
      case 'setup':
        this.#expect = event.runtimeGlobals.expect;
        return undefined;
      case 'run_start':
        this.#repeat(state.rootDescribeBlock, state);
        return undefined;
      case 'run_describe_start':
        this.#outside.beginHooks();
        return undefined;
      case 'test_start':
        this.#begin(event.test);
        return undefined;
      case 'test_fn_start':
        // Hooks may have put another client there.
        this.#seam.watch();
        return undefined;
      case 'test_fn_success':
      case 'test_fn_failure':
        return this.#judge(event.test);
      case 'hook_failure':
        // Then, the function of the test is not called.
        return event.hook.type === 'beforeEach' ? this.#judge(event.test) : undefined;
      case 'test_done':
        return this.#end(event.test);
      case 'error':
        this.#watched?.evidence.uncaught.push(errorText(event.error));
        return undefined;
      case 'run_finish':
        this.#errors.push(...state.unhandledErrors.map(messageOf));
        return undefined;
    }
  }

  /** Puts a copy of each test beside it for each of its runs beyond the first, and skips tests without runs. */
  #repeat(block: CircusBlock, state: CircusState): void {
    // A flaky test is told, not repeated until it passes.
    Reflect.deleteProperty(this.#runs.host, Symbol.for('RETRY_TIMES'));
    state.describeRetryOptions?.delete(block);
    const [, , , , file] = this.#values;
    if (this.#runs.trials.hooked?.includes(file) === true) runAroundEach(block);
    block.children = block.children.flatMap((child): (CircusBlock | CircusTest)[] => {
      if (child.type === 'test') return this.#runsOf(child);
      this.#repeat(child, state);
      return [child];
    });
  }

  #runsOf(test: CircusTest): CircusTest[] {
    const [, { id: project, rootDir }, , , file] = this.#values;
    const path = relative(rootDir, file);
    const id = `${path} ${this.#tests.length} ${project.slice(0, 6)}`;
    const name = nameOf(test);
    const repeated = new RepeatedTest(this.#runs, id, { name, file: path });
    this.#tests.push({ id, name, repeated });
    const count = this.#runs.countOf(id);
    if (count === 0) test.mode = 'skip';
    // One run after the other: what a test sends is known by when it sends it.
    test.concurrent = false;
    test.timeout = repeated.tried?.limit ?? test.timeout;
    // Jest calls a function with parameters in another way, and a proxy has as many.
    if (test.fn !== undefined)
      test.fn = new Proxy(test.fn, {
        apply: (fn, self, args) =>
          storage.run<unknown>(repeated.watched!, () => Reflect.apply(fn, self, args)),
      });
    const copies = Array.from({ length: Math.max(count, 1) }, (_, at) =>
      at === 0 ? test : copyOf(test),
    );
    for (const [at, copy] of copies.entries()) this.#byTest.set(copy, { repeated, at });
    return copies;
  }

  #begin(test: CircusTest): void {
    const run = this.#byTest.get(test);
    if (run === undefined) return;
    const { repeated, at } = run;
    this.#outside.beginTest();
    if (this.#current !== repeated) this.#setTimeout = this.#runs.host.setTimeout;
    // A run may leave fake timers behind.
    else if (this.#runs.host.setTimeout !== this.#setTimeout)
      this.#values[2].fakeTimersModern?.useRealTimers();
    this.#current = repeated;
    this.#seam.watch();
    // Each run compares with the same snapshots.
    this.#expect?.getState().snapshotState.clear();
    repeated.begin(at);
    if (repeated.isNoticed) {
      test.mode = 'skip';
      repeated.end(undefined);
    } else this.#limitWaits(this.#runs.waitOf(repeated.id));
  }

  #judge(test: CircusTest | undefined): Promise<void> | undefined {
    if (test === undefined) return undefined;
    const { repeated } = this.#byTest.get(test) ?? {};
    return repeated?.judge(errorOf(test), { thrown: thrownIn(test) });
  }

  async #end(test: CircusTest): Promise<void> {
    this.#byTest.get(test)?.repeated.end(errorOf(test));
    await this.#runs.settle();
    this.#outside.endTest();
  }

  /** Sets how long the Testing Library of a page waits for what does not come. */
  #limitWaits(asyncUtilTimeout: number): void {
    const [, , , runtime] = this.#values;
    for (const from of this.#libraries) {
      const library = runtime.requireModule(from, '@testing-library/dom') as TestingLibrary;
      library.configure({ asyncUtilTimeout });
    }
  }

  /** @param errors errors that have ended the file */
  result(errors: readonly string[]): Omit<JestResult, 'file'> {
    const tests = this.#tests.map(({ id, name, repeated }) => ({ id, name, ...repeated.recorded }));
    return { tests, errors: [...errors, ...this.#errors], outside: this.#outside.calls };
  }
}

interface TestingLibrary {
  configure(options: { asyncUtilTimeout: number }): void;
}

/** Returns the files of the Testing Libraries that a project has. Each of them waits by that of the DOM. */
function librariesOf(rootDir: string): string[] {
  const { resolve } = createRequire(join(rootDir, 'package.json'));
  return testingLibraries.flatMap((name) => {
    try {
      const file = resolve(name);
      createRequire(file).resolve('@testing-library/dom');
      return [file];
    } catch {
      return [];
    }
  });
}

function errorOf({ errors }: CircusTest): string | undefined {
  return errors.length === 0 ? undefined : messageOf(errors[0]);
}

/** Returns the first error. An entry may have where the test is, too. */
function thrownIn({ errors: [first] }: CircusTest): ThrownError | undefined {
  const thrown: unknown = Array.isArray(first) ? first[0] : first;
  return thrown === undefined ? undefined : thrownErrorOf(thrown);
}

/** Returns the message of an error in one line. @param error an error, its message, or either with where the test is */
function messageOf(error: unknown): string {
  const one: unknown = Array.isArray(error) ? error[0] : error;
  const { message = String(one) } = (one ?? {}) as { message?: string };
  return stripVTControlCharacters(message).replaceAll(/\s+/g, ' ').trim();
}
