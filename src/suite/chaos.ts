import type { SourceLine } from './callers.ts';
import { callText, isRead, type Call } from './calls.ts';
import { lostFirst } from './ended-run.ts';
import { faultNames, type FaultName } from './fault-names.ts';
import { failureExpected, isFailureExpected, isSilent, silentVerdict } from './caller-verdict.ts';
import { hasPage } from './oracles.ts';
import {
  limitsOf,
  msOf,
  ranText,
  recordSuite,
  runRounds,
  NothingPlanned,
  testOf,
  whyNothing,
  waitOf,
  type RecordedSuite,
  type Rounds,
  type SuiteOptions,
  type Unjudged,
} from './recorded-suite.ts';
import { partOf, type PlanPart } from './shard.ts';
import { isInScope } from './since.ts';
import type { SuiteRunner, SuiteTest, TestRuns } from './suite-runner.ts';
import type { FaultTrial, PlainRun, RaceTrial, TestTrials, Trial, Verdict } from './trials.ts';

/** Where the grid has a cell. */
interface CellPlace {
  readonly test: SuiteTest;
  /** The number of its row in the test: 0 for the first. */
  readonly row: number;
  /** The line of the code under test that has sent the request, if it is known. */
  readonly at?: SourceLine | undefined;
}

/** A call of an endpoint in a test, with a fault. */
export interface FaultCell extends FaultTrial, CellPlace {}

/** An order of the responses to calls that are under way at once in a test. */
export interface RaceCell extends RaceTrial, CellPlace {}

export type Cell = FaultCell | RaceCell;

/** What the page of a test does with a fault or an order; without a verdict if the cell was left out. */
export type CellResult = Cell & { readonly verdict?: Verdict | undefined };

/** Limits of a run, and what is told of it. */
export interface ChaosOptions extends SuiteOptions {
  /** Whether a cell is tried (default: all are). */
  readonly includes?: ((cell: Cell) => boolean) | undefined;
  /** Whether a write fails whose page shows no sign that it waits (default: it is advice). */
  readonly failsSlowWrites?: boolean | undefined;
  /** Called before the first trial. */
  readonly onPlanned?: ((plan: ChaosPlan) => void) | undefined;
  /** The folder for traces of red cells, if any are written. */
  readonly traces?: string | undefined;
  /** Called when it is known what became of a cell and of all that are worse. */
  readonly onResult?: ((result: CellResult) => void) | undefined;
}

/** A call of an endpoint in a test. */
export interface TestCall extends Call {
  readonly test: SuiteTest;
}

/** What is known before the first trial. */
export interface ChaosPlan {
  /** Tests that send requests. */
  readonly tests: readonly SuiteTest[];
  /** Those of them that show no page: the code under test is judged by what it throws. */
  readonly pageless: readonly SuiteTest[];
  /** Calls that a test itself answers with an error, which get no fault. */
  readonly failing: readonly TestCall[];
}

/** What the pages of a suite do with faults, or with orders of responses. */
export interface ChaosReport extends Unjudged {
  /** Calls that a test itself answers with an error, which got no fault. */
  readonly failingCalls: readonly TestCall[];
  readonly tests: readonly SuiteTest[];
  /** The worst first. */
  readonly results: readonly CellResult[];
  /** Where the cells are in the plan. */
  readonly part: PlanPart;
  /** Time of all trials, in milliseconds. */
  readonly ms: number;
}

/**
 * Runs a suite as it is, and then each test again with one fault in one of its requests, one at a time.
 *
 * @throws SuiteError for a suite that fails as it is, or that sends no request
 */
export async function chaosSuite(suite: SuiteRunner, options: ChaosOptions): Promise<ChaosReport> {
  const { includes = () => true, scope, onPlanned } = options;
  const recorded = await recordSuite(suite, options);
  const plan = planOf(recorded.tests);
  const planned = planCells(recorded.tests).filter(
    (cell) => includes(cell) && isInScope(scope, [cell.endpoint], [cell.test.file]),
  );
  if (planned.length === 0) {
    const reason = nothingCalled(recorded.tests, plan);
    throw new NothingPlanned([reason, ...whyNothing(recorded)].join(' '));
  }
  onPlanned?.(plan);
  const report = await runCells(suite, recorded, planned, options);
  return { ...report, failingCalls: plan.failing };
}

function planOf(tests: readonly TestRuns[]): ChaosPlan {
  const calls = tests.flatMap(callsOf);
  const calling = tests.filter(({ plain }) => plain !== undefined && plain.calls.length > 0);
  const pageless = calling.filter(({ plain }) => plain !== undefined && !hasPage(plain));
  return { tests: calling, pageless, failing: calls.filter((one) => one.isFailing) };
}

