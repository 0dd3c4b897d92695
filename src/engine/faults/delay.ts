import * as z from 'zod';
import type { FieldIssue } from '../lib/problem.ts';
import { issue } from './fault-kind.ts';

/** The longest delay of a response: ten minutes, in milliseconds. */
export const maxDelay = 600_000;

/** A number of milliseconds, or `2s`, `1.5s` or `500ms`, as in the header `Prefer`. */
export const Milliseconds = z
  .union([z.int(), z.string()])
  .transform((value, context) => {
    const milliseconds = typeof value === 'number' ? value : parseDelay(value);
    if (milliseconds === undefined)
      context.addIssue('Expected milliseconds, or a duration of at most 600s such as 2s or 500ms');
    return milliseconds;
  })
  .pipe(z.int().min(0).max(maxDelay));

/** How long a response is delayed. */
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

/** Returns the milliseconds of `2s`, `1.5s` or `500ms`; undefined for any other text. */
export function parseDelay(text: string): number | undefined {
  const [, amount, unit] = /^(\d{1,7}(?:\.\d{1,3})?)(ms|s)$/.exec(text) ?? [];
  const delay = Math.round(Number(amount) * (unit === 's' ? 1000 : 1));
  return delay <= maxDelay ? delay : undefined;
}

export function delayIssues(delay: Delay | undefined): FieldIssue[] {
  if (delay === undefined || typeof delay === 'number') return [];
  return 'from' in delay
    ? issue(delay.from > delay.to, ['delay', 'to'], `Must be at least ${delay.from}.`)
    : delay.median < 1
      ? issue(true, ['delay', 'median'], 'Must be at least 1.')
      : issue(delay.median > delay.p95, ['delay', 'p95'], `Must be at least ${delay.median}.`);
}

/** Returns a number of milliseconds from a range (uniform) or from a distribution (log-normal). */
export function drawDelay(delay: Delay, createRandom: () => () => number): number {
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
