import { formatCount } from './problem.ts';
import { thrownMessage } from './thrown.ts';

const mebibyte = 1_048_576;

/** Limits of a JSON text. */
export interface JsonLimits {
  /** Its length when it is unpacked. */
  readonly bytes: number;
  /** How deep lists and objects are nested. */
  readonly depth: number;
  /** Number of values in lists and objects, at all levels. */
  readonly values: number;
  /** Number of members of an object. */
  readonly members?: number;
  /** Number of different names of members. */
  readonly names?: number;
}

/** The limits of JSON texts that others have written, by what they are. */
export const jsonLimits = {
  /** A response of a server to `verify` or `pull`: enough for a page of 500 orders. */
  response: { bytes: 2 * mebibyte, depth: 100, values: 100_000 },
  /** A body that `backlot proxy` forwards and checks, and one of a server that `backlot tail` follows. */
  exchange: { bytes: 8 * mebibyte, depth: 100, values: 100_000 },
  /** A body in a recording. */
  body: { bytes: 16 * mebibyte, depth: 100, values: 100_000 },
  /** The same where others wait for the replay: what each step takes is bounded. */
  bodyBesideOthers: { bytes: mebibyte, depth: 100, values: 50_000 },
  /** An entry of a recording: a request, a response and what their writer adds. */
  entry: { bytes: 16 * mebibyte, depth: 64, values: 200_000 },
  /** The same where others wait for the replay. */
  entryBesideOthers: { bytes: 4 * mebibyte, depth: 64, values: 50_000 },
  /** What a command of Backlot has written for another one: a baseline, findings of chaos, contract coverage. */
  report: { bytes: 16 * mebibyte, depth: 100, values: 100_000 },
  /** A scenario or its records, the settings of a server, an OpenAPI document. */
  scenario: { bytes: 64 * mebibyte, depth: 200, values: 10_000_000 },
  /** The body of a request. The response body of a fault may have a long list. */
  request: { bytes: mebibyte, depth: 64, values: 20_000 },
  /** The body of an import, which has one value for each 8 characters at most, if it has more values than these. */
  import: { bytes: 64 * mebibyte, depth: 64, values: 200_000, members: 1000, names: 20_000 },
  /** A trace or an export, and each response of the server of a test: more than the largest scenario has. */
  trace: { bytes: 64 * mebibyte, depth: 200, values: 10_000_000 },
} as const satisfies Readonly<Record<string, JsonLimits>>;

/** A text that others have written exceeds a limit, or is not what its reader expects. The message has no full stop at its end. */
export class ForeignTextError extends Error {
  override readonly name = 'ForeignTextError';
}

/** Checks the size of a text, before it is read. @param name begins the message: `The file` */
export function assertSize(name: string, bytes: number, max: number): void {
  if (bytes <= max) return;
  throw new ForeignTextError(
    `${name} must be at most ${inMebibytes(max)}, is ${inMebibytes(bytes)}`,
  );
}

/** The same for a text whose size is known when it has been read. @param bytes what has been read of it */
export function assertRead(name: string, bytes: number, max: number): void {
  if (bytes > max) throw new ForeignTextError(`${name} is larger than ${inMebibytes(max)}`);
}

function inMebibytes(bytes: number): string {
  return `${(Math.ceil((bytes / mebibyte) * 10) / 10).toLocaleString('en')} MiB`;
}

/**
 * Parses a JSON text that others have written.
 *
 * @param name begins messages: `The file`
 * @throws ForeignTextError for a text that exceeds a limit, or is not JSON
 */
export function parseForeignJson(text: string, name: string, limits: JsonLimits): unknown {
  assertSize(name, text.length, limits.bytes);
  const excess = jsonExcess(text, limits);
  if (excess !== undefined) throw new ForeignTextError(`${name} ${excess}`);
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new ForeignTextError(`${name} is not JSON: ${thrownMessage(error)}`);
  }
}

/**
 * Returns the limit that a JSON text exceeds, before it is parsed: values take up to 40 times the memory of their text, an object
 * with many names is slow to parse and to iterate, and functions that call themselves for each level end in a stack overflow.
 *
 * @returns the end of a sentence about the text; undefined for a text that can be parsed
 */
export function jsonExcess(
  text: string,
  limits: Omit<JsonLimits, 'bytes'> = jsonLimits.response,
): string | undefined {
  if (!/^\uFEFF?\s*[[{]/.test(text)) return undefined;
  const { depth, values: maxValues, members = Infinity, names = Infinity } = limits;
  /** The number of commas in each list and object around the current one. */
  const around: number[] = [];
  const known = new Set<string>();
  let [commas, values, previous] = [0, 0, 0];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code <= space) continue;
    if (code === quote) {
      const end = endOfText(text, at);
      if (names !== Infinity && isName(text, end)) known.add(text.slice(at + 1, end));
      if (known.size > names) return `has more than ${formatCount(names)} different names`;
      at = end;
    } else if (code === comma) {
      commas += 1;
      values += 1;
    } else if (code === listStart || code === objectStart) {
      values += 1;
      if (around.push(commas) > depth) return `is nested more than ${depth} levels deep`;
      commas = 0;
    } else if (code === listEnd || code === objectEnd) {
      if (previous === listStart || previous === objectStart) values -= 1;
      if (code === objectEnd && commas >= members)
        return `has an object of more than ${formatCount(members)} members`;
      commas = around.pop() ?? 0;
    }
    if (values > maxValues) return `has more than ${formatCount(maxValues)} values`;
    previous = code;
  }
  return undefined;
}

const [space, quote, comma, colon] = [32, 34, 44, 58];
const [listStart, listEnd, objectStart, objectEnd] = [91, 93, 123, 125];

/** Whether the text that ends at a position is the name of a member. */
function isName(text: string, end: number): boolean {
  let at = end + 1;
  while (text.charCodeAt(at) <= space) at += 1;
  return text.charCodeAt(at) === colon;
}

/** Returns the position of the quote that ends a text, or the length of the whole. @param start the position of the first one */
export function endOfText(text: string, start: number): number {
  let from = start + 1;
  for (;;) {
    const end = text.indexOf('"', from);
    if (end === -1) return text.length;
    let slashes = 0;
    while (end - slashes > from && text.charCodeAt(end - slashes - 1) === backslash) slashes += 1;
    if (slashes % 2 === 0) return end;
    from = end + 1;
  }
}

const backslash = 0x5c;
