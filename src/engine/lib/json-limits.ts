import { thrownMessage } from './thrown.ts';

const mebibyte = 1_048_576;

/** Limits of a JSON text: its length when it is unpacked, how deep it is nested, and how many values it has. */
export interface JsonLimits {
  readonly bytes: number;
  readonly depth: number;
  readonly values: number;
}

/** The limits of JSON texts that others have written, by what they are. */
export const jsonLimits = {
  /** A response of a server: enough for a page of 500 orders. */
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
  /** A trace or an export, also as the body of an import: more than the largest scenario has. */
  trace: { bytes: 64 * mebibyte, depth: 200, values: 10_000_000 },
} as const satisfies Readonly<Record<string, JsonLimits>>;

/** A text that others have written exceeds a limit, or is not JSON. The message has no full stop at its end. */
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
 * Returns the limit that a JSON text exceeds, before it is parsed: values take up to 40 times the memory of their text, and
 * functions that call themselves for each level end in a stack overflow.
 *
 * @returns the end of a sentence about the text; undefined for a text that can be parsed
 */
export function jsonExcess(
  text: string,
  { depth: maxDepth, values: maxValues }: Omit<JsonLimits, 'bytes'> = jsonLimits.response,
): string | undefined {
  if (!/^\uFEFF?\s*[[{]/.test(text)) return undefined;
  let [depth, values] = [0, 1];
  const mark = /[",[\]{}]/g;
  for (let found = mark.exec(text); found !== null; found = mark.exec(text)) {
    const [character] = found;
    if (character === '"') mark.lastIndex = endOfText(text, found.index) + 1;
    else if (character === ',') values += 1;
    else if (character === '[' || character === '{') {
      values += 1;
      depth += 1;
      if (depth > maxDepth) return `is nested more than ${maxDepth} levels deep`;
    } else depth -= 1;
    if (values > maxValues) return `has more than ${maxValues} values`;
  }
  return undefined;
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
