// The build replaces this module with one that contains both texts, so a user of the package needs no esbuild.

/** The used part of esbuild, which is a development dependency. */
interface Bundler {
  readonly buildSync: (options: object) => {
    readonly outputFiles: readonly { readonly text: string }[];
  };
}

let script: string | undefined;

/** The script of the dashboard, bundled from its sources at the first call. */
export function dashboardScript(): string {
  script ??= bundle(
    nodeModule('node:url').fileURLToPath(new URL('client/main.ts', import.meta.url)),
  );
  return script;
}

/** The style sheet of all pages. */
export function pageStyle(): string {
  return nodeModule('node:fs').readFileSync(new URL('page.css', import.meta.url), 'utf8');
}

/** Loads a module of Node.js when it is used: this file is loaded in browsers too, where no page is served. */
const nodeModule: typeof process.getBuiltinModule = (name: string) =>
  process.getBuiltinModule(name);

function bundle(entry: string): string {
  const { buildSync } = nodeModule('node:module').createRequire(import.meta.url)(
    'esbuild',
  ) as Bundler;
  const { outputFiles } = buildSync({
    entryPoints: [entry],
    bundle: true,
    format: 'iife',
    target: 'es2023',
    write: false,
  });
  return outputFiles.map(({ text }) => text).join('');
}
