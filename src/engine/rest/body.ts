import { parse } from 'qs-esm';
import { jsonExcess, jsonLimits, type JsonLimits } from '../lib/json-limits.ts';
import { isObject } from '../lib/json-value.ts';
import { formatCount, Problem, truncate, beginningOf } from '../lib/problem.ts';
import type { ApiRequest, FormEntries, ReceivedFile } from './message.ts';

const json = 'application/json';
const urlEncoded = 'application/x-www-form-urlencoded';
const accepted = 'application/json, application/x-www-form-urlencoded or multipart/form-data';

/**
 * Returns the parameters of a body as one tree: of JSON, nested or with flat bracket keys; of a URL-encoded or multipart
 * form. A request without a body has no parameters.
 *
 * @throws Problem `malformed` for a body that cannot be parsed or has too many parameters; `unsupported` for another
 *   content type
 */
export function parseBody(request: ApiRequest): Readonly<Record<string, unknown>> {
  const { body, headers } = request;
  if (body === undefined || body.length === 0) return {};
  const type = mediaType(headers['content-type']);
  if (isJson(type)) return nestBrackets(parseJson(body, jsonLimits.request));
  if (type === urlEncoded) return parseBrackets(textOf(body));
  if (type === 'multipart/form-data') {
    if (typeof body === 'string') throw invalidMultipart();
    return parseEntries(body);
  }
  throw new Problem(
    'unsupported',
    type === ''
      ? `A body requires a content-type: ${accepted}.`
      : `The content type ${truncate(type)} is not supported; send ${accepted}.`,
  );
}

/**
 * Returns the content of a body that is a JSON file, such as an export. Bracket keys are not expanded. The maximum
 * number of values grows with the length of the file.
 *
 * @throws Problem as `parseBody`; `unsupported` for a body that is not sent as JSON
 */
export function parseFile(request: ApiRequest): Readonly<Record<string, unknown>> {
  const { body = '' } = request;
  if (body.length === 0 && request.unreadable === undefined) return {};
  assertFile(request);
  const dense = Math.floor(body.length / minCharactersPerValue);
  return parseJson(body, {
    ...jsonLimits.import,
    values: Math.max(jsonLimits.import.values, dense),
  });
}

/** Returns a body that is a JSON file, as it was received. @throws Problem as `parseFile`, for one that the host has read */
export function receivedFile(request: ApiRequest): ReceivedFile {
  const { body = '', file } = request;
  if (file === undefined) {
    const content = parseFile(request);
    return { chunks: [new TextEncoder().encode(textOf(body))], elapsed: 0, content };
  }
  assertFile(request);
  return file;
}

function assertFile({ headers, unreadable: problem }: ApiRequest): void {
  const type = mediaType(headers['content-type']);
  if (!isJson(type)) {
    throw new Problem(
      'unsupported',
      `The file was sent as ${truncate(type) || 'no content type'}; send it with the content-type ${json}.`,
    );
  }
  if (problem !== undefined) throw problem;
}

/** Returns a content type in lower case and without its parameters. */
function mediaType(header = ''): string {
  if (header === json) return json;
  const end = header.indexOf(';');
  return (end === -1 ? header : header.slice(0, end)).trim().toLowerCase();
}

function isJson(type: string): boolean {
  return type === json || type.endsWith('+json');
}

/** Decodes UTF-8, without a byte order mark. Returns undefined for other bytes if it is strict. */
export type DecodeUtf8 = (bytes: Uint8Array, isStrict: boolean) => string | undefined;

/**
 * Decodes the bytes of a body for `parseBody`: to text, or to the entries of a multipart form. JSON (RFC 8259, section
 * 8.1) and forms must be UTF-8.
 *
 * @param decode (default: by `TextDecoder`)
 * @throws Problem `malformed` for JSON or a form that is not UTF-8; rejects with it for an invalid multipart form
 */
export function readBody(
  bytes: Uint8Array,
  contentType: string,
  decode: DecodeUtf8 = decodeUtf8,
): string | Promise<FormEntries> {
  const type = mediaType(contentType);
  if (type === 'multipart/form-data' && bytes.length > 0)
    return parseMultipart(bytes, contentType, (body) => decode(body, true) !== undefined);
  const text = decode(bytes, isJson(type) || type === urlEncoded);
  if (text === undefined) throw isJson(type) ? invalidJson() : notUtf8('the form');
  return text;
}

