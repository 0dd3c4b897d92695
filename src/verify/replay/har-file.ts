import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { createGunzip } from 'node:zlib';
import { jsonExcess, jsonLimits, type JsonLimits } from '../../engine/lib/json-limits.ts';
import { isObject, parseJson } from '../../engine/lib/json-value.ts';
import { formatCount } from '../../engine/lib/problem.ts';

/** A recording cannot be replayed. The message states why, in one sentence. */
export class RecordingError extends Error {
  override readonly name = 'RecordingError';
}

/** A recording: the path of its file, or what a server has received of a client. */
export type Recording = string | ReceivedRecording;

export interface ReceivedRecording {
  /** The name for messages. */
  readonly name: string;
  /** Its bytes. */
  readonly chunks: readonly Uint8Array[];
  /** Is called between two steps that take time, and waited for: others may have their turn. */
  readonly pause: () => Promise<void>;
}

/** Lets others have their turn, where there are others. */
export async function pauseOf(recording: Recording): Promise<void> {
  if (typeof recording !== 'string') await recording.pause();
}

/** Returns what messages call a recording. */
export function nameOf(recording: Recording): string {
  return typeof recording === 'string' ? recording : recording.name;
}

/** An entry of a file: its value, or why it could not be read. */
export type ReadEntry = { readonly value: unknown } | { readonly leftOut: string };

const mebibyte = 1_048_576;

/** Maximum number of entries where others wait: they are sorted at once. */
const maxEntries = 50_000;

/** The bytes that are decoded and searched at once. */
const maxPiece = 65_536;

/** Whether a file begins as an HTTP archive does, compressed or not. */
export async function isHar(file: string): Promise<boolean> {
  if (/\.har(\.gz)?$/i.test(file)) return true;
  const { bytesRead, buffer } = await firstBytes(file, 256);
  return /^\uFEFF?\s*\{\s*"log"\s*:/.test(buffer.toString('utf8', 0, bytesRead));
}

/**
 * Reads the entries of an HTTP archive, in their order, with one of them in memory at a time.
 *
 * @param recording a file has JSON in UTF-8, or the same compressed by gzip
 * @throws RecordingError for a file that is no archive, or only a part of one
 */
export async function* readHar(recording: Recording): AsyncGenerator<ReadEntry> {
  if (typeof recording === 'string') {
    const scanner = new EntryScanner(recording, jsonLimits.entry);
    yield* readPieces(scanner, bytesOf(recording), recording);
    return;
  }
  const { name, chunks, pause } = recording;
  const scanner = new EntryScanner(name, jsonLimits.entryBesideOthers);
  let count = 0;
  for await (const entry of readPieces(scanner, piecesOf(chunks), name, pause)) {
    count += 1;
    if (count > maxEntries)
      throw new RecordingError(
        `${name} has more than ${formatCount(maxEntries)} entries. Replay it by the command: npx backlot replay shop.har.`,
      );
    yield entry;
    await pause();
  }
}

function* piecesOf(chunks: readonly Uint8Array[]): Generator<Uint8Array> {
  for (const chunk of chunks)
    for (let at = 0; at < chunk.length; at += maxPiece) yield chunk.subarray(at, at + maxPiece);
}

async function* readPieces(
  scanner: EntryScanner,
  pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  name: string,
  pause: () => Promise<void> | undefined = () => undefined,
): AsyncGenerator<ReadEntry> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    for await (const piece of pieces) {
      for (const text of scanner.read(decoder.decode(piece, { stream: true }))) {
        await pause();
        yield scanner.parsed(text);
      }
      await pause();
    }
    for (const text of scanner.read(decoder.decode())) yield scanner.parsed(text);
  } catch (error) {
    if (error instanceof RecordingError || !isObject(error) || !('code' in error)) throw error;
    if (error['code'] === 'ERR_ENCODING_INVALID_ENCODED_DATA')
      throw new RecordingError(`${name} is not UTF-8. Save it as UTF-8.`);
    if (error['code'] === 'Z_BUF_ERROR') throw scanner.cutOff();
    throw new RecordingError(`Cannot read ${name}: ${String(error['message'])}.`);
  }
  scanner.end();
}

/** Returns the bytes of a file, unpacked. */
async function* bytesOf(file: string): AsyncGenerator<Uint8Array> {
  const { buffer } = await firstBytes(file, 2);
  const kind = buffer.toString('latin1');
  if (kind === 'PK')
    throw new RecordingError(`${file} is a zip archive. Unpack it, and pass the .har file in it.`);
  if (kind === '\xFF\xFE' || kind === '\xFE\xFF')
    throw new RecordingError(`${file} is UTF-16. Save it as UTF-8.`);
  const bytes = createReadStream(file);
  const plain = kind === '\x1F\x8B' ? bytes.pipe(createGunzip()) : bytes;
  bytes.once('error', (error) => plain.destroy(error));
  try {
    for await (const chunk of plain) yield chunk as Buffer;
  } finally {
    bytes.destroy();
  }
}

async function firstBytes(
  file: string,
  length: number,
): Promise<{ readonly bytesRead: number; readonly buffer: Buffer }> {
  const handle = await open(file);
  try {
    return await handle.read(Buffer.alloc(length), 0, length, 0);
  } finally {
    await handle.close();
  }
}

/** The levels of an archive: `{ "log": { "entries": [ { …` */
const [inLog, inEntries] = [2, 3];

/** Maximum depth of lists and objects, wherever they are. Entries have less. */
const maxDepth = 1000;

