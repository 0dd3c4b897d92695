import { callText } from './calls.ts';
import { faultNames } from './fault-names.ts';
import {
  limitsOf,
  msOf,
  ranText,
  recordSuite,
  runRounds,
  SuiteError,
  waitOf,
  type RecordedSuite,
  type Rounds,
  type SuiteOptions,
  type Unjudged,
} from './recorded-suite.ts';
import type { SuiteRunner, SuiteTest, TestRuns } from './suite-runner.ts';
import type { FaultTrial, RaceTrial, TestTrials, Trial, Verdict } from './trials.ts';

/** Where the grid has a cell. */
interface CellPlace {
  readonly test: SuiteTest;
  /** The number of its row in the test: 0 for the first. */
  readonly row: number;
}

/** A call of an endpoint in a test, with a fault. */
export interface FaultCell extends FaultTrial, CellPlace {}

/** An order of the responses to calls that are under way at once in a test. */
export interface RaceCell extends RaceTrial, CellPlace {}

export type Cell = FaultCell | RaceCell;

/** What the page of a test does with a fault or an order; without a verdict if the cell was left out. */
export type CellResult = Cell & { readonly verdict: Verdict | undefined };

/** Limits of a run, and what is told of it. */
export interface ChaosOptions extends SuiteOptions {
  /** Whether a cell is tried (default: all are). */
  readonly includes?: ((cell: Cell) => boolean) | undefined;
  /** The folder for traces of red cells, if any are written. */
  readonly traces?: string | undefined;
  /** Called when it is known what became of a cell and of all that are worse. */
  readonly onResult?: ((result: CellResult) => void) | undefined;
}

/** What the pages of a suite do with faults, or with orders of responses. */
export interface ChaosReport extends Unjudged {
  readonly tests: readonly SuiteTest[];
  /** The worst first. */
  readonly results: readonly CellResult[];
  /** Time of all trials, in milliseconds. */
  readonly ms: number;
}

/**
 * Runs a suite as it is, and then each test again with one fault in one of its requests, one at a time.
 *
 * @throws SuiteError for a suite that fails as it is, or that sends no request
 */
export async function chaosSuite(suite: SuiteRunner, options: ChaosOptions): Promise<ChaosReport> {
  const { includes = () => true } = options;
  const recorded = await recordSuite(suite, options);
  const planned = planCells(recorded.tests).filter(includes);
  if (planned.length === 0) throw new SuiteError(nothingCalled(recorded.tests));
  return runCells(suite, recorded, planned, options);
}

/** Runs the tests of a recorded suite once for each cell. @param planned the worst first */
export async function runCells(
  suite: SuiteRunner,
  { tests, ...unjudged }: RecordedSuite,
  planned: readonly Cell[],
  options: ChaosOptions,
): Promise<ChaosReport> {
  const { max = Infinity, traces, onResult } = options;
  const byId = new Map(tests.map((one) => [one.id, one]));
  const open = new Set(planned.slice(0, max));
  const verdicts = new Map<Cell, Verdict>();
  let told = 0;
  const next = (limit: number): Record<string, TestTrials> | undefined =>
    nextRound(open, byId, limit);
  const judge: Rounds['judge'] = (runs, tried) => {
    const attempts = new Map(runs.map((one) => [one.id, one.attempts]));
    for (const cell of open) {
      const at = tried[cell.test.id]?.trials.findIndex(({ id }) => id === cell.id) ?? -1;
      if (at === -1) continue;
      open.delete(cell);
      const verdict = attempts.get(cell.test.id)?.[at]?.verdict;
      verdicts.set(cell, verdict ?? { tone: 'grey', reason: 'The test did not run to its end.' });
    }
    for (; told < planned.length; told++) {
      const cell = planned[told]!;
      if (!verdicts.has(cell)) break;
      onResult?.({ ...cell, verdict: verdicts.get(cell) });
    }
  };
  const ms = await runRounds(suite, { next, judge }, options, traces);
  const results = planned.map((cell) => ({ ...cell, verdict: verdicts.get(cell) }));
  return { tests, results, ...unjudged, ms };
}

/**
 * Returns a cell for each fault of each call of each test: writes before reads, and the worst faults first. The same call in
 * another test comes after all that differ.
 */
export function planCells(tests: readonly TestRuns[]): FaultCell[] {
  const cells = tests.flatMap(({ id, name, file, plain }) => {
    const counts = new Map<string, number>();
    return (plain?.calls ?? []).flatMap((endpoint, row) => {
      const nth = (counts.get(endpoint) ?? 0) + 1;
      counts.set(endpoint, nth);
      const isOutside = plain?.outside.includes(endpoint) === true;
      return faultNames
        .filter((fault) => fault !== 'drop after' || !endpoint.startsWith('GET '))
        .map((fault) => cellOf({ id, name, file }, { endpoint, nth, row, fault, isOutside }));
    });
  });
  const seen = new Map<string, number>();
  return cells
    .map((cell) => {
      const key = `${cell.endpoint} ${cell.nth} ${cell.fault}`;
      const earlier = seen.get(key) ?? 0;
      seen.set(key, earlier + 1);
      return { cell, weight: weightOf(cell) - earlier * 10_000 };
    })
    .toSorted((one, other) => other.weight - one.weight)
    .map(({ cell }) => cell);
}

function cellOf(test: SuiteTest, fault: Omit<FaultCell, 'id' | 'test'>): FaultCell {
  return { id: `${test.name}: ${callText(fault)}: ${fault.fault}`, test, ...fault };
}

/** A write that is lost costs more than a read, and a first call is made by more users than a later one. */
function weightOf({ endpoint, nth, fault }: FaultCell): number {
  const write = endpoint.startsWith('GET ') ? 0 : 1000;
  return write - nth * 10 - faultNames.indexOf(fault);
}

/** Returns the next trials by test. @param limit estimated time of those of one file in milliseconds */
function nextRound(
  open: ReadonlySet<Cell>,
  tests: ReadonlyMap<string, TestRuns>,
  limit: number,
): Record<string, TestTrials> | undefined {
  const trials: Record<string, Trial[]> = {};
  const spent = new Map<string, number>();
  for (const { test, row: _, ...trial } of open) {
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
    return [id, { trials: some, ...limits, plain: runs?.plain }] as const;
  });
  return Object.fromEntries(all);
}

function nothingCalled(tests: readonly TestRuns[]): string {
  return tests.every(({ plain }) => plain === undefined || plain.calls.length === 0)
    ? `${ranText(tests)}, and none sends a request to Backlot, or, with vitest, by fetch or XMLHttpRequest.`
    : `${ranText(tests)}, and no cell fits the flags.`;
}
