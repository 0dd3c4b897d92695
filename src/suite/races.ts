import { isSameCall, orderText, type Call } from './calls.ts';
import { runCells, type ChaosOptions, type ChaosReport, type RaceCell } from './chaos.ts';
import { limitsOf, NothingPlanned, ranText, recordSuite, testOf } from './recorded-suite.ts';
import { isInScope } from './since.ts';
import type { SuiteRunner, SuiteTest, TestRuns } from './suite-runner.ts';
import type { RaceEnd, RaceTrial } from './trials.ts';

/** Maximum number of orders that are tried of the responses to requests that are under way at once. */
const maxOrders = 6;

/**
 * Runs a suite as it is, then with its responses held, which shows the requests that are under way at once, and then each test again
 * for each order in which the responses to such a group can arrive.
 *
 * @throws SuiteError for a suite that fails as it is, or in which no requests are under way at once
 */
export async function raceSuite(suite: SuiteRunner, options: ChaosOptions): Promise<ChaosReport> {
  const { includes = () => true, scope, signal } = options;
  const { tests, flaky, ...others } = await recordSuite(suite, options);
  const { ends, unsteady } = await recordRaces(suite, tests);
  const planned = planRaces(ends);
  const cells = planned.filter(
    (cell) =>
      includes(cell) &&
      isInScope(
        scope,
        cell.order.map(({ endpoint }) => endpoint),
        [cell.test.file],
      ),
  );
  if (cells.length === 0 && signal?.aborted !== true) {
    const reason = planned.length === 0 ? 'none has requests under way at once' : noneFits;
    throw new NothingPlanned(`${ranText(tests)}, and ${reason}.`);
  }
  const steady = tests.filter((one) => !unsteady.includes(one));
  return runCells(
    suite,
    { tests: steady, flaky: [...flaky, ...unsteady.map(testOf)], ...others },
    cells,
    options,
  );
}

const noneFits = 'no order of responses fits the flags';

/** A test with its end in the order of its requests. */
interface RecordedRaces {
  readonly test: SuiteTest;
  readonly end: RaceEnd;
}

/** The order of requests, in which groups are recorded. */
const recording: RaceTrial = { id: 'recorded', order: [], recorded: undefined };

/** Runs tests twice with their responses held. Those that come out differently judge nothing. */
async function recordRaces(
  suite: SuiteRunner,
  tests: readonly TestRuns[],
): Promise<{ readonly ends: readonly RecordedRaces[]; readonly unsteady: readonly TestRuns[] }> {
  const chosen = tests.filter(({ plain }) => plain !== undefined && plain.calls.length > 1);
  const trials = [recording, recording];
  const byTest = chosen.map((one) => [one.id, { trials, ...limitsOf(one, true) }] as const);
  const runs = await suite.run(Object.fromEntries(byTest));
  const ends: RecordedRaces[] = [];
  const unsteady: TestRuns[] = [];
  for (const test of chosen) {
    const attempts = runs.find(({ id }) => id === test.id)?.attempts ?? [];
    const [one, other] = attempts.map(({ race }) => race);
    if (one === undefined || other === undefined) continue;
    if (contentOf(one) === contentOf(other)) {
      const again = new Set(other.groups.map(orderText));
      const groups = one.groups.filter((group) => again.has(orderText(group)));
      ends.push({ test, end: { ...one, groups } });
    } else unsteady.push(test);
  }
  return { ends, unsteady };
}

function contentOf({ shown, writes, state }: RaceEnd): string {
  return JSON.stringify([shown, writes, state]);
}

/** Returns a cell for each order of each group. The same order in another test comes after all that differ. */
function planRaces(ends: readonly RecordedRaces[]): RaceCell[] {
  const seen = new Map<string, number>();
  return ends
    .flatMap(({ test, end }) =>
      end.groups.flatMap(ordersOf).map((order, row): RaceCell => {
        const id = `${test.file}: ${test.name}: ${orderText(order)}`;
        return { id, order, recorded: end, test: testOf(test), row };
      }),
    )
    .map((cell) => {
      const text = orderText(cell.order);
      const earlier = seen.get(text) ?? 0;
      seen.set(text, earlier + 1);
      return { cell, earlier };
    })
    .toSorted((one, other) => one.earlier - other.earlier)
    .map(({ cell }) => cell);
}

/**
 * Returns the orders in which the responses to a group are tried, without that of its requests: all of up to three, and of more the
 * reverse and those in which one response comes last. The reverse is the first.
 */
function ordersOf(group: readonly Call[]): Call[][] {
  const last = (call: Call): Call[] => [...group.filter((one) => one !== call), call];
  const orders =
    group.length > 3
      ? [group.toReversed(), ...group.slice(0, -1).map(last)]
      : permutationsOf(group).toReversed();
  return orders
    .filter((order) => order.some((call, at) => !isSameCall(call, group[at]!)))
    .slice(0, maxOrders);
}

function permutationsOf(calls: readonly Call[]): Call[][] {
  if (calls.length === 0) return [[]];
  return calls.flatMap((call, at) =>
    permutationsOf(calls.toSpliced(at, 1)).map((others) => [call, ...others]),
  );
}