function decodeUtf8(bytes: Uint8Array, isStrict: boolean): string | undefined {
  try {
    return (isStrict ? strictUtf8 : utf8).decode(bytes);
  } catch {
    return undefined;
  }
}

const utf8 = new TextDecoder();
const strictUtf8 = new TextDecoder('utf-8', { fatal: true });

/** Parses a multipart body with the parser of the platform. The content of files may be any bytes. */
async function parseMultipart(
  body: Uint8Array,
  contentType: string,
  isUtf8: (body: Uint8Array) => boolean,
): Promise<FormEntries> {
  assertFewParameters(countParts(body, contentType));
  const parts = await partsOf(body, contentType);
  const replaced = parts.find(({ name, value, file }) => hasReplacement([name, file ?? value]));
  if (replaced !== undefined && !isUtf8(body)) throw notUtf8(truncate(replaced.name));
  return parts.map(({ name, value }) => [name, value]);
}

interface Part {
  readonly name: string;
  readonly value: string;
  /** The name of its file. */
  readonly file: string | undefined;
}

async function partsOf(body: Uint8Array, contentType: string): Promise<readonly Part[]> {
  try {
    const data = await new Response(new Uint8Array(body), {
      headers: { 'content-type': contentType },
    }).formData();
    return await Promise.all(
      Array.from(data, async ([name, value]) =>
        typeof value === 'string'
          ? { name, value, file: undefined }
          : { name, value: await value.text(), file: value.name },
      ),
    );
  } catch {
    throw invalidMultipart();
  }
}

function invalidMultipart(): Problem {
  return new Problem('malformed', 'Invalid multipart message received');
}

/** Whether a text has U+FFFD, by which decoders replace what is not UTF-8. A client may have sent it, too. */
function hasReplacement(texts: readonly string[]): boolean {
  return texts.some((one) => one.includes('\uFFFD'));
}

/** Returns the number of parts in a multipart body. It is checked first, because parsing many parts is slow. */
function countParts(body: Uint8Array, contentType: string): number {
  const [, quoted, plain = ''] = /boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(contentType) ?? [];
  return countOf(latin1.decode(body), `\r\n--${quoted ?? plain}`);
}

const latin1 = new TextDecoder('latin1');

/**
 * Parses a query string or a URL-encoded body: `a=1&b[c]=2`.
 *
 * @throws Problem `malformed` for too many parameters, too many brackets in a name, or escapes that are not UTF-8
 */
export function parseBrackets(text: string): Readonly<Record<string, unknown>> {
  if (text === '') return {};
  assertFewParameters(countOf(text, '&') + 1);
  const entries = [...new URLSearchParams(text)];
  if (entries.some(hasReplacement)) assertUtf8(text);
  return parseEntries(entries);
}

function assertUtf8(text: string): void {
  const wrong = text.split('&').find((pair) => !isUtf8Escaped(pair));
  if (wrong !== undefined) throw notUtf8(truncate(wrong.replace(/=.*/s, '')));
}

function isUtf8Escaped(text: string): boolean {
  try {
    // A `%` without two digits stands for itself.
    decodeURIComponent(text.replaceAll(/%(?![\da-f]{2})/gi, '%25'));
    return text.isWellFormed();
  } catch {
    return false;
  }
}

/** The limit of PHP for a form (`max_input_vars`). */
const maxParameters = 1000;
/** A value and its name have about twelve characters in an export. Dense lists are the slowest to parse. */
const minCharactersPerValue = 8;
/** Maximum number of pairs of brackets in a name. */
const maxBrackets = 8;

/**
 * Expands flat bracket keys, `a[b]`, into a tree.
 *
 * @throws Problem `malformed` as `parseBrackets`
 */
export function nestBrackets(
  flat: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const names = Object.keys(flat);
  if (!names.some(isBracketed)) return flat;
  assertFewParameters(names.length);
  const deep = names.find((name) => name.split('[').length > maxBrackets + 1);
  if (deep !== undefined) {
    throw unreadable(`${beginningOf(deep, 80)} has more than ${maxBrackets} pairs of brackets`);
  }
  // The parser accepts objects with values of any type; its types allow strings only.
  return parse(renameProto(flat) as Record<string, string>, {
    allowPrototypes: true,
    depth: maxBrackets,
    parseArrays: false,
    plainObjects: true,
  });
}

