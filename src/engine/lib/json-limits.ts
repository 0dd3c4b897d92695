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