/** Number of characters that are read of a name. `entries` is the longest one that has a meaning. */
const maxName = 16;

const mark = /["{}[\]]/g;

/** Returns the position of the next character that begins or ends a text, a list or an object; the length if there is none. */
function nextMark(chunk: string, from: number): number {
  mark.lastIndex = from;
  return mark.exec(chunk)?.index ?? chunk.length;
}

/** Finds the entries in the text of an archive, chunk by chunk. Only their texts are parsed. */
class EntryScanner {
  readonly #file: string;
  readonly #limits: JsonLimits;
  #depth = 0;
  #isText = false;
  #isEscaped = false;
  /** The last text outside of entries: the name of the value that follows. */
  #name = '';
  #isLog = false;
  /** Whether the text is in the list of entries; undefined before that. */
  #isEntries: boolean | undefined;
  /** The text of an entry from earlier chunks; undefined outside of entries. */
  #entry: string | undefined;
  /** Whether the text is in an entry that is no object. */
  #isOther = false;
  #count = 0;

  constructor(file: string, limits: JsonLimits) {
    this.#file = file;
    this.#limits = limits;
  }

  /** Returns the texts of the entries that end in a chunk; `null` for an entry that is no object. */
  *read(chunk: string): Generator<string> {
    let start = 0;
    let at = this.#isText ? this.#endText(chunk, 0) : 0;
    while (at < chunk.length) {
      const next = nextMark(chunk, at);
      if (this.#depth === 0 && chunk.slice(at, next).trim() !== '') throw this.#noHar();
      const character = chunk[next];
      if (this.#isBetweenEntries()) yield* this.#others(chunk.slice(at, next + 1));
      at = next + 1;
      if (character === '"') {
        [this.#isText, this.#name] = [true, ''];
        at = this.#endText(chunk, at);
      } else if (character === '{' || character === '[') {
        if (this.#open(character)) start = next;
      } else if (character !== undefined) {
        if (this.#depth === 0) throw this.#noHar();
        this.#depth -= 1;
        if (this.#entry !== undefined && this.#depth === inEntries) {
          const text = this.#entry + chunk.slice(start, at);
          this.#entry = undefined;
          this.#count += 1;
          yield text;
        } else if (this.#depth === inLog && this.#isEntries === true) this.#isEntries = false;
      }
    }
    if (this.#entry !== undefined && this.#entry.length <= this.#limits.bytes)
      this.#entry += chunk.slice(start);
  }

  #isBetweenEntries(): boolean {
    return this.#depth === inEntries && this.#isEntries === true && this.#entry === undefined;
  }

  /** Counts entries that are no objects: of `, null, "", ` two. */
  *#others(between: string): Generator<string> {
    for (const [part] of between.matchAll(/,|[^\s,{}[\]]+/g)) {
      if (part !== ',' && !this.#isOther) {
        this.#count += 1;
        yield 'null';
      }
      this.#isOther = part !== ',';
    }
  }

  /** Returns the position after the quote that ends a text, or the length of the chunk. */
  #endText(chunk: string, start: number): number {
    let from = this.#isEscaped ? start + 1 : start;
    this.#isEscaped = false;
    for (;;) {
      const quote = chunk.indexOf('"', from);
      const end = quote === -1 ? chunk.length : quote;
      let slashes = 0;
      while (end - slashes > from && chunk[end - slashes - 1] === '\\') slashes += 1;
      const isEscaped = slashes % 2 === 1;
      if (quote !== -1 && isEscaped) from = quote + 1;
      else {
        // Only short names have a meaning.
        if (this.#depth < inEntries && this.#name.length < maxName)
          this.#name += chunk.slice(start, Math.min(end, start + maxName));
        [this.#isText, this.#isEscaped] = [quote === -1, isEscaped];
        return quote === -1 ? chunk.length : quote + 1;
      }
    }
  }

  /** Returns whether an entry begins. */
  #open(character: string): boolean {
    this.#depth += 1;
    if (this.#depth > maxDepth)
      throw new RecordingError(
        `${this.#file} is nested more than ${formatCount(maxDepth)} levels deep.`,
      );
    if (this.#depth === inLog) this.#isLog = character === '{' && this.#name === 'log';
    if (this.#depth === inEntries && this.#isLog && this.#name === 'entries')
      this.#isEntries ??= character === '[';
    const begins = this.#depth === inEntries + 1 && this.#isEntries === true && !this.#isOther;
    if (begins) this.#entry = '';
    return begins;
  }

  /** @throws RecordingError for the text of an entry that is not JSON */
  parsed(text: string): ReadEntry {
    const { bytes: max } = this.#limits;
    if (text.length > max) return { leftOut: `larger than ${max / mebibyte} MiB` };
    const excess = jsonExcess(text, this.#limits);
    if (excess !== undefined) return { leftOut: `that ${excess}` };
    const value = parseJson(text);
    if (value === undefined)
      throw new RecordingError(`${this.#file} is damaged: entry ${this.#count} is not JSON.`);
    return { value };
  }

  /** @throws RecordingError if the text was no archive, or only a part of one */
  end(): void {
    if (this.#depth > 0) throw this.cutOff();
    if (this.#isEntries === undefined) throw this.#noHar();
  }

  cutOff(): RecordingError {
    return new RecordingError(
      `${this.#file} is cut off after entry ${this.#count}. Record it again.`,
    );
  }

  #noHar(): RecordingError {
    return new RecordingError(`${this.#file} is no HTTP archive (HAR): it has no log.entries.`);
  }
}
