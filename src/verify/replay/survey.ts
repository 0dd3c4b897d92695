import { createHash } from 'node:crypto';
import { isBelow, isOwnPath, nameOf } from '../../engine/lib/api-path.ts';
import { formatCount } from '../../engine/lib/problem.ts';
import { isTimestamp, secondsBetween } from '../../engine/lib/duration.ts';
import { valueAt } from '../../engine/lib/json-value.ts';
import { getOrCreate } from '../../engine/lib/maps.ts';
import { notRecorded } from '../../engine/office/export/request-text.ts';
import type { ApiDefinition } from '../../engine/definition/api.ts';
import { matchRequest } from '../../engine/definition/match-request.ts';
import type { Place } from '../drift/client.ts';
import { BodyReader } from './har-body.ts';
import { readEntry, unreadable, type PackedEntry, type RecordedExchange } from './har-entry.ts';
import { nameOf as recordingName, readHar, RecordingError, type Recording } from './har-file.ts';

/** Where the API of a recording is. */
export interface RecordedPlace extends Place {
  readonly origin: string;
}

/** What is known of a recording before it is replayed. */
export interface Survey {
  readonly place: RecordedPlace;
  /** The positions of the requests that are replayed, in the order in which they began. */
  readonly order: readonly number[];
  /** The entries that are not replayed. */
  readonly leftOut: LeftOut;
  /** Whether the clock of the server ticked between its writes. A mock may have a frozen one. */
  readonly isTicking: boolean;
  /** Unpacks the bodies of all entries. */
  readonly bodies: BodyReader;
}

/** Counts the entries of a recording that are not replayed, by the reason. */
export class LeftOut {
  readonly #entries = new Map<string, { count: number; readonly first: number[] }>();

