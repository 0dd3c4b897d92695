import { formatAlternatives } from '../../engine/lib/names.ts';
import { Problem, truncate } from '../../engine/lib/problem.ts';
import { bodyTooLarge } from '../../engine/rest/serve.ts';

/** Decodes the bytes of a body, to at most `limit` bytes. */
type Decode = (bytes: Uint8Array<ArrayBuffer>, limit: number) => Promise<Uint8Array>;

/** Maximum number of codings that are applied to one body. */
const maxCodings = 4;

/**
 * Returns the decoder of a body by its `Content-Encoding` (RFC 9110, section 8.4): by one coding or several. Undefined
 * if it is not encoded.
 *
 * @throws Problem `unsupported` for a coding that this host does not know
 */
export function contentDecoder(header: string): Decode | undefined {
  const names = codingsIn(header);
  if (names.length === 0) return undefined;
  const known = decoders();
  const wrong = names.find((name) => !known.has(name));
  if (wrong !== undefined)
    throw unsupported(known, `the content coding ${truncate(wrong)} is not supported`);
  if (names.length > maxCodings)
    throw unsupported(
      known,
      `it has ${names.length} content codings, at most ${maxCodings} are accepted`,
    );
  return async (bytes, limit) => {
    let content: Uint8Array = bytes;
    for (const name of names.toReversed()) content = await decode(known, name, content, limit);
    return content;
  };
}

function codingsIn(header: string): string[] {
  return header
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity');
}

async function decode(
  known: ReadonlyMap<string, Decode>,
  name: string,
  content: Uint8Array,
  limit: number,
): Promise<Uint8Array> {
  try {
    return await known.get(name)!(new Uint8Array(content), limit);
  } catch (error) {
    if (error instanceof Problem) throw error;
    if (error instanceof RangeError) throw bodyTooLarge(limit);
    throw new Problem('malformed', `The body cannot be read: it is not valid ${name}.`);
  }
}

/** Returns the decoders of this host by their names in `Content-Encoding`: those of Node.js, else those of the platform. */
function decoders(): ReadonlyMap<string, Decode> {
  const isNode = typeof process !== 'undefined' && 'getBuiltinModule' in process;
  return isNode ? nodeDecoders() : platformDecoders();
}

function nodeDecoders(): ReadonlyMap<string, Decode> {
  const zlib = process.getBuiltinModule('node:zlib');
  const all = new Map<string, Decode>();
  const add = (
    names: readonly string[],
    decompress: (
      bytes: Uint8Array,
      options: { readonly maxOutputLength: number },
      done: (error: Error | null, content: Uint8Array) => void,
    ) => void,
  ): void => {
    const decodeBytes: Decode = (bytes, limit) =>
      new Promise((resolve, reject) => {
        decompress(bytes, { maxOutputLength: Math.max(limit, 1) }, (error, content) => {
          if (error === null) resolve(content);
          else reject(error);
        });
      });
    for (const name of names) all.set(name, decodeBytes);
  };
  add(['gzip', 'x-gzip'], zlib.gunzip);
  // Some send DEFLATE without the format around it: https://www.rfc-editor.org/rfc/rfc9110#section-8.4.1.2
  add(['deflate'], (bytes, ...rest) =>
    (isZlib(bytes) ? zlib.inflate : zlib.inflateRaw)(bytes, ...rest),
  );
  add(['br'], zlib.brotliDecompress);
  // Node.js 22.15 and later have it.
  if ('zstdDecompress' in zlib) add(['zstd'], zlib.zstdDecompress);
  return all;
}

/** Whether bytes begin as https://www.rfc-editor.org/rfc/rfc1950 has it. */
function isZlib([first = 0, second = 0]: Uint8Array): boolean {
  return first % 16 === 8 && (first * 256 + second) % 31 === 0;
}

/** The codings of all browsers. */
const formats = [
  ['gzip', 'gzip'],
  ['x-gzip', 'gzip'],
  ['deflate', 'deflate'],
] as const;

function platformDecoders(): ReadonlyMap<string, Decode> {
  return new Map(
    formats.map(([name, format]) => [name, (bytes, limit) => readUpTo(limit, bytes, format)]),
  );
}

async function readUpTo(
  limit: number,
  bytes: Uint8Array<ArrayBuffer>,
  format: CompressionFormat,
): Promise<Uint8Array> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream(format));
  const reader = stream.getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    size += part.value.length;
    if (size > limit) {
      await reader.cancel();
      throw bodyTooLarge(limit);
    }
    chunks.push(part.value);
  }
  return new Uint8Array(await new Blob(chunks).arrayBuffer());
}

/** @see https://www.rfc-editor.org/rfc/rfc9110#section-15.5.16 */
function unsupported(known: ReadonlyMap<string, Decode>, why: string): Problem {
  const accepted = [...known.keys()].filter((name) => !name.startsWith('x-'));
  const message = `The body cannot be read: ${why}; send ${formatAlternatives([...accepted, 'identity'])}.`;
  return new Problem('unsupported', message, {
    headers: { 'accept-encoding': accepted.join(', ') },
  });
}
