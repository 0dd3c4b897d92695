import { isObject } from '../engine/lib/json-value.ts';
import { truncate } from '../engine/lib/problem.ts';
import { callerVerdict, failureExpected, isFailureExpected } from './caller-verdict.ts';
import { isMessage, isRubbish, saysWaiting } from './messages.ts';
import { ofAttribute, ofControl } from './page-texts.ts';
import type { PlainRun, Verdict } from './trials.ts';
import { green, grey, red, uncaughtIn, type RunEnd } from './verdicts.ts';
import type { WatchedRun } from './watched-run.ts';

/** More requests than this with the same content, after one has failed, are a retry storm. */
const maxRepeated = 5;

/**
 * Judges what a page does with a fault; without a page, what the code under test throws. The assertions of the test do not count
 * for a page: under a fault, a test of what usually happens fails, and should.
 *
 * @param plain what the test does without the fault
 */
export function verdictOf(run: WatchedRun, end: RunEnd, plain: PlainRun): Verdict {
  const { hit, evidence } = run;
  if (hit === undefined) return grey('The request was not sent this time.');
  if (isFailureExpected(plain, hit.call)) return failureExpected;
  const twice = repeatedWrite(evidence.writes, plain.writes);
  if (twice !== undefined) return twice;
  const storm = Object.entries(evidence.repeated).find(([, count]) => count > maxRepeated);
  if (storm !== undefined)
    return red(`The request is sent ${storm[1]} times more: ${cut(storm[0])}.`);
  if (!hasPage(plain)) return callerVerdict(run, end, plain);
  const texts = end.texts ?? [];
  const shown = hit.shown ?? [];
  return { ...pageVerdict(run, { ...end, texts }, plain), ...changeOf(shown, texts) };
}

/** Whether a page may still say what went wrong. */
export function saysNothing({ tone, reason }: Verdict): boolean {
  return tone === 'red' && /^The page (says nothing|is empty)/.test(reason);
}

/** Whether a test shows a page. */
export function hasPage({ shown = [] }: PlainRun): boolean {
  return shown.length > 0;
}

function pageVerdict(
  run: WatchedRun,
  { texts, error, isLoading = false }: RunEnd & { readonly texts: readonly string[] },
  plain: PlainRun,
): Verdict {
  const { hit, trial } = run;
  const { shown: right = [] } = plain;
  const uncaught = uncaughtIn(run, plain) ?? '';
  if (isLoading)
    return uncaught === '' ? grey('The browser waits for a page from the server.') : red(uncaught);
  // A test may leave no page behind.
  const isOver = error === undefined && uncaught === '';
  if (texts.length === 0 && !isOver) return red(`The page is empty. ${uncaught}`.trim());
  const before = new Set(hit?.shown);
  const isSlow = trial !== undefined && 'fault' in trial && trial.fault === 'slow';
  if (isSlow && uncaught === '') return whileWaiting(texts, before, { error, method: hit?.method });
  const added = texts.filter((text) => !before.has(text) && !right.includes(text));
  const told = added.find((text) => isMessage(text, right));
  const stale = hit?.method === 'GET' || told !== undefined ? undefined : staleRead(run);
  if (stale !== undefined)
    return red(`The page says nothing, and shows what is no longer so: ${stale}.`);
  if (uncaught !== '') return red(uncaught);
  if (told !== undefined) return green(`The page says “${cut(told)}”.`);
  const wrong = added.find(isRubbish);
  if (wrong !== undefined) return red(`The page says nothing, and shows “${cut(wrong)}”.`);
  if (error === undefined) return green('The page goes on as without the fault.');
  const still = texts.find(saysWaiting) ?? added[0] ?? lastOf(texts) ?? '';
  const verb = before.has(still) ? 'still shows' : 'shows';
  return red(`The page says nothing: it ${verb} “${cut(still)}”.`);
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
  { error, method }: { readonly error: string | undefined; readonly method: string | undefined },
): Verdict {
  const waiting = texts.find((text) => !before.has(text)) ?? texts.find((text) => isWaiting(text));
  if (waiting !== undefined) return green(`The page shows “${cut(waiting)}” meanwhile.`);
  if (error === undefined) return green('The page goes on as without the fault.');
  const reason = 'The page shows no sign that it waits.';
  return method === 'GET' ? red(reason) : { tone: 'yellow', reason };
}

/** Whether a text, or the mark of a control that is off or busy, says that the page waits. */
function isWaiting(text: string): boolean {
  return saysWaiting(text) || /\b(loading|wait|progress)|^(disabled|busy) /i.test(text);
}

/** How many texts say what has changed in a page. */
const maxChanged = 3;

/** Returns what a page has shown only before, and only after. */
function changeOf(
  before: readonly string[],
  after: readonly string[],
): Pick<Verdict, 'before' | 'after'> {
  return { before: changedText(before, after), after: changedText(after, before) };
}

/** Returns texts that others do not have, or else the last one. */
function changedText(texts: readonly string[], others: readonly string[]): string {
  const changed = texts.filter((text) => !others.includes(text));
  const told = changed.length === 0 ? [lastOf(texts) ?? ''] : changed.slice(0, maxChanged);
  return told.map(cut).join(' · ');
}

/** Returns the last text of a page that is none of an attribute, if there is one. */
function lastOf(texts: readonly string[]): string | undefined {
  return texts.findLast((text) => !ofAttribute.test(text) && !ofControl.test(text)) ?? texts.at(-1);
}

function cut(text: string): string {
  return truncate(text, 120);
}

/** Returns a difference between what the page has read last and the shop: `GET /api/orders/1: state is pending, not cart`. */
function staleRead({ hit, evidence }: WatchedRun): string | undefined {
  for (const [url, body] of evidence.reads) {
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
