import type { SuiteRunner, SuiteTest, TestRuns } from './suite-runner.ts';
import type { TestTrials } from './trials.ts';

/** A suite that cannot be judged. The message says why. */
export class SuiteError extends Error {
  override readonly name = 'SuiteError';
}

/** Tests that judge nothing. */
export interface Unjudged {
  /** They came out differently when they were run twice as they are. */
  readonly flaky: readonly SuiteTest[];
  /** They are expected to fail, as by `test.fails`. */
  readonly failing: readonly SuiteTest[];
}

/** What a suite does as it is. */
export interface RecordedSuite extends Unjudged {
  readonly tests: readonly TestRuns[];
}

/** Limits of a run. */
export interface SuiteOptions {
  /** Returns the real time, in milliseconds. */
  readonly milliseconds: () => number;
  /** Whether a test is run (default: all are). */
  readonly includesTest?: ((test: SuiteTest) => boolean) | undefined;
  /** Maximum number of trials, the worst first (default: all). */
  readonly max?: number | undefined;
  /** Maximum time for all trials, in milliseconds (default: unlimited). */
  readonly budget?: number | undefined;
  /** Ends the run early; what was found until then is reported. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Runs the tests of a suite twice as they are.
 *
 * @throws SuiteError for a suite that fails
 */
export async function recordSuite(
  suite: SuiteRunner,
  { includesTest = () => true }: SuiteOptions,
): Promise<RecordedSuite> {
  const { tests, errors } = await suite.record();
  // Files end in another order each time, and what is found must not depend on it.
  const run = tests
    .filter((one) => one.attempts.length > 0 && includesTest(one))
    .toSorted((one, other) => Number(one.file > other.file) - Number(one.file < other.file));
  const red = run.find(({ attempts }) => attempts.every(({ error }) => error !== undefined));
  if (red !== undefined) {
    const reason = firstLine(red.attempts[0]?.error);
    throw new SuiteError(
      `${red.file}: '${red.name}' fails as it is: ${reason} Make the suite pass first.`,
    );
  }
  if (errors[0] !== undefined)
    throw new SuiteError(`The suite fails as it is: ${firstLine(errors[0])}`);
  if (run.length === 0) {
    throw new SuiteError(
      tests.length === 0 ? 'There are no tests.' : `None of ${tests.length} tests was run.`,
    );
  }
  const flaky = run.filter(
    ({ attempts }) => new Set(attempts.map(({ error }) => error === undefined)).size > 1,
  );
  const [first] = flaky;
  if (first !== undefined && flaky.length === run.length) {
    const reason = firstLine(first.attempts.find(({ error }) => error !== undefined)?.error);
    throw new SuiteError(
      `${first.file}: '${first.name}' passed once and failed once as it is, like each test that was run: ${reason}`,
    );
  }
  const failing = tests.filter((one) => one.fails === true && includesTest(one));
  return { tests: run.filter((one) => !flaky.includes(one)), flaky, failing };
}

/** `2 tests were run` */
export function ranText({ length }: readonly SuiteTest[]): string {
  return `${length} ${length === 1 ? 'test was' : 'tests were'} run`;
}

function firstLine(text = ''): string {
  const [line = ''] = text.split('\n', 1);
  return /[.!?]$/.test(line) ? line : `${line}.`;
}

/** Returns the time of a test as it is, in milliseconds: the first run of a file also loads what its pages import. */
export function msOf(test: TestRuns | undefined): number {
  return Math.min(...(test?.attempts.map(({ ms }) => ms) ?? [0]));
}

/** Testing Library waits so many times the time of a test as it is, within these limits in milliseconds. */
const [waitFactor, minWait, maxWait] = [5, 250, 1000];

/** Returns how long Testing Library waits under a trial for what does not come, in milliseconds. */
export function waitOf(test: TestRuns | undefined): number {
  return Math.min(Math.max(minWait, Math.round(msOf(test) * waitFactor)), maxWait);
}

/** For how long a response is held at most, as a rule, in milliseconds. */
const maxHeld = 200;

/** Returns the times of the trials of a test. @param isHeld whether its responses are held */
export function limitsOf(
  test: TestRuns | undefined,
  isHeld = false,
): Pick<TestTrials, 'wait' | 'limit'> {
  const wait = waitOf(test);
  const held = isHeld ? maxHeld * (test?.plain?.calls.length ?? 0) : 0;
  return { wait, limit: 4 * wait + 10 * Math.round(msOf(test)) + held };
}

/** Estimated time of the trials of one round, in milliseconds: the first findings come soon. */
const [firstRound, laterRound] = [4000, 30_000];

/** Runs rounds of trials until none is left or a limit is reached. @param next runs a round of an estimated time; false if none is left */
export async function runRounds(
  { milliseconds, budget = Infinity, signal }: SuiteOptions,
  next: (ms: number) => Promise<boolean>,
): Promise<number> {
  const start = milliseconds();
  const spent = (): number => milliseconds() - start;
  for (let round = firstRound; spent() < budget; round = laterRound) {
    if (signal?.aborted === true || !(await next(Math.min(round, budget - spent())))) break;
  }
  return spent();
}
