// Replaces `trace-page.ts` in the bundle for browsers, which has no files of the package.
export function tracePage(): string | undefined {
  return undefined;
}
