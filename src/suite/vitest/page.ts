import { afterAll, afterEach, beforeAll, beforeEach, inject, TestRunner, vi } from 'vitest';
import type { RunnerTestCase, RunnerTestSuite, TestContext } from 'vitest';
import { ClientSeam } from '../client-seam.ts';
import { pageContexts } from '../seam-request.ts';
import { endpointNames } from '../endpoint-names.ts';
import { RepeatedTest, TrialRuns } from '../trial-runs.ts';
import { errorText, thrownErrorOf } from '../thrown-error.ts';
import { trialsKey, type SuiteMeta } from '../trials.ts';
import { saveInPage } from '../../mounts/vitest/page-trace.ts';

/*
 * A setup file that does in the browser mode of vitest what `runner.ts` does in Node.js: there, the runner
 * cannot be replaced. Tests of a page do not run concurrently.
 */

type Test = RunnerTestCase;

/** The runs of a test, and the number of errors before the run in progress. */
interface Runs {
  readonly repeated: RepeatedTest;
  errors: number;
  isJudged: boolean;
}

const trials = new TrialRuns(inject(trialsKey as never), saveInPage);
const runsOf = new WeakMap<Test, Runs>();
let current: RepeatedTest | undefined;

// Modules may keep `fetch` as it is when they are loaded.
const seam = new ClientSeam(
  () => current?.watched,
  endpointNames(trials.trials.paths),
  pageContexts,
);
seam.watch();
const restore = trials.watch(() => current?.watched);

const limits = Object.values(trials.trials.byTest ?? {}).map(({ limit }) => limit);
// A test that hangs cannot be ended otherwise.
if (limits.length > 0) vi.setConfig({ testTimeout: Math.max(...limits) });

// oxlint-disable-next-line no-empty-pattern -- vitest refuses another first parameter
beforeAll(({}, file) => {
  prepare(file);
  addEventListener('error', onUncaught);
  addEventListener('unhandledrejection', onUncaught);
});

afterAll(() => {
  seam.restore();
  restore();
  removeEventListener('error', onUncaught);
  removeEventListener('unhandledrejection', onUncaught);
});

function onUncaught(event: ErrorEvent | PromiseRejectionEvent): void {
  current?.watched?.evidence.uncaught.push(
    errorText('error' in event ? event.error : event.reason),
  );
}

/** Has each test run as often as there are trials for it, and each run judged before other hooks clean its page up. */
function prepare(suite: RunnerTestSuite): void {
  const { afterEach: hooks } = TestRunner.getSuiteHooks(suite);
  // The first of them, in whichever order the configuration has hooks called.
  hooks.unshift(judge);
  hooks.push(judge);
  for (const task of suite.tasks) {
    if (task.type === 'suite') prepare(task);
    else repeat(task);
  }
}

function repeat(test: Test): void {
  const count = test.fails === true ? 0 : trials.countOf(test.id);
  if (count > 0) {
    test.repeats = count - 1;
    test.retry = 0;
  } else if (test.mode === 'run' || test.mode === 'queued') test.mode = 'skip';
}

async function judge({ task }: TestContext): Promise<void> {
  const runs = runsOf.get(task);
  if (runs === undefined || runs.isJudged) return;
  runs.isJudged = true;
  const error = task.result?.errors?.[runs.errors];
  await runs.repeated.judge(error?.message, { thrown: error && thrownErrorOf(error) });
}

/** Returns the message of the first error of the run in progress. */
function errorOf(test: Test, { errors }: Runs): string | undefined {
  return test.result?.errors?.[errors]?.message;
}

beforeEach(({ task }) => {
  const runs = runsOf.get(task) ?? {
    repeated: new RepeatedTest(trials, task.id, { name: task.fullTestName, file: task.file.name }),
    errors: 0,
    isJudged: false,
  };
  runsOf.set(task, runs);
  runs.isJudged = false;
  current = runs.repeated;
  current.begin(task.result?.repeatCount ?? 0);
  seam.watch();
});

// Hooks of setup files are called after those of the test.
afterEach(async ({ task }) => {
  const runs = runsOf.get(task);
  if (runs === undefined) return;
  runs.repeated.end(errorOf(task, runs));
  runs.errors = task.result?.errors?.length ?? 0;
  const meta: SuiteMeta = { backlotSuite: runs.repeated.recorded };
  Object.assign(task.meta, meta);
  await trials.settle();
});
