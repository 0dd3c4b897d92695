import { trimSlashes, parsedUrl } from '../../lib/api-path.ts';
import type { JournalEntry } from '../../journal/recorded-exchange.ts';
import { isCardNumber, testCard } from '../../lib/card-number.ts';
import { toDate } from '../../lib/duration.ts';
import { isObject, mapValues, valueAt } from '../../lib/json-value.ts';
import { bracketPairs } from '../../rest/body.ts';
import { commentOf, keyOf, printableJson, sourceOf } from './source-text.ts';

/** A recorded request as a client can send it again. */
export interface SentRequest {
  readonly method: string;
  /** With its origin. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  /** Whether a secret is missing. */
  readonly hasSecret: boolean;
  /** The reason for which the body is missing, if it is. */
  readonly leftOut: string | undefined;
  /** Whether the session is not named. */
  readonly isAnonymous: boolean;
}

/** The server to send a recorded request to. */
export interface SendTarget {
  /** URL of the server, or a path below the address of the request, `/shop` (default: that of the request, or else the default address). */
  readonly address?: string | undefined;
  /** Whether to name the session (default: true). */
  readonly withSession?: boolean | undefined;
}

/** Stands for each secret. */
export const notRecorded = 'SECRET-NOT-RECORDED';

/** The address of a server in texts, if a recorded request names none. */
export const defaultAddress = 'http://127.0.0.1:4000';

/** Headers that a client adds by itself, or that only tell where a request came from. */
const ownHeaders =
  /^(host|connection|keep-alive|content-length|transfer-encoding|te|trailer|upgrade|expect|content-encoding|proxy-.*|accept-(encoding|language|charset)|user-agent|cookie|origin|referer|dnt|pragma|cache-control|priority|upgrade-insecure-requests|via|forwarded|x-forwarded-.*|x-real-ip|x-backlot-actor|sec-.*)$/;

/** Returns a recorded request with a placeholder for each secret. */
export function sentRequest(entry: JournalEntry, target: SendTarget = {}): SentRequest {
  const { method, request } = entry;
  const [path = ''] = entry.url.split('#', 1);
  const { url, isShown } = withPlaceholder(`${addressOf(entry, target)}${path}`);
  const headers = headersOf(entry);
  if (target.withSession === false) delete headers[sessionHeader];
  const body = isWithoutBody(method) ? undefined : bodyOf(request.body, headers);
  const texts = [...Object.values(headers), ...(body === undefined ? [] : [body])];
  return {
    method,
    url,
    headers,
    body,
    hasSecret: isShown || texts.some((text) => text.includes(notRecorded)),
    leftOut: request.left_out,
    isAnonymous: target.withSession === false && entry.session !== undefined,
  };
}

export const sessionHeader = 'x-backlot-session';

/** Returns the URL in front of the path of a request. */
export function addressOf(
  { session, request: { headers } }: JournalEntry,
  { address, withSession = true }: SendTarget = {},
): string {
  const scheme = headers['x-forwarded-proto'] === 'https' ? 'https' : 'http';
  const { host = '' } = headers;
  const own = isHost(host) ? `${scheme}://${host}` : defaultAddress;
  const base =
    address === undefined || address.startsWith('/') ? `${own}${address ?? ''}` : address;
  const isNamed = !withSession || session === undefined || headers[sessionHeader] !== undefined;
  return `${trimSlashes(base)}${isNamed ? '' : `/s/${encodeURIComponent(session)}`}`;
}

/** Whether a URL can have a host: a client may send any text as `Host`. */
function isHost(host: string): boolean {
  return (
    /^([\w.-]+|\[[\da-f:.]+\])(:\d+)?$/i.test(host) && parsedUrl(`http://${host}`) !== undefined
  );
}

/** Servers do not read the body of such a request, and most clients do not send it. */
function isWithoutBody(method: string): boolean {
  return method === 'GET' || method === 'HEAD';
}

/** Returns the headers that matter to the back office. A multipart body is sent as a form. */
export function headersOf({ method, request }: JournalEntry): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(request.headers)) {
    if (ownHeaders.test(name) || (name === 'accept' && value === '*/*')) continue;
    headers[name] = withPlaceholder(value).url;
  }
  const type = headers['content-type'] ?? '';
  if (request.body === undefined || isWithoutBody(method)) delete headers['content-type'];
  else if (type === '') headers['content-type'] = 'application/json';
  else if (type.startsWith('multipart/')) headers['content-type'] = formType;
  return headers;
}

const formType = 'application/x-www-form-urlencoded';

/** Returns the parameters of a body as JSON or as a form, depending on the headers. */
function bodyOf(
  parameters: unknown,
  headers: Readonly<Record<string, string>>,
): string | undefined {
  if (parameters === undefined) return undefined;
  const shown = replaceSecrets(parameters, () => notRecorded);
  if (headers['content-type']?.includes(formType) !== true) return printableJson(shown);
  return new URLSearchParams(bracketPairs(shown)).toString();
}

/**
 * Returns the body of a recorded request as it can be sent again, with others in the place of its secrets.
 *
 * @param entry with its response, which may have refused one of them
 */
export function bodyToSend(
  { request, answer, at }: RecordedBodies,
  headers: Readonly<Record<string, string>>,
  testCards: readonly string[],
): string | undefined {
  const filled = replaceSecrets(request.body, (path, masked) =>
    hasErrorAt(answer.body, path) ? '-' : substituteFor(path.at(-1) ?? '', masked, at, testCards),
  );
  return bodyOf(filled, headers);
}

interface RecordedBodies extends Pick<JournalEntry, 'at'> {
  readonly request: { readonly body?: unknown };
  readonly answer: Pick<JournalEntry['answer'], 'body'>;
}

