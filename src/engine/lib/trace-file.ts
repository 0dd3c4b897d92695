import {
  assertSize,
  ForeignTextError,
  jsonExcess,
  jsonLimits,
  parseForeignJson,
} from './json-limits.ts';
import { parseJson } from './json-value.ts';
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

/** DEFLATE makes a thousand characters of one, and parsed JSON takes up to 40 times as much. */
const { bytes: maxUnpacked } = jsonLimits.trace;

/** @throws ForeignTextError for a text that becomes too long; reads no more of it */
export async function unpack(packed: string): Promise<string> {
  const bytes = Uint8Array.from(atob(packed), (unit) => unit.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  return readText({ response: new Response(stream), name: 'The trace' }, maxUnpacked);
}

/** The same for a text of JSON, which is parsed. @throws ForeignTextError as `parseForeignJson` */
export async function unpackJson(packed: string): Promise<unknown> {
  return parseForeignJson(await unpack(packed), 'The trace', jsonLimits.trace);
}

/** Returns the page that shows traces with one that it shows at once, as `pack` returns it. */
export function pageWith(page: string, packed: string): string {
  return page.replace(tracePlace, () => `${opening}${packed}${closing}`);
}

/**
 * Returns the trace in a file: a page with one, or JSON. Undefined for any other file.
 *
 * @throws ForeignTextError for one that exceeds a limit
 */
export async function traceIn(file: Blob): Promise<unknown> {
  assertSize('The file', file.size, maxUnpacked);
  const content = await file.text();
  const start = content.indexOf(opening);
  const end = content.indexOf(closing, start);
  if (start === -1 || end === -1) return parsed(content);
  const text = await unpack(content.slice(start + opening.length, end)).catch((error: unknown) => {
    if (error instanceof ForeignTextError) throw error;
  });
  return text === undefined ? undefined : parsed(text);
}

/** Returns the value of a text; undefined if it is not JSON. @throws ForeignTextError */
function parsed(text: string): unknown {
  const excess = jsonExcess(text, jsonLimits.trace);
  if (excess !== undefined) throw new ForeignTextError(`The file ${excess}`);
  return parseJson(text);
}
