import { getOrCreate } from '../lib/maps.ts';
import { tracePlace } from '../lib/trace-file.ts';
import { pageFile } from './page-files.ts';

/** The paths of the file with the engine and the studio, from the modules of the package, and from the sources. */
const places = ['../trace-package.js', '../../../dist/trace-package.js'];

/** The page by the file of its script, because it takes 0.2 s to make. */
const pages = new Map<string, string>();

/**
 * Returns the page that shows traces, with the engine and the studio of this package. It loads nothing, so it works from a
 * disk. Made once.
 *
 * @returns undefined if the package is not built, if a bundler of the user has left its files out, or where no modules of
 *   Node.js are
 */
export function tracePage(): string | undefined {
  if (typeof process === 'undefined' || !('getBuiltinModule' in process)) return undefined;
  const { existsSync, readFileSync } = nodeModule('node:fs');
  const file = places
    .map((place) => new URL(place, import.meta.url))
    .find((url) => url.protocol === 'file:' && existsSync(url));
  if (file === undefined) return undefined;
  return getOrCreate(pages, file.href, () => pageOf(readFileSync(file)));
}

/** Loads a module of Node.js when it is used: this file is loaded in browsers too, where no page is served. */
const nodeModule: typeof process.getBuiltinModule = (name: string) =>
  process.getBuiltinModule(name);

/** @param script the engine and the studio as one module */
function pageOf(script: Uint8Array): string {
  const { deflateRawSync } = nodeModule('node:zlib');
  const { createHash } = nodeModule('node:crypto');
  const shown = pageFile('trace.js') ?? '';
  const hash = createHash('sha256').update(shown).digest('base64');
  const policy = [
    "default-src 'none'",
    // The module, which the script makes of the text in the page.
    `script-src 'sha256-${hash}' blob:`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="content-security-policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Backlot trace</title>
</head>
<body>
<noscript>A trace is shown by a script: allow JavaScript on this page.</noscript>
${tracePlace}
<script type="text/plain" id="package">${deflateRawSync(script, { level: 9 }).toString('base64')}</script>
<script>${shown}</script>
</body>
</html>
`;
}