/** Whether the error tree of a response has an error at a path. */
function hasErrorAt(body: unknown, path: readonly string[]): boolean {
  return Array.isArray(
    valueAt(body, ['errors', ...path.flatMap((name) => ['children', name]), 'errors']),
  );
}

function substituteFor(
  name: string,
  masked: string,
  at: string,
  testCards: readonly string[],
): string | number {
  if (/number/i.test(name))
    return cardEndingIn(masked.replaceAll('*', ''), masked.length, testCards);
  if (/month/i.test(name)) return 12;
  if (/year/i.test(name)) return toDate(at).getUTCFullYear() + 2;
  if (/cvv|cvc|csc|cid|code/i.test(name)) return '123';
  return /holder/i.test(name) ? 'Ada Novak' : 'a-secret-word';
}

/** Returns a test card, or else any valid card number, with these last digits. */
function cardEndingIn(digits: string, length: number, testCards: readonly string[]): string {
  const known = testCards.find((number) => number.endsWith(digits));
  if (known !== undefined) return known;
  const fill = '0'.repeat(Math.max(0, length - digits.length - 2));
  const numbers = Array.from({ length: 10 }, (_, digit) => `4${fill}${digit}${digits}`);
  return numbers.find(isCardNumber) ?? testCard;
}

/** Returns a recorded body of a response as the text that it was. */
export function responseText(body: unknown): string | undefined {
  return body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
}

/** Returns a tree with another value for each masked one. */
function replaceSecrets(
  value: unknown,
  replace: (path: readonly string[], masked: string) => unknown,
  path: readonly string[] = [],
): unknown {
  if (typeof value === 'string') return isMasked.test(value) ? replace(path, value) : value;
  if (!isObject(value)) return value;
  if (Array.isArray(value))
    return value.map((one, at) => replaceSecrets(one, replace, [...path, String(at)]));
  return mapValues(value, (one, name) => replaceSecrets(one, replace, [...path, name]));
}

/** `***`, a card number, `************4242`, or what exports have in their place. */
const isMasked = new RegExp(`^(?:\\*{3,}\\d{0,4}|${notRecorded})$`);

function withPlaceholder(text: string): { readonly url: string; readonly isShown: boolean } {
  const url = text.replaceAll(/(\*|%2A){3,}\d{0,4}/gi, notRecorded);
  return { url, isShown: url !== text };
}

/** Returns a request as a command for a POSIX shell. */
export function curlOf({ method, url, headers, body, ...missing }: SentRequest): string {
  const parts = [
    `curl ${methodFlag(method)}${urlFlags(url)}${quoted(url)}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${quotedBytes(headerLine(name, value))}`),
    ...(body === undefined ? [] : [`--data-raw ${quoted(body)}`]),
  ];
  return [...notes(missing).map((note) => `# ${note}`), parts.join(' \\\n  ')].join('\n');
}

function methodFlag(method: string): string {
  if (method === 'GET') return '';
  return method === 'HEAD' ? '--head ' : `-X ${quoted(method)} `;
}

/** Has curl send a URL as it is: by itself, it expands lists and removes `/../`. */
function urlFlags(url: string): string {
  const hasDots = /\/(\.|%2e){1,2}(?=[/?]|$)/i.test(url);
  return `${/[[\]{}]/.test(url) ? '--globoff ' : ''}${hasDots ? '--path-as-is ' : ''}`;
}

/** curl sends an empty header only if it ends with a semicolon. */
function headerLine(name: string, value: string): string {
  return value === '' ? `${name};` : `${name}: ${value}`;
}

/** Returns a text as a word of a POSIX shell, which expands nothing within single quotes. */
export function quoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** Quotes a header. Beyond ASCII, each of its characters is a byte, as Node.js receives it; `printf` makes these. */
function quotedBytes(text: string): string {
  return quoted(text).replaceAll(
    /[\p{Cc}\u0080-\u00FF]+/gu,
    (bytes) => `'"$(printf '${octal(bytes)}')"'`,
  );
}

function octal(bytes: string): string {
  return Array.from(bytes, (byte) => `\\${byte.charCodeAt(0).toString(8).padStart(3, '0')}`).join(
    '',
  );
}

/** Returns a request as a call of `fetch`. */
export function fetchOf({ method, url, headers, body, ...missing }: SentRequest): string {
  const pairs = Object.entries(headers).map(
    ([name, value]) => `    ${keyOf(name)}: ${sourceOf(value)}`,
  );
  const init = [
    ...(method === 'GET' ? [] : [`  "method": ${sourceOf(method)}`]),
    ...(pairs.length === 0 ? [] : [`  "headers": {\n${pairs.join(',\n')}\n  }`]),
    ...(body === undefined ? [] : [`  "body": ${sourceOf(body)}`]),
  ];
  const second = init.length === 0 ? '' : `, {\n${init.join(',\n')}\n}`;
  return [
    ...notes(missing).map((note) => `// ${note}`),
    `await fetch(${sourceOf(url)}${second});`,
  ].join('\n');
}

function notes({
  hasSecret,
  leftOut,
  isAnonymous,
}: Pick<SentRequest, 'hasSecret' | 'leftOut' | 'isAnonymous'>): string[] {
  return [
    ...(hasSecret ? [`Secrets are not recorded: replace ${notRecorded}.`] : []),
    ...(leftOut === undefined ? [] : [`The body is missing: ${commentOf(leftOut)}.`]),
    ...(isAnonymous
      ? ['The session is not named, because whoever knows its name can use it.']
      : []),
  ];
}
