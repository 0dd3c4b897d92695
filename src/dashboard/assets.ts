// The build replaces this module with one that contains both texts, so a user of the package needs no esbuild.

/** The used part of esbuild, which is a development dependency. */
interface Bundler {
  readonly buildSync: (options: object) => {
    readonly outputFiles: readonly { readonly text: string }[];
  };
}

/** The used part of Vite, which is a development dependency. */
interface Minifier {
  readonly minifySync: (name: string, code: string, options: object) => { readonly code: string };
}

const scripts = new Map<string, string>();

/** The script of the studio, bundled from its sources at the first call. */
export function studioScript(): string {
  return script('../studio/main.tsx');
}

/** The script of the banner for pages of a demo. */
export function bannerScript(): string {
  return script('client/banner.ts');
}

function script(entry: string): string {
  const known = scripts.get(entry);
  if (known !== undefined) return known;
  const bundled = bundle(nodeModule('node:url').fileURLToPath(new URL(entry, import.meta.url)));
  scripts.set(entry, bundled);
  return bundled;
}

/** The style sheet of the studio. */
export function studioStyle(): string {
  return script('../studio/studio.css');
}

/** The style sheet of all other pages. */
export function pageStyle(): string {
  return text('page.css');
}

function text(path: string): string {
  return nodeModule('node:fs').readFileSync(new URL(path, import.meta.url), 'utf8');
}

/** Loads a module of Node.js when it is used: this file is loaded in browsers too, where no page is served. */
const nodeModule: typeof process.getBuiltinModule = (name: string) =>
  process.getBuiltinModule(name);

function bundle(entry: string): string {
  const require = nodeModule('node:module').createRequire(import.meta.url);
  const { buildSync } = require('esbuild') as Bundler;
  const { outputFiles } = buildSync({
    entryPoints: [entry],
    bundle: true,
    minify: true,
    ...(entry.endsWith('.tsx') && jsx()),
    format: 'iife',
    target: 'es2023',
    legalComments: 'none',
    // The studio has no use for the developer tools of its signals.
    define: { 'window.__PREACT_SIGNALS_DEVTOOLS__': 'false' },
    // The script is ASCII, whatever encoding a page in a frame has.
    charset: 'ascii',
    write: false,
  });
  const bundled = outputFiles.map((file) => file.text).join('');
  if (!entry.endsWith('.tsx')) return bundled;
  // Makes it another 3 % smaller, compressed.
  const { minifySync } = require('vite') as Minifier;
  const options = { compress: { target: 'es2023' }, mangle: { toplevel: true } };
  return ascii(minifySync('studio.js', bundled, options).code);
}

function ascii(code: string): string {
  return code.replaceAll(
    /[^\0-\x7f]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Calls of `h(tag, properties, …children)` are about 2 % smaller, compressed, than those of `jsx`. */
function jsx(): object {
  const inject = [
    nodeModule('node:url').fileURLToPath(new URL('../studio/jsx.ts', import.meta.url)),
  ];
  // The settings of tsconfig.json would replace these.
  return { jsx: 'transform', jsxFactory: 'h', jsxFragment: 'Fragment', inject, tsconfigRaw: '{}' };
}
