import type { SuiteRunner, SuiteTest, TestRuns } from './suite-runner.ts';
import type { TestTrials } from './trials.ts';

/** A test may replace timers of the process in which it runs. */
const [setRealTimeout, clearRealTimeout] = [setTimeout, clearTimeout];

/**
 * Runs trials, and ends the run after a time in milliseconds: a page that computes for ever cannot be ended from inside. Returns what
 * has come out until then.
 */
export async function runUntil(
  suite: SuiteRunner,
  byTest: Readonly<Record<string, TestTrials>>,
  ms: number,
  traces?: string,
): Promise<readonly TestRuns[]> {
  const timer = setRealTimeout(() => {
    void suite.stop();
    // The second time, it is ended by force.
    void suite.stop();
  }, ms);
  try {
    return await suite.run(byTest, traces);
  } finally {
    clearRealTimeout(timer);
  }
}

/** The time in which the files of a suite start, in milliseconds, also on a busy machine. */
const startTime = 60_000;

/** Returns the longest time that trials may take, in milliseconds. */
export function longestRun(trials: Readonly<Record<string, TestTrials>>): number {
  const limits = Object.values(trials).map((one) => one.trials.length * one.limit);
  return startTime + limits.reduce((sum, one) => sum + one, 0);
}

/** Returns the trials of the first test of each file that has lost some: those of later tests were not run. */
export function lostFirst<One extends { readonly test: SuiteTest }>(
  lost: readonly One[],
  tests: readonly SuiteTest[],
): One[] {
  const byFile = Map.groupBy(lost, ({ test }) => test.file);
  return Array.from(byFile.values()).flatMap((ofFile) => {
    const first = tests.find(({ id }) => ofFile.some(({ test }) => test.id === id));
    return ofFile.filter(({ test }) => test.id === first?.id);
  });
}
