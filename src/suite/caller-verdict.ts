import { truncate } from '../engine/lib/problem.ts';
import type { Call } from './calls.ts';
import { thrownErrorOf, type ThrownError } from './thrown-error.ts';
import type { PlainRun, Verdict } from './trials.ts';
import { green, grey, red, sentence, uncaughtIn, type RunEnd } from './verdicts.ts';
import type { WatchedRun } from './watched-run.ts';

/** The verdict on each fault in a test of a failure. */
export const failureExpected = grey(
  'The test expects a failure: something goes wrong without the fault, too.',
);

/**
 * Whether a test is one of a failure: the call that gets the fault fails without it, too, or another one does, and the page, if
 * there is one, says that something went wrong. A call that succeeds later has not failed.
 */
export function isFailureExpected(plain: PlainRun, { endpoint, nth }: Call): boolean {
  const { calls, statuses, shown = [], showsError } = plain;
  const hasPage = shown.length > 0;
  let count = 0;
  return calls.some((name, at) => {
    const status = statuses[at] ?? null;
    if (name === endpoint) count += 1;
    const isOfFault = name === endpoint && count === nth;
    // A page may abort what it needs no more.
    const fails = isFailure(status) || (status === null && isOfFault && !hasPage);
    if (!fails || (hasPage && !isOfFault && !showsError)) return false;
    return !statuses.some(
      (later, index) => index > at && calls[index] === name && later !== null && !isFailure(later),
    );
  });
}

/** Whether a status is no success. That of a redirection has not been followed, or is 304. */
function isFailure(status: number | null): boolean {
  return status !== null && (status === 0 || status >= 300);
}

const silent = red('The caller says nothing: the test passes in spite of the fault.');

const notRead = grey('The test passes, and does not read the error that the caller may return.');

/** Begins the reasons of callers that return errors as values. */
const returnsError = 'The caller returns an error';

/** Whether a verdict is that on a test which passes in spite of the fault. */
export function isSilent(verdict: Verdict | undefined): boolean {
  return [silent, notRead].some(({ reason }) => reason === verdict?.reason);
}

/**
 * Returns the verdict on a test that passes in spite of the fault. Where most callers return errors as values, it may have received
 * one that it does not read.
 */
export function silentVerdict(others: readonly Verdict[]): Verdict {
  const count = (beginning: string): number =>
    others.filter(({ reason }) => reason.startsWith(beginning)).length;
  return count(returnsError) > count('The caller throws ') ? notRead : silent;
}

/** Begins the messages of vitest and Jest, and of this package, for a test that does not end. */
const timeout = /^((Test|Hook) timed out|Exceeded timeout|thrown: "Exceeded timeout)/i;

/** What `fetch` and clients above it say of a connection that closes. */
const lost =
  /^(failed to fetch|fetch failed|network ?error|load failed|network request failed|terminated|socket hang up)/i;

/** Errors that code throws by mistake. */
const accidents = /^(SyntaxError|TypeError|ReferenceError|RangeError)$/;

/**
 * Judges the code under test without a page, by how the test fails. An error that says what happened is right; a wrong value, an error
 * by mistake, or none is not.
 */
export function callerVerdict(run: WatchedRun, end: RunEnd, plain: PlainRun): Verdict {
  const verdict = thrownVerdict(run, end, plain);
  const isThrown = /^(The caller throws|Nobody catches) /.test(verdict.reason);
  const logged = run.evidence.logged.find((text) => !plain.logged.includes(text));
  // What it does beside it is meant so.
  return verdict.tone === 'red' && !isThrown && logged !== undefined
    ? grey(`The caller logs “${truncate(sentence(logged), maxLogged)}”, and throws nothing.`)
    : verdict;
}

const maxLogged = 120;

function thrownVerdict(run: WatchedRun, end: RunEnd, plain: PlainRun): Verdict {
  const { hit, trial } = run;
  if (hit === undefined || trial === undefined || !('fault' in trial))
    return grey('There is no page to judge.');
  const uncaught = uncaughtIn(run, plain);
  if (uncaught !== undefined) return red(uncaught);
  const { endpoint } = hit.call;
  const isSentAgain = Object.keys(run.evidence.repeated).some((key) =>
    key.startsWith(`${endpoint} `),
  );
  if (end.error === undefined) {
    if (isSentAgain) return green('The request is sent again, and the test passes.');
    const isOfBody = trial.fault === 'malformed' || trial.fault === 'cut off';
    if (isOfBody && !plain.read.includes(endpoint))
      return green('Nothing reads the response, and the test passes.');
    return silent;
  }
  if (timeout.test(end.error)) {
    if (isSentAgain) return grey('The request is sent again for longer than the test lasts.');
    const [next] = run.requests.unanswered;
    return next === undefined
      ? red('The caller waits for ever.')
      : red(`The caller goes on, and waits for ${next}, which nobody answers then.`);
  }
  const error = causeOf(end);
  const { name = '', message, status } = error;
  const text = sentence(name === '' ? message : `${name}: ${message}`);
  const saysStatus =
    String(status ?? '') === trial.fault ||
    new RegExp(String.raw`\b${trial.fault}\b`).test(message);
  if (error.received !== undefined) {
    if (saysStatus || error.received === 'failure')
      return green(`${returnsError}: ${sentence(message)}`);
    return error.received === 'nothing'
      ? grey(`The assertion does not tell an error from a wrong value: ${sentence(message)}`)
      : red(`The caller returns a wrong value: ${sentence(message)}`);
  }
  if (saysStatus) return green(`The caller throws ${text}`);
  const isAccident = accidents.test(name) && !lost.test(message);
  // Such as that of a test which reads the calls of a stub that was not called.
  if (isAccident && error === end.thrown && error.isOfTests === true)
    return grey(`The test itself throws ${text}`);
  if (isAccident) return red(`The caller throws ${text}`);
  return green(`The caller throws ${text}`);
}

/** Returns the error of the caller, which an assertion may have received or say. */
function causeOf({ error = '', thrown }: RunEnd): ThrownError {
  const known = thrown ?? { ...thrownErrorOf({ message: error }), name: undefined };
  const { cause, received } = known;
  if (typeof received === 'object') return received;
  if (cause !== undefined && /reject/i.test(known.message)) return cause;
  const [, name, message] = /Rejected to value: \[?(?:(\w+): )?([^\]]*)/.exec(known.message) ?? [];
  return message === undefined ? known : { name, message, status: undefined };
}
