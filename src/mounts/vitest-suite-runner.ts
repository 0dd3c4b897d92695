import { AsyncLocalStorage } from 'node:async_hooks';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { inject, TestRunner, type RunnerTestCase, type RunnerTestFile } from 'vitest';
import { intercept } from '../engine/office/interceptor.ts';
import { ofTest } from '../engine/office/trace/trace-format.ts';
import { observeParsing } from '../suite/json-reads.ts';
import { verdictOf } from '../suite/oracles.ts';
import { pageTexts } from '../suite/page-texts.ts';
import {
  trialsKey,
  type Attempt,
  type SuiteMeta,
  type TestTrials,
  type Trials,
  type Verdict,
} from '../suite/trials.ts';
import { WatchedRun, Watcher } from '../suite/watcher.ts';
import { saveText, saveTrace } from './node/save-trace.ts';
import { ignoreFile } from './vitest-trace.ts';

type Test = RunnerTestCase;
type Try = Parameters<TestRunner['onBeforeTryTask']>[1];

/** The runs of one test. */
interface Runs {
  readonly tried: TestTrials;
  readonly attempts: Attempt[];
  /** The run in progress. */
  watched: WatchedRun;
  start: number;
  /** Number of errors of earlier runs. */
  errors: number;
  texts: readonly string[] | undefined;
  verdict: Verdict | undefined;
  /** The first run, and what its page showed at the end. */
  readonly first: WatchedRun;
}

/** A test may leave fake timers behind. */
const [setRealTimeout, clearRealTimeout] = [setTimeout, clearTimeout];

/** Number of times that a test runs as it is: one that comes out differently is flaky. */
const plainRuns = 2;

/** Runs each test as often as there are trials for it, and leaves what came out in the `meta` of the test. */
// oxlint-disable-next-line import/no-default-export -- vitest loads a runner by its default export
export default class SuiteTestRunner extends TestRunner {
  readonly #trials = inject(trialsKey as never) as Trials;
  readonly #runs = new WeakMap<Test, Runs>();
  /** Mutants that an earlier test of the file has noticed. */
  readonly #noticed = new Set<string>();
  readonly #storage = new AsyncLocalStorage<Runs>();
  #current: Runs | undefined;
  #restore: readonly (() => void)[] = [];

  onBeforeRunFiles(): void {
    const current = (): WatchedRun | undefined =>
      (this.#storage.getStore() ?? this.#current)?.watched;
    intercept(new Watcher(current));
    this.#restore =
      this.#trials.byTest === undefined
        ? [observeParsing((text, value) => current()?.observe(text, value) ?? value)]
        : [observeUncaught((message) => current()?.uncaught.push(message))];
  }

  override onAfterRunFiles(files: RunnerTestFile[]): void {
    intercept(undefined);
    for (const restore of this.#restore) restore();
    super.onAfterRunFiles(files);
  }

  override async onBeforeRunTask(test: Test): Promise<void> {
    const tried = this.#trials.byTest?.[test.id];
    if (this.#trials.byTest === undefined || tried !== undefined) {
      test.repeats = (tried?.trials.length ?? plainRuns) - 1;
      test.retry = 0;
      if (tried !== undefined) await limitWaits(this.config.root, tried.wait);
    } else if (test.mode === 'run') test.mode = 'skip';
    await super.onBeforeRunTask(test);
  }

  override onBeforeTryTask(test: Test, tried: Try): void {
    this.#current = this.#begin(test, tried.repeats);
    super.onBeforeTryTask(test, tried);
  }

  #begin(test: Test, at: number): Runs {
    const tried = this.#trials.byTest?.[test.id] ?? { trials: [], wait: 0, limit: 0 };
    const known = this.#runs.get(test);
    const watched = new WatchedRun(tried.trials[at]);
    const start = performance.now();
    if (known !== undefined) {
      this.#end(test, known);
      return Object.assign(known, { watched, start });
    }
    const none = { texts: undefined, verdict: undefined };
    const runs = { tried, attempts: [], watched, start, errors: 0, first: watched, ...none };
    this.#runs.set(test, runs);
    return runs;
  }

  #end(test: Test, runs: Runs): void {
    const { trial } = runs.watched;
    const isSkipped = trial !== undefined && this.#noticed.has(trial.id);
    const errors = test.result?.errors ?? [];
    const error = errors[runs.errors]?.message;
    if (error !== undefined && trial !== undefined && 'mutation' in trial)
      this.#noticed.add(trial.id);
    const ms = isSkipped ? 0 : performance.now() - runs.start;
    const { texts, verdict } = runs;
    runs.attempts.push({ ms, error, texts, ...(verdict && { verdict }) });
    Object.assign(runs, { errors: errors.length, texts: undefined, verdict: undefined });
  }

