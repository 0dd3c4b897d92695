import { Problem } from '../lib/problem.ts';

/**
 * How many of all one client may hold: a percentage of them, rounded down, but at least one.
 *
 * @throws Problem `invalid` for a share that is no percentage
 */
export function shareOf(most: number, percent = 100): number {
  if (!(percent > 0 && percent <= 100)) {
    throw new Problem('invalid', `clientShare must be above 0 and at most 100, not ${percent}.`);
  }
  return Math.max(1, Math.floor((most * percent) / 100));
}
