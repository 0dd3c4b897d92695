import { getOrCreate } from '../lib/maps.ts';
import { tracePlace } from '../lib/trace-file.ts';
import { pageFile } from './page-files.ts';

/** The paths of the file with the engine and the studio, from the modules of the package, and from the sources. */
const places = ['../trace-package.js', '../../../dist/trace-package.js'];

/** What the pages of traces load, and where they may send something: nowhere. */
const nothingElse = [
  "default-src 'none'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
];

/**
 * The headers of a trace that a server reads from a file, which another program may have written: its script is of another
 * origin than the server, so it has no cookie and sends nothing. The policy in the file, which has the digest of the script,
 * holds beside it.
 */
export const traceHeaders = {
  'content-security-policy': [
    ...nothingElse,
    "script-src 'unsafe-inline' blob:",
    "frame-ancestors 'none'",
    'sandbox allow-scripts allow-forms allow-downloads',
  ].join('; '),
  'cache-control': 'no-store',
};

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
  // The module is what the script makes of the text in the page.
  const policy = [...nothingElse, `script-src 'sha256-${hash}' blob:`].join('; ');
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
