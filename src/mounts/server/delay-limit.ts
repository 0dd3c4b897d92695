import { Problem } from '../../engine/lib/problem.ts';
import { clientOf } from '../../engine/sessions/rate-limit.ts';

/** Counts a delayed response. Returns the function that ends its count. @throws Problem `too many` */
export type DelayLimit = (address: string | undefined) => () => void;

/**
 * Limits the responses that are delayed, by faults or long polls, at one time.
 *
 * @param max maximum number of them
 * @param maxPerClient maximum number of those for one client
 */
export function createDelayLimit(max: number, maxPerClient: number): DelayLimit {
  let delayed = 0;
  const delayedByClient = new Map<string, number>();
  const count = (client: string, change: 1 | -1): void => {
    delayed += change;
    const ofClient = (delayedByClient.get(client) ?? 0) + change;
    if (ofClient === 0) delayedByClient.delete(client);
    else delayedByClient.set(client, ofClient);
  };
  return (address) => {
    if (delayed >= max) {
      throw new Problem(
        'too many',
        `Limit of delayed responses (${max}) reached. Retry in 1 s.`,
        soon,
      );
    }
    const client = clientOf(address);
    const ofClient = delayedByClient.get(client) ?? 0;
    if (ofClient >= maxPerClient) {
      throw new Problem(
        'too many',
        `This client has ${ofClient} of the ${max} delayed responses, its share. Retry in 1 s.`,
        soon,
      );
    }
    count(client, 1);
    return () => count(client, -1);
  };
}

const soon = { headers: { 'retry-after': '1' } };