  async runTask(test: Test): Promise<void> {
    const runs = this.#runs.get(test);
    const run = TestRunner.getTestFn(test);
    const { trial } = runs?.watched ?? {};
    if (runs === undefined || (trial !== undefined && this.#noticed.has(trial.id))) return;
    await this.#storage.run(runs, () => within(runs.tried.limit, run));
  }

  /** Called when the function of the test has ended, before hooks clean its page up. */
  async onTaskFinished(test: Test): Promise<void> {
    const runs = this.#runs.get(test);
    if (runs === undefined) return;
    const { watched, tried } = runs;
    const texts = pageTexts();
    runs.texts = texts;
    if (watched.trial === undefined || !('fault' in watched.trial) || tried.plain === undefined)
      return;
    const error = test.result?.errors?.[runs.errors]?.message;
    const verdict = verdictOf(watched, { texts, error }, tried.plain);
    runs.verdict = { ...verdict, trace: await this.#saveTrace(test, runs, verdict) };
    watched.hit?.office.releaseAll();
  }

  /** Returns the file of the trace of a red verdict. */
  async #saveTrace(
    test: Test,
    { watched: { hit, trial } }: Runs,
    { tone, reason }: Verdict,
  ): Promise<string | undefined> {
    const { traces } = this.#trials;
    const { history } = hit?.office ?? {};
    if (tone !== 'red' || traces === undefined || history?.isOn !== true) return undefined;
    const trace = ofTest(history.trace(), test.fullName, [reason]);
    const file = `${traces}/${nameOf(`${test.id} ${trial?.id ?? ''}`)}.${trace.api === 'store' ? 'html' : 'json'}`;
    await saveTrace(trace, file);
    await saveText(ignoreFile.path, ignoreFile.content);
    return file;
  }

  /** What an ended run has left behind fails before the next one begins. */
  override async onAfterRetryTask(test: Test, tried: Try): Promise<void> {
    await super.onAfterRetryTask(test, tried);
    if (this.#trials.byTest === undefined) return;
    await new Promise((done) => {
      setRealTimeout(done, 20);
    });
  }

  override onAfterRunTask(test: Test): void {
    const runs = this.#runs.get(test);
    if (runs !== undefined) {
      this.#end(test, runs);
      const { attempts, first } = runs;
      const isPlain = this.#trials.byTest === undefined;
      const subjects = isPlain ? first.subjects : [];
      const plain = first.plain(attempts[0]?.texts);
      const meta: SuiteMeta = { backlotSuite: { attempts, subjects, plain } };
      Object.assign(test.meta, meta);
    }
    super.onAfterRunTask(test);
  }
}

/** Awaits a test, which hangs after a time in milliseconds; 0 for no limit but that of vitest. */
async function within(limit: number, run: () => unknown): Promise<void> {
  if (limit === 0) return void (await run());
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setRealTimeout(() => reject(new Error(`Test timed out in ${limit} ms.`)), limit);
  });
  try {
    await Promise.race([run(), late]);
  } finally {
    clearRealTimeout(timer);
  }
}

/** Returns a name for a file: letters, digits and `-`. */
function nameOf(text: string): string {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.join('-').slice(0, 150);
}

/** Calls a listener with each error that nobody catches, until the returned function is called. */
function observeUncaught(listener: (message: string) => void): () => void {
  const onRejection = (reason: unknown): void => listener(messageOf(reason));
  const onError = (event: Event): void =>
    listener(messageOf('error' in event ? event.error : undefined));
  process.on('unhandledRejection', onRejection);
  const { addEventListener: add, removeEventListener: remove }: Partial<typeof globalThis> =
    globalThis;
  add?.('error', onError);
  return () => {
    process.off('unhandledRejection', onRejection);
    remove?.('error', onError);
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}

/** Sets how long the Testing Library of a project waits for what does not come, if the project has one. */
async function limitWaits(root: string, asyncUtilTimeout: number): Promise<void> {
  const { resolve } = createRequire(join(root, 'package.json'));
  for (const name of ['react', 'vue', 'svelte', 'preact', 'angular', 'dom']) {
    const library = await importIfThere(() => resolve(`@testing-library/${name}`));
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
