import type { ReceivedResponse, SentRequest } from '../../engine/definition/drift.ts';
import { isObject, valueAt } from '../../engine/lib/json-value.ts';
import { formatCount } from '../../engine/lib/problem.ts';

/** What an export of a history says of an entry in addition to the archive. */
export interface OwnFields {
  /** The time of the shop. */
  readonly at: string;
  /** When the request arrived, in milliseconds. */
  readonly received: number | undefined;
  /** What changed the shop since the entry before it, other than requests. */
  readonly before: unknown;
  /** Whether the client got the response. */
  readonly isDelivered: boolean;
  /** Whether a fault or the header `Prefer` has changed the response, so that no contract holds for it. */
  readonly isInjected: boolean;
}

/** The fields of headers and forms by their names. */
type Pairs = readonly (readonly [name: string, value: string])[];

/** A body as an archive has it: maybe in base64, and compressed. */
export interface PackedBody {
  readonly text: string | undefined;
  readonly isBase64: boolean;
  /** The name of a file beside the archive. */
  readonly file: string | undefined;
  readonly mimeType: string | undefined;
}

/** An entry of an archive. Its bodies are as the archive has them, because few entries are needed at a time. */
export interface PackedEntry {
  /** The position of the entry in its file, from 1. */
  readonly position: number;
  readonly url: URL;
  readonly method: string;
  readonly status: number;
  /** By their names in lower case. */
  readonly sentHeaders: Readonly<Record<string, string>>;
  readonly receivedHeaders: Readonly<Record<string, string>>;
  /** Whether the recording has the headers of the response. */
  readonly hasHeaders: boolean;
  readonly sent: (PackedBody & { readonly params: Pairs }) | undefined;
  /** Whether the request had a body, recorded or not. */
  readonly hadBody: boolean;
  /** `size` is that of the unpacked body in bytes, as far as the archive says it. */
  readonly received: PackedBody & { readonly size: number | undefined };
  /** When the request began, in milliseconds by the clock of the client. */
  readonly start: number | undefined;
  /** How long it took, in milliseconds. */
  readonly time: number;
  /** Whether a service worker of the page has sent it on, so that the archive may have it twice. */
  readonly isPassedOn: boolean;
  /** What an export of a history says of it in addition. */
  readonly own?: OwnFields | undefined;
}

/** A request and its response, as they were recorded, with their bodies. */
export interface RecordedExchange extends Pick<
  PackedEntry,
  'position' | 'url' | 'hasHeaders' | 'own'
> {
  /** `url` is the whole URL. */
  readonly request: SentRequest;
  readonly response: ReceivedResponse;
  /** Whether the request had a body that the recording does not have. */
  readonly lacksBody: boolean;
  /** Whether the recording has the body of the response. */
  readonly hasBody: boolean;
  /** When the response was received, in milliseconds by the clock of the client; undefined if the recording does not say it. */
  readonly end: number | undefined;
}

/** Maximum length of a URL in characters: more than servers accept. */
const maxUrl = 65_536;

/** Begins the reason for which an entry cannot be read. It names the field. */
export const unreadable = 'that cannot be read: ';

/**
 * Returns what an entry of an HTTP archive has recorded, or why it is not replayed, as the end of “12 entries: …”. A field that
 * a replay can do without may be absent, or of another type.
 */
export function readEntry(value: unknown, position: number): PackedEntry | string {
  const at = (path: string): unknown => valueAt(value, path.split('.'));
  const wrong = (path: string, expected: string): string =>
    `${unreadable}${path} is ${at(path) === undefined ? 'missing' : `not ${expected}`}`;
  const url = textOf(at('request.url')) ?? '';
  if (url.length > maxUrl) return `with a URL of more than ${formatCount(maxUrl)} characters`;
  if (!URL.canParse(url)) return wrong('request.url', 'a URL');
  const method = (textOf(at('request.method')) ?? '').trim().toUpperCase();
  if (!/^[A-Z][A-Z-]{0,31}$/.test(method)) return wrong('request.method', 'a method');
  const status = statusOf(at('response.status'));
  if (status === undefined) return wrong('response.status', 'a status');
  const sentHeaders = named(pairsOf(at('request.headers')));
  const pairs = pairsOf(at('response.headers'));
  const own = ownFields(value);
  // Other writers do not know the size of many bodies; Backlot has -1 for one that it has not recorded.
  const isLost = own !== undefined && numberOf(at('request.bodySize')) === -1;
  const entry: PackedEntry = {
    position,
    url: new URL(url),
    method,
    status,
    sentHeaders,
    receivedHeaders: named(pairs),
    hasHeaders: pairs.length > 0,
    sent: sentOf(at('request.postData')),
    hadBody: isLost || Number(sentHeaders['content-length']) > 0,
    received: receivedOf(at('response')),
    start: millisecondsOf(at('startedDateTime')),
    time: Math.max(0, numberOf(at('time')) ?? 0),
    isPassedOn: at('_fetchedViaServiceWorker') === true,
    own,
  };
  return whyLeftOut(value, entry) ?? entry;
}

