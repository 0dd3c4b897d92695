import { counted } from '../engine/lib/problem.ts';
import { longestRun, runUntil } from './ended-run.ts';
import type { Shard } from './shard.ts';
import type { Scope } from './since.ts';
import type { SuiteRunner, SuiteTest, TestRuns } from './suite-runner.ts';
import type { Attempt, TestTrials } from './trials.ts';
import { mocksTexts, untriedText } from './untried.ts';

/** A suite that cannot be judged. The message says why. */
export class SuiteError extends Error {
  override readonly name = 'SuiteError';
}

/** The report of a run that has tried nothing. */
export const nothingTried = {
  tests: [],
  results: [],
  part: { plan: [], places: [] },
  red: [],
  flaky: [],
  failing: [],
  errors: [],
  ms: 0,
} as const;

/** A suite of which there is nothing to try. */
export class NothingPlanned extends SuiteError {}

/** Tests that judge nothing, and errors outside of tests. */
export interface Unjudged {
  /** They fail as they are. */
  readonly red: readonly RedTest[];
  /** They came out differently when they were run twice as they are. */
  readonly flaky: readonly SuiteTest[];
  /** They are expected to fail, as by `test.fails`. */
  readonly failing: readonly SuiteTest[];
  /** The first line of each error outside of tests: of a file that cannot be loaded, for example. */
  readonly errors: readonly string[];
  /** What no trial changes, as sentences: calls outside of tests, and what mocked modules return. */
  readonly untried?: readonly string[] | undefined;
}

