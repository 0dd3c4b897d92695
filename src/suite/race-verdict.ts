import { digestOf } from '../engine/lib/pseudo-random.ts';
import { truncate } from '../engine/lib/problem.ts';
import { repeatedWrite } from './oracles.ts';
import type { PlainRun, RaceEnd, RaceTrial, Verdict } from './trials.ts';
import { green, grey, red, uncaughtIn } from './verdicts.ts';
import type { WatchedRun } from './watched-run.ts';

/**
 * Returns the end of a run whose responses were held, once all have arrived.
 *
 * @param shown what the page shows; undefined without a page
 */
export function raceEndOf(
  { hit, evidence, responses }: WatchedRun,
  shown: readonly string[] | undefined,
): RaceEnd {
  const state = JSON.stringify(hit?.office?.export().tables);
  const { writes } = evidence;
  return { groups: responses?.groups ?? [], shown, writes, state: digestOf(state ?? '') };
}

/**
 * Judges a page that receives responses in another order than that of its requests: by its last screen, if the shop is in the
 * same state.
 *
 * @returns undefined for a run that finds out which requests are under way at once
 */
export function raceVerdict(
  run: WatchedRun,
  end: RaceEnd,
  plain: PlainRun | undefined,
): Verdict | undefined {
  const { responses, trial } = run;
  if (trial === undefined || !('order' in trial) || trial.recorded === undefined) return undefined;
  const { recorded } = trial;
  if (responses?.isKept !== true) return grey('The requests were not under way at once this time.');
  const twice = repeatedWrite(end.writes, recorded.writes);
  if (twice !== undefined) return twice;
  const uncaught = uncaughtIn(run, plain);
  if (uncaught !== undefined) return red(uncaught);
  if (end.state !== recorded.state)
    return grey('The shop is in another state, so the page may show something else.');
  if (recorded.shown === undefined) return grey('There is no page to judge.');
  const difference = differenceOf(end.shown ?? [], recorded.shown);
  if (difference === undefined) return green('The last screen is the same.');
  const reason = isOlderLast(trial)
    ? 'An older response overwrites a newer one'
    : 'The last screen depends on the order of responses';
  return red(`${reason}: the page ${difference}.`);
}

/** Whether the last response is to an earlier call of an endpoint than one before it. */
function isOlderLast({ order }: RaceTrial): boolean {
  const last = order.at(-1);
  return order.some((one) => one.endpoint === last?.endpoint && one.nth > last.nth);
}

/** Says what a page shows instead of something else. */
function differenceOf(shown: readonly string[], recorded: readonly string[]): string | undefined {
  const added = shown.find((text) => !recorded.includes(text));
  const missing = recorded.find((text) => !shown.includes(text));
  if (added !== undefined && missing !== undefined)
    return `shows ${quoted(added)} instead of ${quoted(missing)}`;
  if (added !== undefined) return `still shows ${quoted(added)}`;
  if (missing !== undefined) return `does not show ${quoted(missing)}`;
  const at = shown.findIndex((text, index) => text !== recorded[index]);
  return at === -1 ? undefined : `shows ${quoted(shown[at])} before ${quoted(recorded[at])}`;
}

function quoted(text = ''): string {
  return `“${truncate(text, 120)}”`;
}
