import { isChosen } from './calls.ts';
import { pageTexts, type PageHost } from './page-texts.ts';
import { oneLine } from './thrown-error.ts';
import type { Verdict } from './trials.ts';
import { userOracles } from './user-oracles.ts';
import { green, red, type RunEnd } from './verdicts.ts';
import type { Hit, WatchedRun } from './watched-run.ts';
import { truncate } from '../engine/lib/problem.ts';

/** Runs a function of the user within the time that a run has. */
export type Within = (work: () => unknown) => Promise<unknown>;

/**
 * Returns the verdict on a run by what its test expects; by the oracles of the user, if the test expects nothing and the run is
 * not red.
 *
 * @param verdict that of the oracles of Backlot
 */
export async function userVerdict(
  { hit, trial, evidence, host }: WatchedRun,
  { texts, error }: RunEnd,
  verdict: Verdict,
  within: Within,
): Promise<Verdict> {
  if (hit === undefined || trial === undefined || !('fault' in trial)) return verdict;
  const { fault } = trial;
  const { before, after } = verdict;
  const { endpoint, nth } = hit.call;
  const request = { endpoint, nth, method: hit.method, url: hit.url };
  const expected = evidence.expectations.filter(
    (one) => one.faults.includes(fault) && isChosen(endpoint, one.requests),
  );
  for (const { check } of expected) {
    const failure = await reasonOf(() =>
      within(async () => void (await check({ fault, request }))),
    );
    if (failure !== undefined) return { before, after, ...red(failure) };
  }
  if (expected.length > 0)
    return { before, after, ...green(`As the test expects${saidBy(hit, host)}.`) };
  if (verdict.tone === 'red') return verdict;
  for (const [name, judge] of userOracles(host).oracles) {
    const run = { fault, request, texts, error };
    const reason = await reasonOf(() => within(() => judge(run)));
    if (reason !== undefined) return { before, after, ...red(`${name}: ${reason}`) };
  }
  return verdict;
}

/** Returns the text that a function returns, or the message of what it throws. */
async function reasonOf(work: () => Promise<unknown>): Promise<string | undefined> {
  try {
    const value = await work();
    return typeof value === 'string' ? value : undefined;
  } catch (error) {
    return oneLine(error instanceof Error ? error.message : String(error));
  }
}

/** Says which text of a page is new since the request was sent. */
function saidBy({ shown = [] }: Hit, host: PageHost): string {
  const said = pageTexts(host)?.find((text) => !shown.includes(text));
  return said === undefined ? '' : `: the page says “${truncate(said, 120)}”`;
}
