import { parsedUrl } from '../lib/api-path.ts';
import { Problem } from '../lib/problem.ts';
import type { Milliseconds } from '../lib/virtual-clock.ts';

/**
 * Returns the client that limits count for an address: an IPv4 address, or the /64 network of an IPv6 address, because
 * a client can use any address of its network (https://www.rfc-editor.org/rfc/rfc6177). Idempotent.
 *
 * @param address as a socket or a proxy reports it, with or without a port or a zone; other text is returned truncate
 * @returns an empty text if no address is known
 */
export function clientOf(address = ''): string {
  const plain = withoutPort(address);
  const groups = plain.includes(':') ? groupsOf(plain) : undefined;
  if (groups === undefined) return plain.slice(0, maxLength);
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  if (isMapped) return groups.slice(6).flatMap(bytesOf).join('.');
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')}::/64`;
}

/** Limits the memory for addresses, because a proxy may report any text. */
const maxLength = 64;

/**
 * Returns the maximum share of a total for one client: a percentage of it, rounded down, but at least 1.
 *
 * @throws Problem `invalid` for a number that is not a percentage
 */
export function shareOf(total: number, percent = 100): number {
  if (!(percent > 0 && percent <= 100)) {
    throw new Problem('invalid', `clientShare must be above 0 and at most 100, not ${percent}.`);
  }
  return Math.max(1, Math.floor((total * percent) / 100));
}

function withoutPort(address: string): string {
  const [, bracketed, dotted] =
    /^\[([^\]]*)\](?::\d+)?$|^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(address) ?? [];
  return bracketed ?? dotted ?? address;
}

/** Returns the eight groups of an IPv6 address, which the parser of URLs checks: https://www.rfc-editor.org/rfc/rfc4291#section-2.2 */
function groupsOf(address: string): number[] | undefined {
  const [text = ''] = address.split('%', 1);
  const url = /^[\da-f:.]+$/i.test(text) ? parsedUrl(`http://[${text}]`) : undefined;
  if (url === undefined) return undefined;
  const [head = [], tail = []] = url.hostname
    .slice(1, -1)
    .split('::')
    .map((half) => (half === '' ? [] : half.split(':').map((group) => Number.parseInt(group, 16))));
  const missing = 8 - head.length - tail.length;
  return [...head, ...Array.from({ length: missing }, () => 0), ...tail];
}

function bytesOf(group: number): number[] {
  return [group >> 8, group & 0xff];
}

/** Limits the rate of requests by a token bucket: https://en.wikipedia.org/wiki/Token_bucket */
export interface RateLimit {
  /**
   * @param requests the number of requests to count it as (default: 1), at most a full bucket
   * @throws Problem `too many`, with the seconds to wait
   */
  count(requests?: number): void;
}

/** Limits the rate of requests for each client. */
export interface ClientRateLimit {
  /**
   * @param client address of a client; requests without one count as those of one client
   * @param requests as of `RateLimit`
   * @throws Problem as `RateLimit`
   */
  count(client: string | undefined, requests?: number): void;
}

/** The size of a full bucket, in seconds of requests. */
const burst = 5;

/** Maximum number of clients with a bucket. After a burst time without requests, a bucket is full and is deleted. */
const maxClients = 10_000;

/**
 * @param perSecond maximum average rate in requests per second (default: unlimited)
 * @param sender the sender's name in messages
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
    count(requests = 1) {
      const cost = Math.min(requests, perSecond * burst);
      const now = milliseconds();
      tokens = Math.min(perSecond * burst, tokens + ((now - at) / 1000) * perSecond);
      at = now;
      if (tokens < cost) throw tooFast(sender, perSecond, Math.ceil((cost - tokens) / perSecond));
      tokens -= cost;
    },
  };
}

/** @param perSecond maximum average rate of each client in requests per second (default: unlimited) */
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
    count(address, requests) {
      const client = clientOf(address);
      const now = milliseconds();
      const limit =
        clients.get(client)?.limit ?? createRateLimit(perSecond, milliseconds, 'This client');
      clients.delete(client);
      deleteIdle(now);
      clients.set(client, { limit, at: now });
      limit.count(requests);
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