  /** @param position that of the entry in its file, from 1 */
  add(reason: string, position: number): void {
    const known = getOrCreate(this.#entries, reason, () => ({ count: 0, first: [] }));
    known.count += 1;
    if (known.first.length < maxNamed) known.first.push(position);
  }

  /** How many there are, by the reason, in the order of the file. Those that cannot be read are named by their positions. */
  counts(): Readonly<Record<string, number>> {
    const inOrder = [...this.#entries].toSorted(
      (
        [
          ,
          {
            first: [a = 0],
          },
        ],
        [
          ,
          {
            first: [b = 0],
          },
        ],
      ) => a - b,
    );
    const all = inOrder.map(([reason, { count, first }]): [string, number] => [
      reason.startsWith(unreadable) ? `${reason} (${entriesAt(first, count)})` : reason,
      count,
    ]);
    return Object.fromEntries(all);
  }

  /** The same as text, each with its number: `214 to other servers or paths, 2 aborted`. */
  toString(): string {
    const counts = Object.entries(this.counts());
    return counts.map(([reason, count]) => `${formatCount(count)} ${reason}`).join(', ');
  }
}

/** Number of positions that are named. */
const maxNamed = 3;

function entriesAt(first: readonly number[], count: number): string {
  const named = first.join(', ');
  const more = count - first.length;
  if (count === 1) return `entry ${named}`;
  return more > 0 ? `entries ${named} and ${formatCount(more)} more` : `entries ${named}`;
}

interface SurveyParts {
  readonly api: ApiDefinition;
  readonly apiPath: string;
  readonly bodies: BodyReader;
}

/** An entry whose request may be one of the API. */
interface Candidate {
  readonly position: number;
  /** When the request began and ended; undefined if the recording does not say it. */
  readonly start: number | undefined;
  readonly end: number | undefined;
  /** `https://shop.test/backend` */
  readonly base: string;
  /** The same for all that one server got: of an export of a history, whatever its clients call the server. */
  readonly server: string;
  readonly isKnown: boolean;
  readonly stamp: string | undefined;
  readonly isPassedOn: boolean;
  /** The same for two entries of one request. */
  readonly message: string;
  /** Whether an export of a history says how the whole shop was. */
  readonly hasState: boolean;
}

/**
 * Reads a recording once, to find out where its API is, and in which order its requests began.
 *
 * @throws RecordingError if it cannot be read, or has no request of the API
 */
export async function surveyRecording(
  recording: Recording,
  api: ApiDefinition,
  apiPath: string,
): Promise<Survey> {
  const candidates: Candidate[] = [];
  const leftOut = new LeftOut();
  const bodies = new BodyReader(recording);
  let position = 0;
  for await (const read of readHar(recording)) {
    position += 1;
    const entry = 'leftOut' in read ? read.leftOut : readEntry(read.value, position);
    const at =
      typeof entry === 'string' ? entry : await candidateOf(entry, { api, apiPath, bodies });
    if (typeof at === 'string') leftOut.add(at, position);
    else candidates.push(at);
  }
  const first = mostKnown(candidates);
  const isOther = (one: Candidate): boolean => one.server !== first?.server;
  for (const one of candidates.filter(isOther)) leftOut.add(otherServer, one.position);
  if (first === undefined)
    throw new RecordingError(noRequest(recordingName(recording), position, leftOut, apiPath));
  const chosen = candidates.filter((one) => !isOther(one));
  const twice = sentTwice(chosen);
  for (const one of twice) leftOut.add('sent once more by a service worker', one.position);
  const sent = inOrderOfStart(chosen.filter((one) => !twice.has(one)));
  const known = Math.max(
    0,
    sent.findIndex(({ hasState }) => hasState),
  );
  for (const one of sent.slice(0, known)) leftOut.add(beforeKnown, one.position);
  const { origin, pathname } = new URL(first.base);
  return {
    place: { origin, prefix: pathname.replace(/\/$/, ''), apiPath },
    order: sent.slice(known).map((one) => one.position),
    leftOut,
    isTicking: isTicking(chosen),
    bodies,
  };
}

/** Returns the first request to the server with the most requests of the API. */
function mostKnown(candidates: readonly Candidate[]): Candidate | undefined {
  const known = Map.groupBy(
    candidates.filter(({ isKnown }) => isKnown),
    ({ server }) => server,
  );
  return [...known.values()].toSorted((a, b) => b.length - a.length)[0]?.[0];
}

function noRequest(name: string, count: number, leftOut: LeftOut, apiPath: string): string {
  const all = leftOut.counts();
  const isElsewhere = count === 0 || all[otherServer] !== undefined;
  const others = Object.keys(all).some((reason) => reason !== otherServer);
  return (
    `${name} has ${formatCount(count)} entries, and none is a request of this API below ${apiPath || '/'}.` +
    (others ? ` Left out: ${String(leftOut)}.` : '') +
    (isElsewhere ? ' Pass --api-path, or --config for another API.' : '')
  );
}

/** Returns entries in the order in which they began. Without a time, one begins when the one before it does. */
function inOrderOfStart(entries: readonly Candidate[]): Candidate[] {
  let last = -Infinity;
  const timed = entries.map((entry) => {
    last = entry.start ?? last;
    return { entry, start: last };
  });
  // Those of one time, or without one, stay in the order of the file.
  return timed
    .toSorted((a, b) => (a.start === b.start ? 0 : a.start - b.start))
    .map(({ entry }) => entry);
}

/**
 * Returns the entries of requests that a service worker has sent for a page. Behind one, Chromium has two entries for each request:
 * that of the page, and that of the worker, within the time of the other.
 */
function sentTwice(entries: readonly Candidate[]): ReadonlySet<Candidate> {
  const twice = new Set<Candidate>();
  for (const same of Map.groupBy(entries, ({ message }) => message).values()) {
    const inOrder = same.toSorted((a, b) => (a.start ?? 0) - (b.start ?? 0));
    const workers = inOrder.filter(({ isPassedOn }) => !isPassedOn);
    for (const page of inOrder.filter(({ isPassedOn }) => isPassedOn)) {
      const earliest = (page.start ?? 0) - maxApart;
      while (workers[0] !== undefined && (workers[0].start ?? 0) < earliest) workers.shift();
      const at = workers.slice(0, maxParallel).findIndex((one) => isDuring(one, page));
      if (at !== -1) for (const one of workers.splice(at, 1)) twice.add(one);
    }
  }
  return twice;
}

/** Maximum number of equal requests at one time. */
const maxParallel = 100;

/** The clocks of two programs may be as far apart, in milliseconds. */
const maxApart = 50;

function isDuring(one: Candidate, other: Candidate): boolean {
  const [begins, ends] = [one.start ?? 0, one.end ?? 0];
  return begins >= (other.start ?? 0) - maxApart && ends <= (other.end ?? 0) + maxApart;
}

/** A parameter that has been masked, in a form or in JSON. */
const isMasked = new RegExp(`[=:]\\s*"?(\\*{3}|%2A%2A%2A|${notRecorded})`, 'i');

const otherServer = 'to other servers or paths';

/** A history keeps requests longer than changes. */
const beforeKnown = 'from before the first change that the history has kept';

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

/** Returns where the API is for one of its requests. */
export function placeIn({ origin, pathname }: URL, apiPath: string): RecordedPlace | undefined {
  const at = prefixLength(pathname, apiPath);
  return at === undefined ? undefined : { origin, prefix: pathname.slice(0, at), apiPath };
}

/** Returns the URL of a request as the contract has it: `/api/orders/?limit=2`. */
export function contractUrl(url: URL, { prefix, apiPath }: RecordedPlace): string {
  return nameOf(apiPath, `${url.pathname.slice(prefix.length)}${url.search}`);
}

/** Returns what the survey knows of an entry, or why it is not replayed. */
async function candidateOf(
  entry: PackedEntry,
  { api, apiPath, bodies }: SurveyParts,
): Promise<Candidate | string> {
  const { url, method, position, start, isPassedOn, own } = entry;
  const place = placeIn(url, apiPath);
  if (place === undefined) return otherServer;
  const request = { method, url: contractUrl(url, place) };
  const { row } = matchRequest(request, { api });
  const isToken = isBelow('/oauth', request.url);
  if (isToken && isMasked.test(`${url.search}&${entry.sent?.text ?? ''}`))
    return 'for a token with a masked secret';
  const isWrite = !isRead.test(method) && entry.status < 300;
  // Only what has been written shows the time of the server.
  const exchange = isWrite && own === undefined ? await bodies.unpack(entry) : undefined;
  const isUnpacked = exchange !== undefined && typeof exchange !== 'string';
  return {
    position,
    start: own === undefined ? start : own.received,
    end: start === undefined ? undefined : start + entry.time,
    base: `${url.origin}${place.prefix}`,
    server: own === undefined ? `${url.origin}${place.prefix}` : 'own',
    isKnown: row !== undefined,
    stamp: isUnpacked ? writeTime(exchange) : undefined,
    isPassedOn,
    hasState: valueAt(own?.before, ['state']) !== undefined,
    message: isRead.test(method)
      ? `${method} ${url.href}`
      : `${method} ${url.href} ${digestOf(entry)}`,
  };
}

const isRead = /^(GET|HEAD|OPTIONS)$/;

/** Returns what is the same for two equal bodies. */
function digestOf({ sent }: PackedEntry): string {
  const { text = '', params = [] } = sent ?? {};
  return createHash('sha256').update(text).update(JSON.stringify(params)).digest('base64');
}

/** Returns how long the path in front of that of the API is. Tokens have a path of their own. */
function prefixLength(path: string, apiPath: string): number | undefined {
  const starts = Array.from(path.matchAll(/\/|$/g), ({ index }) => index);
  return starts.find((at) => isOwnPath(apiPath, path.slice(at)));
}

/** Whether the times of a server are as far apart as those of the client. */
function isTicking(exchanges: readonly Candidate[]): boolean {
  const written = exchanges
    .filter(({ stamp }) => stamp !== undefined)
    .toSorted((a, b) => (a.end ?? 0) - (b.end ?? 0));
  const [first, last] = [written[0], written.at(-1)];
  if (first?.stamp === undefined || last?.stamp === undefined) return false;
  if (first.end === undefined || last.end === undefined) return false;
  const elapsed = (last.end - first.end) / 1000;
  const apart = secondsBetween(first.stamp, last.stamp);
  return elapsed > 2 && Math.abs(apart - elapsed) <= 2 + elapsed / 10;
}
