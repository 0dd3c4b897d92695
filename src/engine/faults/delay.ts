import * as z from 'zod';
import type { FieldIssue } from '../lib/problem.ts';
import { Milliseconds, millisecondsOf } from '../lib/milliseconds.ts';
import { issue } from './fault-kind.ts';

/** The delay of a response. */
export const Delay = z
  .union([
    Milliseconds,
    z.strictObject({
      from: Milliseconds.describe('Shortest delay in milliseconds'),
      to: Milliseconds.describe('Longest delay in milliseconds'),
    }),
    z.strictObject({
      median: Milliseconds.describe('Milliseconds that half of the delays exceed'),
      p95: Milliseconds.describe('Milliseconds that one in twenty delays exceeds'),
    }),
  ])
  .describe(
    'Delay of the response in milliseconds: a number or `2s`, `{ from, to }` for a range, `{ median, p95 }` for a distribution',
  );
type Delay = z.output<typeof Delay>;

/** Returns a delay as a rule keeps it, in milliseconds. */
export function inMilliseconds(delay: Delay): DelayInMilliseconds {
  if (typeof delay !== 'object') return millisecondsOf(delay);
  return 'from' in delay
    ? { from: millisecondsOf(delay.from), to: millisecondsOf(delay.to) }
    : { median: millisecondsOf(delay.median), p95: millisecondsOf(delay.p95) };
}

type DelayInMilliseconds =
  | number
  | { readonly from: number; readonly to: number }
  | { readonly median: number; readonly p95: number };

export function delayIssues(value: Delay | undefined): FieldIssue[] {
  const delay = value === undefined ? 0 : inMilliseconds(value);
  if (typeof delay === 'number') return [];
  return 'from' in delay
    ? issue(delay.from > delay.to, ['delay', 'to'], `Must be at least ${delay.from}.`)
    : delay.median < 1
      ? issue(true, ['delay', 'median'], 'Must be at least 1.')
      : issue(delay.median > delay.p95, ['delay', 'p95'], `Must be at least ${delay.median}.`);
}

/** Returns a number of milliseconds from a range (uniform) or from a distribution (log-normal). */
export function drawDelay(value: Delay, createRandom: () => () => number): number {
  const delay = inMilliseconds(value);
  if (typeof delay === 'number') return delay;
  const random = createRandom();
  if ('from' in delay) return delay.from + Math.floor(random() * (delay.to - delay.from + 1));
  return Math.round(delay.median * (delay.p95 / delay.median) ** (normal(random) / normal95));
}

/** The 95th percentile of the standard normal distribution. */
const normal95 = 1.6449;

/**
 * Returns a standard normal number, at most four standard deviations from the mean, by the Box–Muller transform
 * (https://en.wikipedia.org/wiki/Box%E2%80%93Muller_transform).
 */
function normal(random: () => number): number {
  const radius = Math.sqrt(-2 * Math.log(1 - random()));
  return Math.max(-4, Math.min(4, radius * Math.cos(2 * Math.PI * random())));
}
