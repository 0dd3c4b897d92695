import type { ThrownError } from './thrown-error.ts';
import type { PlainRun, Verdict } from './trials.ts';
import type { WatchedRun } from './watched-run.ts';

/** The end of a run with a fault. */
export interface RunEnd {
  /** What the page shows; undefined without a page. */
  readonly texts: readonly string[] | undefined;
  /** The message of the error of the test, if it has failed. */
  readonly error: string | undefined;
  /** That error, if more of it is known than its message. */
  readonly thrown?: ThrownError | undefined;
  /** Whether a browser waits for a page that a server renders, and shows that it does. */
  readonly isLoading?: boolean | undefined;
}

export function green(reason: string): Verdict {
  return { tone: 'green', reason };
}

export function red(reason: string): Verdict {
  return { tone: 'red', reason };
}

export function grey(reason: string): Verdict {
  return { tone: 'grey', reason };
}

/** Says which error nobody catches in a run that they catch, or do not throw, without its trial. */
export function uncaughtIn({ evidence }: WatchedRun, plain?: PlainRun): string | undefined {
  const error = evidence.uncaught.find(
    (one) =>
      !ofAssertion.test(one) && plain?.uncaught.some((known) => isSameError(known, one)) !== true,
  );
  return error === undefined ? undefined : `Nobody catches ${sentence(error)}`;
}

/** Begins the error of an assertion, which a callback of the test throws and not the code under test. */
const ofAssertion = /^(Jest)?AssertionError: expect/;

/** Whether two texts say the same error, with the name of its class or without it, as a sentence or not. */
function isSameError(one: string, other: string): boolean {
  const [message, ofOther] = [one, other].map((text) =>
    text.replace(/^\w+: /, '').replace(/\.$/, ''),
  );
  return message === ofOther;
}

/** Ends a text with a full stop: `TypeError: Failed to fetch.` */
export function sentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}