interface PlannedCall extends TestCall {
  /** Which of the calls of the test: 0 for the first. */
  readonly row: number;
  /** Whether no back office of Backlot answers it. */
  readonly isOutside: boolean;
  /** Whether it fails without a fault: what the test itself answers it with. */
  readonly isFailing: boolean;
  readonly at: SourceLine | undefined;
}

/** Returns the calls of a test, in order. */
function callsOf({ plain, ...one }: TestRuns): PlannedCall[] {
  const counts = new Map<string, number>();
  return (plain?.calls ?? []).map((endpoint, row) => {
    const nth = (counts.get(endpoint) ?? 0) + 1;
    counts.set(endpoint, nth);
    const status = plain?.statuses[row] ?? 200;
    return {
      test: testOf(one),
      endpoint,
      nth,
      row,
      isOutside: plain?.outside.includes(endpoint) === true,
      isFailing: status === 0 || status >= 500,
      at: plain?.lines?.[row] ?? undefined,
    };
  });
}

/** Runs the tests of a recorded suite once for each cell. @param planned the worst first */
export async function runCells(
  suite: SuiteRunner,
  { tests, ...unjudged }: RecordedSuite,
  planned: readonly Cell[],
  options: ChaosOptions,
): Promise<ChaosReport> {
  const { max = Infinity, shard, traces, failsSlowWrites = false, onResult } = options;
  const byId = new Map(tests.map((one) => [one.id, one]));
  const verdicts = new Map<Cell, Verdict>(
    planned
      .filter((cell) => isOfFailure(cell, byId.get(cell.test.id)?.plain))
      .map((cell) => [cell, failureExpected]),
  );
  const { own, ...part } = partOf(planned, ({ test, row }) => `${test.id} ${row}`, shard);
  const within = new Set(planned.filter((cell) => !verdicts.has(cell)).slice(0, max));
  const open = new Set(own.filter((cell) => within.has(cell)));
  /** Cells with which a file may not have come to its end. */
  const suspects = new Set<Cell>();
  let untold = own;
  /** Tells what is known, the worst first. Silent callers are judged by all others, and told at the end. */
  const tell = (isOver: boolean): void => {
    const isLate = (cell: Cell): boolean => !isOver && isSilent(verdicts.get(cell));
    const end = untold.findIndex((cell) => !verdicts.has(cell));
    const reached = isOver || end === -1 ? untold : untold.slice(0, end);
    untold = [...reached.filter(isLate), ...untold.slice(reached.length)];
    for (const cell of reached)
      if (verdicts.has(cell) && !isLate(cell)) onResult?.({ ...cell, verdict: verdicts.get(cell) });
  };
  /** The cells of the round in progress. */
  let round: ReadonlySet<Cell> = open;
  const next = (limit: number): Record<string, TestTrials> | undefined => {
    round = roundOf(open, suspects);
    return nextRound(round, byId, limit, unjudged.errors);
  };
  const judge: Rounds['judge'] = (runs, tried) => {
    const attempts = new Map(runs.map((one) => [one.id, one.attempts]));
    const lost: Cell[] = [];
    for (const cell of round) {
      const at = tried[cell.test.id]?.trials.findIndex(({ id }) => id === cell.id) ?? -1;
      if (at === -1) continue;
      const attempt = attempts.get(cell.test.id)?.[at] ?? undefined;
      if (attempt === undefined && !suspects.has(cell)) {
        lost.push(cell);
        continue;
      }
      open.delete(cell);
      suspects.delete(cell);
      const verdict = attempt === undefined ? neverAnswers : (attempt.verdict ?? unknown);
      const fails = failsSlowWrites && verdict.tone === 'yellow';
      verdicts.set(cell, fails ? { ...verdict, tone: 'red' } : verdict);
    }
    for (const cell of lostFirst(lost, tests)) suspects.add(cell);
    tell(false);
  };
  const ms = await runRounds(suite, { next, judge }, options, traces);
  const results = withSilence(own.map((cell) => ({ ...cell, verdict: verdicts.get(cell) })));
  for (const [at, { verdict }] of results.entries())
    if (verdict !== undefined) verdicts.set(own[at]!, verdict);
  tell(true);
  return { tests: tests.map(testOf), results, part, ...unjudged, failingCalls: [], ms };
}

/** Returns results in which silent callers are judged by all others. */
export function withSilence(results: readonly CellResult[]): readonly CellResult[] {
  const silence = silentVerdict(results.flatMap(({ verdict }) => verdict ?? []));
  return results.map((one) => (isSilent(one.verdict) ? { ...one, verdict: silence } : one));
}

