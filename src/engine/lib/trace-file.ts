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

export async function unpack(packed: string): Promise<string> {
  const bytes = Uint8Array.from(atob(packed), (unit) => unit.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  return new Response(stream).text();
}

/** Returns the page that shows traces with one that it shows at once, as `pack` returns it. */
export function pageWith(page: string, packed: string): string {
  return page.replace(tracePlace, () => `${opening}${packed}${closing}`);
}

/** Returns what a file of a trace has: a page with one, or JSON. Undefined for any other file. */
export async function traceIn(file: string): Promise<unknown> {
  const start = file.indexOf(opening);
  const end = file.indexOf(closing, start);
  try {
    const isPage = start >= 0 && end > start;
    return JSON.parse(isPage ? await unpack(file.slice(start + opening.length, end)) : file);
  } catch {
    return undefined;
  }
}