/** Renames `__proto__`, which the parser omits silently, so that it is reported as an unknown parameter. */
function renameProto(flat: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  if (!Object.keys(flat).some((name) => name.includes('__proto__'))) return flat;
  const entries = Object.entries(flat);
  return Object.fromEntries(
    entries.map(([name, value]) => [name.replaceAll('__proto__', '(proto)'), value]),
  );
}

function isBracketed(name: string): boolean {
  return name === '' || name.includes('[');
}

function assertFewParameters(count: number): void {
  if (count <= maxParameters) return;
  throw unreadable(
    `there are ${formatCount(count)}, at most ${formatCount(maxParameters)} are accepted`,
  );
}

/** Returns the number of occurrences of a string in a text. */
function countOf(text: string, part: string): number {
  let count = 0;
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + 1)) count += 1;
  return count;
}

function unreadable(why: string): Problem {
  return new Problem('malformed', `Parameters cannot be read: ${why}`);
}

function notUtf8(what: string): Problem {
  return unreadable(`${what} is not UTF-8`);
}

function textOf(body: string | FormEntries): string {
  if (typeof body === 'string') return body;
  throw new Problem(
    'malformed',
    'Invalid message received: a multipart body under another content type',
  );
}

/**
 * Parses a JSON object after a check of its size, because a large object is slow to parse. `[]` is an object without
 * parameters: PHP has one empty array, and writes it so.
 */
function parseJson(
  body: string | FormEntries,
  limits: Omit<JsonLimits, 'bytes'>,
): Readonly<Record<string, unknown>> {
  const text = textOf(body);
  const excess = jsonExcess(text, limits);
  if (excess !== undefined) throw unreadable(`the body ${excess}`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw invalidJson();
  }
  // A half of a surrogate pair can only be written as an escape: RFC 8259, section 8.2.
  if (text.includes('\\u') && hasLoneSurrogate(value)) throw invalidJson();
  if (Array.isArray(value) && value.length === 0) return {};
  if (!isObject(value) || Array.isArray(value)) throw invalidJson();
  return value;
}

/** Whether a value of JSON has half a surrogate pair in a text or in a name. */
function hasLoneSurrogate(value: unknown): boolean {
  if (typeof value === 'string') return !value.isWellFormed();
  if (!isObject(value)) return false;
  return Object.entries(value).some(([name, one]) => !name.isWellFormed() || hasLoneSurrogate(one));
}

function invalidJson(): Problem {
  return new Problem('malformed', 'Invalid json message received');
}

/**
 * Parses the entries of a form. As in PHP, the last entry of a name counts, `a` and `a[b]` being one name. Entries whose
 * name ends with `[]` are one list.
 */
function parseEntries(entries: FormEntries): Readonly<Record<string, unknown>> {
  assertFewParameters(entries.length);
  const parameters = new Map<string, string | Map<string, string | string[]>>();
  for (const [name, value] of entries) {
    const bracket = name.indexOf('[');
    if (bracket === -1) parameters.set(name, value);
    else addBracketed(parameters, name.slice(0, bracket), [name, value]);
  }
  const flat = Array.from(parameters, ([name, value]) =>
    typeof value === 'string' ? [[name, value] as const] : [...value],
  );
  return nestBrackets(Object.fromEntries(flat.flat()));
}

function addBracketed(
  parameters: Map<string, string | Map<string, string | string[]>>,
  base: string,
  [name, value]: FormEntries[number],
): void {
  const known = parameters.get(base);
  const block = known instanceof Map ? known : new Map<string, string | string[]>();
  if (block !== known) parameters.set(base, block);
  const before = name.endsWith('[]') ? block.get(name) : undefined;
  if (Array.isArray(before)) before.push(value);
  else block.set(name, name.endsWith('[]') ? [value] : value);
}

/** Returns the pairs of a form with flat bracket keys: `items[0][variant]`, `7`. The inverse of `parseBrackets`. */
export function bracketPairs(value: unknown, name = ''): [name: string, value: string][] {
  if (typeof value !== 'object' || value === null)
    return [
      [name, typeof value === 'string' ? value : value === null ? '' : JSON.stringify(value)],
    ];
  return Object.entries(value).flatMap(([key, one]) =>
    bracketPairs(one, name === '' ? key : `${name}[${key}]`),
  );
}
