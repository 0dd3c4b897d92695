import { isObject } from '../engine/lib/json-value.ts';
import type { PlainRun, Verdict } from './trials.ts';
import type { WatchedRun } from './watcher.ts';
import { beginningOf } from '../engine/lib/problem.ts';

/** More requests than this with the same content, after one has failed, are a retry storm. */
const maxRepeated = 5;

/** The end of a run with a fault. */
export interface RunEnd {
  /** What the page shows; undefined without a document. */
  readonly texts: readonly string[] | undefined;
  /** The error of the test, if it has failed. */
  readonly error: string | undefined;
}

/**
 * Judges what a page does with a fault. The assertions of the test do not count: under a fault, a test of what usually happens
 * fails, and should.
 *
 * @param plain what the test does without the fault
 */
export function verdictOf(run: WatchedRun, { texts, error }: RunEnd, plain: PlainRun): Verdict {
  const { hit, trial } = run;
  if (hit === undefined) return grey('The request was not sent this time.');
  const twice = repeatedWrite(run.writes, plain.writes);
  if (twice !== undefined) return twice;
  const storm = Object.entries(run.repeated).find(([, count]) => count > maxRepeated);
  if (storm !== undefined)
    return red(`The request is sent ${storm[1]} times more: ${cut(storm[0])}.`);
  const uncaught =
    run.uncaught[0] === undefined ? '' : `Nobody catches ${sentence(run.uncaught[0])}`;
  const isBlank = texts?.length === 0 && hit.shown?.length === 0 && plain.shown?.length === 0;
  if (texts === undefined || isBlank)
    return uncaught === '' ? grey('There is no page to judge.') : red(uncaught);
  const before = new Set(hit.shown);
  if (texts.length === 0) return red(`The page is empty. ${uncaught}`.trim());
  const isSlow = trial !== undefined && 'fault' in trial && trial.fault === 'slow';
  if (isSlow && uncaught === '') return whileWaiting(texts, before, error);
  const told = texts.find((text) => !before.has(text) && plain.shown?.includes(text) !== true);
  const stale = hit.method === 'GET' || told !== undefined ? undefined : staleRead(run);
  if (stale !== undefined)
    return red(`The page says nothing, and shows what is no longer so: ${stale}.`);
  if (uncaught !== '') return red(uncaught);
  if (told !== undefined) return green(`The page says “${told}”.`);
  if (error === undefined) return green('The page goes on as without the fault.');
  return texts.every((text) => before.has(text))
    ? red(`The page says nothing: it still shows “${texts.at(-1) ?? ''}”.`)
    : red('The page says nothing of it.');
}

/** Returns the verdict on a write that is performed more often than in the test as it is. */
export function repeatedWrite(
  writes: PlainRun['writes'],
  plain: PlainRun['writes'],
): Verdict | undefined {
  const twice = Object.entries(writes).find(([key, count]) => count > (plain[key] ?? 1));
  return twice && red(`The same write is performed ${twice[1]} times: ${cut(twice[0])}.`);
}

/** Judges a page whose response is still on its way. @param before what it showed when the request was sent */
function whileWaiting(
  texts: readonly string[],
  before: ReadonlySet<string>,
  error: string | undefined,
): Verdict {
  const waiting = texts.find((text) => !before.has(text)) ?? texts.find((text) => isWaiting(text));
  if (waiting !== undefined) return green(`The page shows “${waiting}” meanwhile.`);
  return error === undefined
    ? green('The page goes on as without the fault.')
    : red('The page shows no sign that it waits.');
}

/** Whether a text, or the mark of a control that is off or busy, says that the page waits. */
function isWaiting(text: string): boolean {
  return /…$|\.\.\.$|\b(loading|wait|progress)|^(disabled|busy) /i.test(text);
}

export function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
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

function cut(text: string): string {
  return text.length > 120 ? `${beginningOf(text, 119)}…` : text;
}

/** Returns a difference between what the page has read last and the shop: `GET /api/orders/1: state is pending, not cart`. */
function staleRead({ hit, reads }: WatchedRun): string | undefined {
  for (const [url, body] of reads) {
    const now = hit?.office?.requestUnobserved({ method: 'GET', url, headers: {} });
    if (now?.body === undefined || now.status !== 200 || now.body === body) continue;
    const difference = firstDifference(JSON.parse(body), JSON.parse(now.body));
    if (difference !== undefined) return `GET ${url}: ${difference}`;
  }
  return undefined;
}

function firstDifference(shown: unknown, actual: unknown, path = ''): string | undefined {
  if (shown === actual) return undefined;
  if (!isObject(shown) || !isObject(actual))
    return `${path} is ${cut(JSON.stringify(actual) ?? 'gone')}, not ${cut(JSON.stringify(shown) ?? 'missing')}`;
  const keys = [...new Set([...Object.keys(shown), ...Object.keys(actual)])];
  const differing = keys.flatMap(
    (key) => firstDifference(shown[key], actual[key], path === '' ? key : `${path}.${key}`) ?? [],
  );
  // A state says more than the time at which it changed.
  return (
    differing.find((text) => text.includes('state')) ??
    differing.find((text) => !text.includes('_at ')) ??
    differing[0]
  );
}
