import { jsonExcess, jsonLimits } from './json-limits.ts';
import { readText } from './read-text.ts';

/** Stands in the page that shows traces for one that it shows at once. */
export const tracePlace = '<!-- trace -->';

const [opening, closing] = ['<script type="text/plain" id="trace">', '</script>'];

/** Returns a text as DEFLATE (https://www.rfc-editor.org/rfc/rfc1951) in base64, which has no meaning in HTML. */
export async function pack(text: string): Promise<string> {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream('deflate-raw'));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  const parts: string[] = [];
  // More are too many arguments.
  for (let from = 0; from < bytes.length; from += 0x8000)
    parts.push(String.fromCharCode(...bytes.subarray(from, from + 0x8000)));
  return btoa(parts.join(''));
}

/** Maximum characters of an unpacked text: DEFLATE makes a thousand of one, and parsed JSON takes up to 40 times as much. */
const maxUnpacked = 64 * 1_048_576;

/** @throws Error for a text that becomes too long; reads no more of it */
export async function unpack(packed: string): Promise<string> {
  const bytes = Uint8Array.from(atob(packed), (unit) => unit.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  const text = await readText(new Response(stream), maxUnpacked, new AbortController().signal);
  if (text !== undefined) return text;
  throw new RangeError(`The trace is larger than ${maxUnpacked / 1_048_576} MiB.`);
}

/** Returns the page that shows traces with one that it shows at once, as `pack` returns it. */
export function pageWith(page: string, packed: string): string {
  return page.replace(tracePlace, () => `${opening}${packed}${closing}`);
}

/**
 * Returns the trace in a file: a page with one, or JSON. Undefined for any other file.
 *
 * @throws RangeError for one that is too large, or nested too deep
 */
export async function traceIn(file: string): Promise<unknown> {
  const start = file.indexOf(opening);
  const end = file.indexOf(closing, start);
  try {
    const isPage = start >= 0 && end > start;
    const text = isPage ? await unpack(file.slice(start + opening.length, end)) : file;
    const excess = jsonExcess(text, jsonLimits.trace);
    if (excess !== undefined) throw new RangeError(`The file ${excess}.`);
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof RangeError) throw error;
    return undefined;
  }
}
