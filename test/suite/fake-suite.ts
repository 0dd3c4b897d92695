import { summaryText } from '../../src/suite/mutate-text.ts';
import type { MutateReport } from '../../src/suite/mutate.ts';
import type { SuiteRunner, TestRuns } from '../../src/suite/suite-runner.ts';
import type { Attempt, PlainRun, RecordedSubject, Trial } from '../../src/suite/trials.ts';

export const options = { milliseconds: () => 0 };
export const passed: Attempt = { ms: 1, error: undefined, texts: ['Work'] };
export const failed: Attempt = { ...passed, error: 'expected 2 to be 3\n  at a.test.ts:3' };
export const quiet: PlainRun = {
  calls: [],
  statuses: [],
  outside: [],
  read: [],
  showsError: false,
  uncaught: [],
  logged: [],
  hasExpectations: false,
  shown: ['Work'],
  writes: {},
};

export function testRuns(runs: Partial<TestRuns> = {}): TestRuns {
  const attempts = [passed, passed];
  return { id: '1', name: 'one', file: 'a.test.ts', attempts, subjects: [], plain: quiet, ...runs };
}

/**
 * A runner whose pages show nothing under each trial.
 *
 * @param notices returns whether a test notices a trial (default: none does)
 */
export function runner(
  tests: readonly TestRuns[],
  errors: readonly string[] = [],
  notices: (trial: Trial, test: TestRuns) => boolean = () => false,
): SuiteRunner & { readonly tried: string[] } {
  const tried: string[] = [];
  return {
    tried,
    related: async () => [],
    record: async () => ({ tests, errors }),
    run: async (byTest) =>
      tests.map((one) => ({
        ...one,
        attempts: (byTest[one.id]?.trials ?? []).map((trial) => {
          tried.push(trial.id);
          const error = notices(trial, one) ? 'expected 1 to be 2' : undefined;
          return { ...passed, error, texts: one.attempts[0]?.texts && [] };
        }),
      })),
    stop: async () => undefined,
    close: async () => undefined,
  };
}

/** Whether a trial makes all of a response wrong at once. */
export function noticesAll({ id }: Trial): boolean {
  return id.endsWith('everything wrong');
}

/** Returns the responses of an endpoint whose fields are all read. */
export function read(subject: string, body: Readonly<Record<string, unknown>>): RecordedSubject {
  const fields = Object.entries(body).map(([name, value]) => ({
    path: [name],
    value,
    members: [],
  }));
  return { subject, body, changes: false, fields };
}

/** Returns the lines that the command prints of a report, without styles. */
export function linesOf(report: MutateReport): string[] {
  return summaryText(report, (_, text) => text, 100).split('\n');
}
