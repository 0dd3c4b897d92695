import { Problem } from '../problem.ts';
import type { Milliseconds } from '../scenario/clock.ts';

/** Counts requests, so that there are not more of them than there should be. */
export interface Rate {
  /** @throws Problem `too many`, with the seconds to wait */
  count(): void;
}

/** So many seconds' worth of requests can come at once. */
const burst = 5;

/** @param perSecond how many requests there can be on the long run; any number if not given */
export function createRate(perSecond: number | undefined, milliseconds: Milliseconds): Rate {
  if (perSecond === undefined) return { count: () => undefined };
  let left = perSecond * burst;
  let at = milliseconds();
  return {
    count() {
      const now = milliseconds();
      left = Math.min(perSecond * burst, left + ((now - at) / 1000) * perSecond);
      at = now;
      if (left < 1) throw tooFast(perSecond, Math.ceil((1 - left) / perSecond));
      left -= 1;
    },
  };
}

function tooFast(perSecond: number, seconds: number): Problem {
  return new Problem(
    'too many',
    `This session sends more than ${perSecond} requests a second; try again in ${seconds} s.`,
    { headers: { 'retry-after': String(seconds) } },
  );
}
