import { isBelow, isOwnPath, nameOf } from '../../engine/lib/api-path.ts';
import { formatCount } from '../../engine/lib/problem.ts';
import { isTimestamp, secondsBetween } from '../../engine/lib/duration.ts';
import { valueAt } from '../../engine/lib/json-value.ts';
import type { ApiDefinition } from '../../engine/definition/api.ts';
import { matchRequest } from '../drift/exchange.ts';
import { exchangeOf, type RecordedExchange } from './har-entry.ts';
import { nameOf as recordingName, readHar, RecordingError, type Recording } from './har-file.ts';

/** Where the API of a recording is. */
export interface RecordedPlace {
  readonly origin: string;
  /** The path in front of that of the API: empty, or `/backend`. */
  readonly prefix: string;
  /** The path of the API: `/api/v1`. */
  readonly apiPath: string;
}

/** What is known of a recording before it is replayed. */
export interface Survey {
  readonly place: RecordedPlace;
  /** The positions of the requests that are replayed, in the order of their responses. */
  readonly order: readonly number[];
  /** How many entries are not replayed, by the reason. */
  readonly leftOut: ReadonlyMap<string, number>;
  /** Whether the clock of the server ticked between its writes. A mock may have a frozen one. */
  readonly isTicking: boolean;
}

/** An entry whose request may be one of the API. */
interface Candidate extends Pick<RecordedExchange, 'position' | 'end'> {
  /** `https://shop.test/backend` */
  readonly base: string;
  readonly isKnown: boolean;
  readonly stamp: string | undefined;
}

/**
 * Reads a recording once, to find out where its API is, and in which order its responses came.
 *
 * @throws RecordingError if it cannot be read, or has no request of the API
 */
export async function surveyRecording(
  recording: Recording,
  api: ApiDefinition,
  apiPath: string,
): Promise<Survey> {
  const candidates: Candidate[] = [];
  const leftOut = new Map<string, number>();
  const leave = (reason: string, count = 1): void => {
    if (count > 0) leftOut.set(reason, (leftOut.get(reason) ?? 0) + count);
  };
  let position = 0;
  for await (const read of readHar(recording)) {
    position += 1;
    const exchange = 'leftOut' in read ? read.leftOut : exchangeOf(read.value, position, recording);
    const candidate = typeof exchange === 'string' ? exchange : candidateOf(exchange, api, apiPath);
    if (typeof candidate === 'string') leave(candidate);
    else candidates.push(candidate);
  }
  const known = Map.groupBy(
    candidates.filter(({ isKnown }) => isKnown),
    ({ base }) => base,
  );
  const [base] = [...known].toSorted(([, a], [, b]) => b.length - a.length)[0] ?? [];
  if (base === undefined)
    throw new RecordingError(
      `${recordingName(recording)} has ${formatCount(position)} entries, and none is a request of this API below ${apiPath || '/'}. Pass --api-path, or --config for another API.`,
    );
  const chosen = candidates.filter((one) => one.base === base).toSorted((a, b) => a.end - b.end);
  leave(otherServer, candidates.length - chosen.length);
  const { origin, pathname } = new URL(base);
  return {
    place: { origin, prefix: pathname.replace(/\/$/, ''), apiPath },
    order: chosen.map((one) => one.position),
    leftOut,
    isTicking: isTicking(chosen),
  };
}

/** A parameter that has been masked, in a form or in JSON. */
const masked = /[=:]\s*"?(\*{3}|%2A%2A%2A)/i;

const otherServer = 'to other servers or paths';

/** Returns the time of a server when it has written something, as its response shows it. */
export function writeTime({ request, response }: RecordedExchange): string | undefined {
  if (request.method === 'GET' || request.method === 'HEAD' || response.status >= 300)
    return undefined;
  return ['updated_at', 'created_at']
    .map((name) => valueAt(response.json, [name]))
    .filter((time): time is string => typeof time === 'string' && isTimestamp(time))
    .toSorted()
    .at(-1);
}

/** Returns the URL of a request as the contract has it: `/api/orders/?limit=2`. */
export function contractUrl(url: URL, { prefix, apiPath }: RecordedPlace): string {
  return nameOf(apiPath, `${url.pathname.slice(prefix.length)}${url.search}`);
}

function candidateOf(
  exchange: RecordedExchange,
  api: ApiDefinition,
  apiPath: string,
): Candidate | string {
  const { url, request, position, end } = exchange;
  const at = prefixLength(url.pathname, apiPath);
  if (at === undefined) return otherServer;
  const place = { origin: url.origin, prefix: url.pathname.slice(0, at), apiPath };
  const { row } = matchRequest({ ...request, url: contractUrl(url, place) }, { api });
  const isToken = isBelow('/oauth', contractUrl(url, place));
  if (isToken && masked.test(`${url.search}&${request.body ?? ''}`))
    return 'for a token with a masked secret';
  const base = `${url.origin}${place.prefix}`;
  return { position, end, base, isKnown: row !== undefined, stamp: writeTime(exchange) };
}

/** Returns how long the path in front of that of the API is. Tokens have a path of their own. */
function prefixLength(path: string, apiPath: string): number | undefined {
  const starts = Array.from(path.matchAll(/\/|$/g), ({ index }) => index);
  return starts.find((at) => isOwnPath(apiPath, path.slice(at)));
}

/** Whether the times of a server are as far apart as those of the client. */
function isTicking(exchanges: readonly Candidate[]): boolean {
  const written = exchanges.filter(({ stamp }) => stamp !== undefined);
  const [first, last] = [written[0], written.at(-1)];
  if (first?.stamp === undefined || last?.stamp === undefined) return false;
  const elapsed = (last.end - first.end) / 1000;
  const apart = secondsBetween(first.stamp, last.stamp);
  return elapsed > 2 && Math.abs(apart - elapsed) <= 2 + elapsed / 10;
}
