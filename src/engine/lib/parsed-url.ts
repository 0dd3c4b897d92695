/**
 * Returns the URL that a text is; undefined for another text. `URL` of older versions of jsdom, in which tests run, has neither
 * `parse` nor `canParse`.
 */
export function parsedUrl(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}
