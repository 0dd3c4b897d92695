import { getOrCreate } from '../lib/maps.ts';
import { tracePlace } from '../lib/trace-file.ts';
import { traceScript } from './assets.ts';
import { nodeModule } from './bundle.ts';

/** Where the build for browsers is, from the modules of the package for Node.js, and from the sources. */
const places = ['./browser/', '../browser/', '../../../dist/browser/'];

/** What the page imports of the package. */
const entry = `export { createBackOffice } from "./index.js";
export { showStudio } from "./devtools.js";
`;

/** A relative import: at once, or when it is needed. */
const imports =
  /(\bfrom |\bimport )"(\.[^"]+|msw)"(?: with \{ type: "json" \})?|\bimport\("(\.[^"]+)"\)/g;

/** The page by the folder of its build, because it takes 0.2 s to make. */
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
  const { existsSync } = nodeModule('node:fs');
  const folder = places
    .map((place) => new URL(place, import.meta.url))
    .find((url) => existsSync(new URL('index.js', url)));
  if (folder === undefined) return undefined;
  return getOrCreate(pages, folder.href, () => pageOf(JSON.stringify(modulesOf(folder))));
}

function pageOf(modules: string): string {
  const { deflateRawSync } = nodeModule('node:zlib');
  const { createHash } = nodeModule('node:crypto');
  const script = traceScript();
  const hash = createHash('sha256').update(script).digest('base64');
  const policy = [
    "default-src 'none'",
    // The modules of the package, which the script makes of the text in the page.
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
<script type="text/plain" id="package">${deflateRawSync(modules, { level: 9 }).toString('base64')}</script>
<script>${script}</script>
</body>
</html>
`;
}

/** Returns the modules that the page needs, by their names. Each comes after those that it imports at once. */
function modulesOf(folder: URL): (readonly [name: string, source: string])[] {
  // The page has no use for handlers of MSW.
  const modules: [name: string, source: string][] = [['msw', 'export const http = undefined;']];
  const seen = new Set<string>();
  const later: URL[] = [];
  const add = (url: URL, source: string): void => {
    const linked = source.replaceAll(
      imports,
      (_, statement: string | undefined, path: string, lazy: string) => {
        if (path === 'msw') return `${statement}"backlot:msw"`;
        const imported = new URL(path ?? lazy, url);
        const name = nameOf(imported);
        if (statement === undefined) {
          later.push(imported);
          return `import(backlotModules["${name}"])`;
        }
        read(imported);
        return `${statement}"backlot:${name}"`;
      },
    );
    modules.push([nameOf(url), linked]);
  };
  const read = (url: URL): void => {
    if (seen.has(url.href)) return;
    seen.add(url.href);
    add(url, sourceOf(url));
  };
  add(new URL('entry', folder), entry);
  for (const url of later) read(url);
  return modules;
}

/** The last folder of a file and its name: they are unique in the package. */
function nameOf(url: URL): string {
  return url.pathname.split('/').slice(-2).join('/');
}

function sourceOf(url: URL): string {
  const text = nodeModule('node:fs').readFileSync(url, 'utf8');
  return url.pathname.endsWith('.json')
    ? `export default ${JSON.stringify(JSON.parse(text))}`
    : text;
}
