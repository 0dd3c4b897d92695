import { Problem } from '../lib/problem.ts';
import type { Milliseconds } from '../lib/virtual-clock.ts';
import { clientOf } from './client.ts';

/** Counts requests, so that there are not more of them than there should be. */
export interface Rate {
  /** @throws Problem `too many`, with the seconds to wait */
  count(): void;
}

/** Counts the requests of each client by itself. */
export interface Rates {
  /**
   * @param client the address of a client; requests without one count as those of one client
   * @throws Problem as `Rate`
   */
  count(client: string | undefined): void;
}

/** So many seconds' worth of requests can come at once. */
const burst = 5;

/** So many clients are told apart at once. One that was still for a whole burst is as good as new, and forgotten. */
const mostClients = 10_000;

/**
 * @param perSecond how many requests there can be on the long run; any number if not given
 * @param sender who sends them, in the words of a refusal
 */
export function createRate(
  perSecond: number | undefined,
  milliseconds: Milliseconds,
  sender = 'This session',
): Rate {
  if (perSecond === undefined) return { count: () => undefined };
  let left = perSecond * burst;
  let at = milliseconds();
  return {
    count() {
      const now = milliseconds();
      left = Math.min(perSecond * burst, left + ((now - at) / 1000) * perSecond);
      at = now;
      if (left < 1) throw tooFast(sender, perSecond, Math.ceil((1 - left) / perSecond));
      left -= 1;
    },
  };
}

/** @param perSecond how many requests each client can send on the long run; any number if not given */
export function createRates(perSecond: number | undefined, milliseconds: Milliseconds): Rates {
  if (perSecond === undefined) return { count: () => undefined };
  /** The client that sent something last stands last. */
  const known = new Map<string, { readonly rate: Rate; readonly at: number }>();
  const forget = (now: number): void => {
    for (const [client, { at }] of known) {
      if (known.size < mostClients && now - at < burst * 1000) return;
      known.delete(client);
    }
  };
  return {
    count(address) {
      const client = clientOf(address);
      const now = milliseconds();
      const rate = known.get(client)?.rate ?? createRate(perSecond, milliseconds, 'This client');
      known.delete(client);
      forget(now);
      known.set(client, { rate, at: now });
      rate.count();
    },
  };
}

function tooFast(sender: string, perSecond: number, seconds: number): Problem {
  return new Problem(
    'too many',
    `${sender} sends more than ${perSecond} requests a second; try again in ${seconds} s.`,
    { headers: { 'retry-after': String(seconds) } },
  );
}