/**
 * Returns a cell for each fault of each call of each test: all of one call after each other, the worst faults first, and
 * writes before reads. The same call in another test comes after all that differ. Without a page, no user sees a wait.
 */
export function planCells(tests: readonly TestRuns[]): FaultCell[] {
  const byId = new Map(tests.map((one) => [one.id, one]));
  const seen = new Map<string, number>();
  return tests
    .flatMap(callsOf)
    .filter(({ isFailing }) => !isFailing)
    .map((call) => {
      const earlier = seen.get(callText(call)) ?? 0;
      seen.set(callText(call), earlier + 1);
      return { call, weight: weightOf(call) - earlier * 10_000 };
    })
    .toSorted((one, other) => other.weight - one.weight)
    .flatMap(({ call }) => {
      const plain = byId.get(call.test.id)?.plain;
      const isShown = plain !== undefined && hasPage(plain);
      return faultNames
        .filter((fault) => fault !== 'drop after' || !isRead(call))
        .filter((fault) => fault !== 'slow' || isShown)
        .map((fault) => cellOf(call, fault));
    });
}

function cellOf(call: PlannedCall, fault: FaultName): FaultCell {
  const { test, endpoint, nth, row, isOutside, at } = call;
  const id = `${test.file}: ${test.name}: ${callText({ endpoint, nth })}: ${fault}`;
  return { id, test, endpoint, nth, row, fault, isOutside, at };
}

/** A write that is lost costs more than a read, and a first call is made by more users than a later one. */
function weightOf(call: Call): number {
  return (isRead(call) ? 0 : 1000) - call.nth * 10;
}

/** Returns the cells of a round: in a file with suspects, one of these alone. */
function roundOf(open: ReadonlySet<Cell>, suspects: ReadonlySet<Cell>): ReadonlySet<Cell> {
  if (suspects.size === 0) return open;
  const byFile = Map.groupBy(suspects, ({ test }) => test.file);
  const alone = Array.from(byFile.values(), ([first]) => first!);
  return new Set([...alone, ...[...open].filter(({ test }) => !byFile.has(test.file))]);
}

const neverAnswers: Verdict = {
  tone: 'red',
  reason: 'The page never answers again: it computes for ever, or has ended its process.',
};

/** Whether a cell need not be tried, because its test is one of a failure. */
function isOfFailure(cell: Cell, plain: PlainRun | undefined): boolean {
  return (
    'fault' in cell &&
    plain !== undefined &&
    !plain.hasExpectations &&
    isFailureExpected(plain, cell)
  );
}

const unknown: Verdict = { tone: 'grey', reason: 'The test did not run to its end.' };

/**
 * Returns the next trials by test.
 *
 * @param limit estimated time of those of one file in milliseconds
 * @param errors those outside of tests
 */
function nextRound(
  open: ReadonlySet<Cell>,
  tests: ReadonlyMap<string, TestRuns>,
  limit: number,
  errors: readonly string[],
): Record<string, TestTrials> | undefined {
  const trials: Record<string, Trial[]> = {};
  const spent = new Map<string, number>();
  for (const { test, row: _row, at: _at, ...trial } of open) {
    const before = spent.get(test.file) ?? 0;
    if (before > limit) continue;
    const runs = tests.get(test.id);
    spent.set(test.file, before + msOf(runs) + waitOf(runs));
    (trials[test.id] ??= []).push(trial);
  }
  if (spent.size === 0) return undefined;
  const all = Object.entries(trials).map(([id, some]) => {
    const runs = tests.get(id);
    const limits = limitsOf(
      runs,
      some.some((trial) => 'order' in trial),
    );
    const plain = runs?.plain && { ...runs.plain, uncaught: [...runs.plain.uncaught, ...errors] };
    return [id, { trials: some, ...limits, plain }] as const;
  });
  return Object.fromEntries(all);
}

function nothingCalled(tests: readonly TestRuns[], { failing }: ChaosPlan): string {
  const calls = tests.flatMap(callsOf);
  if (calls.length === 0 && tests.some(({ subjects }) => subjects.length > 0))
    return `${ranText(tests)}, and they give clients a function in place of fetch, whose requests cannot be seen. Stub the global fetch instead, or use MSW.`;
  if (calls.length === 0)
    return `${ranText(tests)}, and none sends a request to Backlot, or, with vitest and Jest, by fetch, XMLHttpRequest, node:http or undici. Those by office.fetch are of the test itself.`;
  return calls.length === failing.length
    ? `${ranText(tests)}, and they themselves answer each request with an error.`
    : `${ranText(tests)}, and no cell fits the flags.`;
}
