import { Problem } from '../lib/problem.ts';
import type { Milliseconds } from '../lib/virtual-clock.ts';
import { clientOf } from './client.ts';

/** Limits the rate of requests by a token bucket: https://en.wikipedia.org/wiki/Token_bucket */
export interface RateLimit {
  /** @throws Problem `too many`, with the seconds to wait */
  count(): void;
}

/** Limits the rate of requests for each client. */
export interface ClientRateLimit {
  /**
   * @param client address of a client; requests without one count as those of one client
   * @throws Problem as `RateLimit`
   */
  count(client: string | undefined): void;
}

/** How many seconds' worth of requests a full bucket holds. */
const burst = 5;

/** How many clients have a bucket. A client that was idle for a burst has a full one, so its bucket is deleted. */
const maxClients = 10_000;

/**
 * @param perSecond how many requests are allowed in the long run (default: unlimited)
 * @param sender who sends them, for messages
 */
export function createRateLimit(
  perSecond: number | undefined,
  milliseconds: Milliseconds,
  sender = 'This session',
): RateLimit {
  if (perSecond === undefined) return { count: () => undefined };
  let tokens = perSecond * burst;
  let at = milliseconds();
  return {
    count() {
      const now = milliseconds();
      tokens = Math.min(perSecond * burst, tokens + ((now - at) / 1000) * perSecond);
      at = now;
      if (tokens < 1) throw tooFast(sender, perSecond, Math.ceil((1 - tokens) / perSecond));
      tokens -= 1;
    },
  };
}

/** @param perSecond how many requests each client can send in the long run (default: unlimited) */
export function createClientRateLimit(
  perSecond: number | undefined,
  milliseconds: Milliseconds,
): ClientRateLimit {
  if (perSecond === undefined) return { count: () => undefined };
  /** In the order of their last requests. */
  const clients = new Map<string, { readonly limit: RateLimit; readonly at: number }>();
  const deleteIdle = (now: number): void => {
    for (const [client, { at }] of clients) {
      if (clients.size < maxClients && now - at < burst * 1000) return;
      clients.delete(client);
    }
  };
  return {
    count(address) {
      const client = clientOf(address);
      const now = milliseconds();
      const limit =
        clients.get(client)?.limit ?? createRateLimit(perSecond, milliseconds, 'This client');
      clients.delete(client);
      deleteIdle(now);
      clients.set(client, { limit, at: now });
      limit.count();
    },
  };
}

function tooFast(sender: string, perSecond: number, seconds: number): Problem {
  return new Problem(
    'too many',
    `${sender} sends more than ${perSecond} requests a second. Retry in ${seconds} s.`,
    { headers: { 'retry-after': String(seconds) } },
  );
}
