/** A test of a report in the Common Test Report Format. */
export interface CtrfTest {
  readonly name: string;
  readonly status: 'passed' | 'failed' | 'skipped' | 'other';
  readonly suite: readonly string[];
  readonly filePath?: string;
  readonly message?: string;
}

/** When a run began and ended, in milliseconds since 1970. */
export interface RunTimes {
  readonly start: number;
  readonly stop: number;
}

/** Returns a report in the Common Test Report Format: https://ctrf.io. No test has a duration of its own. */
export function ctrfReport(tests: readonly CtrfTest[], { start, stop }: RunTimes) {
  const count = (status: CtrfTest['status']): number =>
    tests.filter((one) => one.status === status).length;
  return {
    reportFormat: 'CTRF',
    specVersion: '0.0.0',
    results: {
      tool: { name: 'backlot' },
      summary: {
        tests: tests.length,
        passed: count('passed'),
        failed: count('failed'),
        pending: 0,
        skipped: count('skipped'),
        other: count('other'),
        start,
        stop,
      },
      tests: tests.map(({ name, status, ...others }) => ({ name, status, duration: 0, ...others })),
    },
  };
}
