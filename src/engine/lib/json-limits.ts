/** Limits of a JSON text: how deep it is nested, and how many values it has. */
interface JsonLimits {
  readonly depth: number;
  readonly values: number;
}

/** The limits of JSON texts that others have written, by what they are. */
export const jsonLimits = {
  /** A response of a server: enough for a page of 500 orders. */
  response: { depth: 100, values: 100_000 },
  /** An entry of a recording: a request, a response and what their writer adds. */
  entry: { depth: 64, values: 200_000 },
  /** A trace: more than the largest scenario has. */
  trace: { depth: 200, values: 10_000_000 },
} as const satisfies Readonly<Record<string, JsonLimits>>;

/**
 * Returns the limit that a JSON text exceeds, before it is parsed: values take up to 40 times the memory of their text, and
 * functions that call themselves for each level end in a stack overflow.
 *
 * @returns the end of a sentence about the text; undefined for a text that can be parsed
 */
export function jsonExcess(
  text: string,
  { depth: maxDepth, values: maxValues }: JsonLimits = jsonLimits.response,
): string | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  let [depth, values] = [0, 1];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) at = endOfText(text, at);
    else if (code === comma) values++;
    else if (code === openBracket || code === openBrace) {
      values++;
      if (++depth > maxDepth) return `is nested more than ${maxDepth} levels deep`;
    } else if (code === closeBracket || code === closeBrace) depth--;
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

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];
const [openBracket, closeBracket, openBrace, closeBrace] = [0x5b, 0x5d, 0x7b, 0x7d];
