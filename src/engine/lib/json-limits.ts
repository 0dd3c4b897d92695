/** Limits of a JSON text of a server: enough for a page of 500 orders. */
const ofServers = { depth: 100, values: 100_000 };

/**
 * Returns the limit that a JSON text exceeds, before it is parsed: values take up to 40 times the memory of their text, and
 * functions that call themselves for each level end in a stack overflow.
 *
 * @returns the end of a sentence about the text; undefined for a text that can be parsed
 */
export function jsonExcess(
  text: string,
  { depth: maxDepth, values: maxValues } = ofServers,
): string | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  let [depth, values, isText] = [0, 1, false];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (isText) {
      if (code === backslash) at++;
      else if (code === quote) isText = false;
    } else if (code === quote) isText = true;
    else if (code === comma) values++;
    else if (code === openBracket || code === openBrace) {
      values++;
      if (++depth > maxDepth) return `is nested more than ${maxDepth} levels deep`;
    } else if (code === closeBracket || code === closeBrace) depth--;
    if (values > maxValues) return `has more than ${maxValues} values`;
  }
  return undefined;
}

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];
const [openBracket, closeBracket, openBrace, closeBrace] = [0x5b, 0x5d, 0x7b, 0x7d];