/** A test that fails as it is. */
export interface RedTest extends SuiteTest {
  /** The first line of its error, as a sentence. */
  readonly reason: string;
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
  /** Tries only what has changed. Without a changed endpoint, the files of other tests are not run. */
  readonly scope?: Scope | undefined;
  /** Tries a part of the plan only. */
  readonly shard?: Shard | undefined;
  /** Maximum time for all trials, in milliseconds (default: unlimited). */
  readonly budget?: number | undefined;
  /** Ends the run early; what was found until then is reported. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Runs the tests of a suite twice as they are.
 *
 * @throws SuiteError for a suite without a test that passes twice
 */
export async function recordSuite(
  suite: SuiteRunner,
  { includesTest = () => true, scope }: SuiteOptions,
): Promise<RecordedSuite> {
  const files = scope?.endpoints.length === 0 ? scope.files : undefined;
  const { tests, untried: calls = [], ...recorded } = await suite.record(files);
  const errors = recorded.errors.map(firstLine);
  // Files end in another order each time, and what is found must not depend on it.
  const run = tests
    .filter((one) => one.attempts.length > 0 && includesTest(one))
    .toSorted((one, other) => Number(one.file > other.file) - Number(one.file < other.file));
  if (run.length === 0) {
    if (errors[0] !== undefined)
      throw new SuiteError(`The suite fails as it is: ${errors.join(' ')}`);
    throw new SuiteError(
      tests.length === 0 ? 'There are no tests.' : `None of ${tests.length} tests was run.`,
    );
  }
  const [green, others] = partition(run, ({ attempts }) => attempts.every(isGreen));
  const [flaky, failed] = partition(others, ({ attempts }) => attempts.some(isGreen));
  const red = failed.map((one) => ({ ...testOf(one), reason: firstLine(one.attempts[0]?.error) }));
  if (green.length === 0) throw new SuiteError(nothingGreen(red, flaky));
  const failing = tests.filter((one) => one.fails === true && includesTest(one)).map(testOf);
  const untried = [...calls.map(untriedText), ...mocksTexts(green)];
  return { tests: green, red, flaky: flaky.map(testOf), failing, errors, untried };
}

/** Returns what names a test, without its runs. */
export function testOf({ id, name, file }: SuiteTest): SuiteTest {
  return { id, name, file };
}

function isGreen({ error }: Attempt): boolean {
  return error === undefined;
}

function partition<Value>(
  values: readonly Value[],
  is: (value: Value) => boolean,
): [Value[], Value[]] {
  return [values.filter(is), values.filter((one) => !is(one))];
}

/** Says that no test of a suite passes twice, with the first that does not. */
function nothingGreen([red]: readonly RedTest[], [flaky]: readonly TestRuns[]): string {
  if (red !== undefined)
    return `No test passes as it is. ${red.file}: '${red.name}' fails: ${red.reason}`;
  const error = flaky?.attempts.find((one) => !isGreen(one))?.error;
  return `No test passes twice as it is. ${flaky?.file}: '${flaky?.name}' passed once and failed once: ${firstLine(error)}`;
}

/** Says what may be the reason that the tests of a suite which pass have nothing that can be wrong. */
export function whyNothing({ red, errors, untried = [] }: Unjudged): string[] {
  const [first] = red;
  const others = countNote(
    red.length,
    'other test',
    `failed without a trial, such as '${first?.name}' of ${first?.file}: ${first?.reason}`,
  );
  return [...untried, ...others, ...errors.map((text) => `Outside of tests: ${text}`)];
}

/** `2 responses of another API: not judged.`; nothing of none. */
export function countNote(count: number, noun: string, text: string): string[] {
  return count === 0 ? [] : [`${counted(count, noun)} ${text}`];
}

/** `2 tests were run` */
export function ranText({ length }: readonly SuiteTest[]): string {
  return `${length} ${length === 1 ? 'test was' : 'tests were'} run`;
}

/** Returns the first line of a message, as a sentence. */
export function firstLine(text = ''): string {
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

/** What is tried, one round after the other. */
export interface Rounds {
  /** Returns the next trials by test; undefined if none is left. @param limit estimated time of those of a file, in milliseconds */
  next(limit: number): Readonly<Record<string, TestTrials>> | undefined;
  /** Notes what came out. */
  judge(runs: readonly TestRuns[], tried: Readonly<Record<string, TestTrials>>): void;
}

/** Estimated time of the trials of a round, in milliseconds: the first findings come soon. */
const [firstRounds, laterRound] = [[2000, 4000], 30_000];

/**
 * Runs rounds of trials until none is left or a limit is reached. Of a round that is interrupted, what came out until then counts.
 *
 * @param traces the folder for traces of red verdicts
 * @returns the time that they took, in milliseconds
 */
export async function runRounds(
  suite: SuiteRunner,
  rounds: Rounds,
  { milliseconds, budget = Infinity, signal }: SuiteOptions,
  traces?: string,
): Promise<number> {
  const start = milliseconds();
  const spent = (): number => milliseconds() - start;
  let isOver = false;
  const end = (): void => {
    isOver = true;
    void suite.stop();
  };
  const timer = budget === Infinity ? undefined : setTimeout(end, budget);
  const isStopped = (): boolean => isOver || signal?.aborted === true;
  for (let round = 0; spent() < budget && !isStopped(); round += 1) {
    const limit = Math.min(firstRounds[round] ?? laterRound, budget - spent());
    const tried = rounds.next(limit);
    if (tried === undefined) break;
    const runs = await runUntil(suite, tried, longestRun(tried), traces);
    rounds.judge(runs, isStopped() ? reportedOf(runs, tried) : tried);
  }
  clearTimeout(timer);
  return spent();
}

/** Returns the trials of which it is known what came out. */
function reportedOf(
  runs: readonly TestRuns[],
  tried: Readonly<Record<string, TestTrials>>,
): Record<string, TestTrials> {
  const byId = new Map(runs.map((one) => [one.id, one.attempts]));
  const reported = Object.entries(tried).map(([id, one]) => {
    const attempts = byId.get(id) ?? [];
    const end = one.trials.findIndex((_, at) => attempts[at] === undefined);
    return [id, end === -1 ? one : { ...one, trials: one.trials.slice(0, end) }] as const;
  });
  return Object.fromEntries(reported);
}
