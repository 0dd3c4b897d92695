import type { Changes } from './since.ts';
import type { OutsideCalls, RecordedTest, TestTrials } from './trials.ts';

/** A test of a suite. */
export interface SuiteTest {
  readonly id: string;
  /** With the names of its groups: `checkout > pays`. */
  readonly name: string;
  /** Its file, relative to the folder of the suite. */
  readonly file: string;
}

/** What came out for a test. */
export interface TestRuns extends SuiteTest, RecordedTest {
  /** Whether the test is expected to fail, as by `test.fails`: then it is not run. */
  readonly fails?: boolean | undefined;
  /** The names of the modules that its file mocks. */
  readonly mocks?: readonly string[] | undefined;
  /** Whether its file gives a client a function in place of `fetch`. */
  readonly hasOwnFetch?: boolean | undefined;
}

/** A call that no trial changes. */
export interface UntriedCall {
  readonly file: string;
  readonly endpoint: string;
  readonly at: 'loading' | 'beforeAll';
}

/** What a suite does as it is. */
export interface Recording {
  readonly tests: readonly TestRuns[];
  /** Errors outside of tests. */
  readonly errors: readonly string[];
  /** By file. */
  readonly outside: Readonly<Record<string, OutsideCalls>>;
}

/** On what the tests of a runner assert: the document of their process, or a page of Playwright. */
export type AssertionStyle = 'document' | 'playwright';

/** Runs the tests of a suite, again and again, in the runner that a user has. */
export interface SuiteRunner {
  /** Default: `document`. */
  readonly assertions?: AssertionStyle;
  /** Returns the files of tests that are, or import, a file that has changed. @param say tells what cannot be known */
  related(changes: Changes, say: (line: string) => void): Promise<readonly string[]>;
  /** Runs each test twice as it is. @param files those of the tests to run (default: all). @returns beside the tests, errors outside of tests and the calls that no trial changes */
  record(files?: readonly string[]): Promise<{
    readonly tests: readonly TestRuns[];
    readonly errors: readonly string[];
    readonly untried?: readonly UntriedCall[];
  }>;
  /** Runs each test once and records all that it receives; not with Playwright. */
  recordOnce?(): Promise<Recording>;
  /** Runs tests with something wrong, once for each trial. @param traces the folder for traces of red verdicts */
  run(byTest: Readonly<Record<string, TestTrials>>, traces?: string): Promise<readonly TestRuns[]>;
  /** Ends a run that is in progress, whose results are incomplete; if it is called again before that, by force. */
  stop(): Promise<void>;
  close(): Promise<void>;
}