/** Why an entry is not replayed although it can be read. */
function whyLeftOut(value: unknown, entry: PackedEntry): string | undefined {
  const { status, url, method, sentHeaders, own } = entry;
  const resourceType = valueAt(value, ['_resourceType']);
  if (status === 101 || resourceType === 'websocket' || /^wss?:$/.test(url.protocol))
    return 'WebSocket';
  if (!/^https?:$/.test(url.protocol)) return 'not HTTP';
  // Chromium aborts with 0, Playwright with -1. Of its own requests, Backlot says what has become of them.
  if (status <= 0 && own === undefined) return 'aborted';
  if (status === 304 || isFromCache(value)) return 'from a cache';
  if ([301, 302, 307, 308].includes(status)) return 'redirected';
  if (method === 'OPTIONS' && 'access-control-request-method' in sentHeaders)
    return 'preflight of CORS';
  return undefined;
}

/** Whether no request was sent. Firefox has `afterRequest` in the entries of its cache only. */
function isFromCache(value: unknown): boolean {
  const cache = valueAt(value, ['cache']);
  const worker = textOf(valueAt(value, ['_serviceWorkerResponseSource'])) ?? '';
  return (
    (isObject(cache) && 'afterRequest' in cache) ||
    Boolean(valueAt(value, ['_fromCache'])) ||
    ['cache-storage', 'http-cache'].includes(worker)
  );
}

function sentOf(postData: unknown): PackedEntry['sent'] {
  if (typeof postData === 'string') return { ...packedBody({ text: postData }), params: [] };
  if (!isObject(postData)) return undefined;
  return { ...packedBody(postData), params: pairsOf(postData['params']) };
}

function receivedOf(response: unknown): PackedEntry['received'] {
  const content = valueAt(response, ['content']);
  const sizes = [valueAt(content, ['size']), valueAt(response, ['bodySize'])].map(numberOf);
  const size = Math.max(...sizes.map((one) => one ?? -1));
  return { ...packedBody(content), size: size < 0 ? undefined : size };
}

function packedBody(content: unknown): PackedBody {
  const [text, type] = ['text', 'mimeType'].map((name) => valueAt(content, [name]));
  return {
    // Some writers have parsed it.
    text: isObject(text) ? JSON.stringify(text) : textOf(text),
    isBase64: /^base64$/i.test(textOf(valueAt(content, ['encoding'])) ?? ''),
    file: textOf(valueAt(content, ['_file'])),
    mimeType: type === '' ? undefined : textOf(type),
  };
}

/** What an export of a history has: see `HarEntry`. */
function ownFields(value: unknown): OwnFields | undefined {
  if (numberOf(valueAt(value, ['_id'])) === undefined) return undefined;
  const [at, state] = ['startedDateTime', '_state'].map((name) => textOf(valueAt(value, [name])));
  const time = millisecondsOf(at);
  if (time === undefined || state === undefined) return undefined;
  return {
    at: new Date(time).toISOString(),
    received: millisecondsOf(valueAt(value, ['_received'])),
    before: valueAt(value, ['_before']),
    isDelivered: state === 'sent' || state === 'dropped',
    isInjected: ['_faults', '_prefer'].some((name) => valueAt(value, [name]) !== undefined),
  };
}

function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}

function numberOf(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

/** Some writers have `"200"`, or `"200 OK"`. */
function statusOf(value: unknown): number | undefined {
  const [digits] = /^-?\d{1,3}\b/.exec(textOf(value)?.trim() ?? '') ?? [];
  return digits === undefined ? undefined : Number(digits);
}

/** Before it, a number has seconds, in milliseconds since 1970: March 1973. */
const firstMilliseconds = 1e11;

/** Returns the milliseconds of a date, or of a number of milliseconds or seconds since 1970. */
function millisecondsOf(value: unknown): number | undefined {
  const number = numberOf(value);
  const time =
    number === undefined
      ? Date.parse(textOf(value) ?? '')
      : number < firstMilliseconds
        ? number * 1000
        : number;
  return Math.abs(time) <= 8.64e15 ? time : undefined;
}

/** Returns the pairs of a list, or of an object, that have a name and a value. */
function pairsOf(list: unknown): Pairs {
  if (!isObject(list)) return [];
  const pairs = Array.isArray(list)
    ? list.map((one) => [valueAt(one, ['name']), valueAt(one, ['value'])])
    : Object.entries(list);
  return pairs.flatMap(([name, value]) => {
    const text = Array.isArray(value) ? value.map(textOf).join(', ') : textOf(value);
    return typeof name === 'string' && text !== undefined ? [[name, text] as const] : [];
  });
}

/** Returns headers by their names in lower case, without the pseudo-headers of HTTP/2. */
function named(headers: Pairs): Record<string, string> {
  const fields = headers.filter(([name]) => !name.startsWith(':'));
  return Object.fromEntries(fields.map(([name, value]) => [name.toLowerCase(), value]));
}
