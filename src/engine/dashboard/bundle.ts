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

/** Loads a module of Node.js when it is used: this file is loaded in browsers too, where no page is served. */
export const nodeModule: typeof process.getBuiltinModule = (name: string) =>
  process.getBuiltinModule(name);

/** Returns the path of a file of the sources, from this folder. */
export function sourceAt(path: string): string {
  return nodeModule('node:url').fileURLToPath(new URL(path, import.meta.url));
}

/** Bundles a script or a style sheet with a development dependency. */
export function bundle(options: object): string {
  const { buildSync } = required('esbuild') as Bundler;
  const { outputFiles } = buildSync({
    bundle: true,
    minify: true,
    format: 'iife',
    target: 'es2023',
    legalComments: 'none',
    // The studio has no use for the developer tools of its signals.
    define: { 'window.__PREACT_SIGNALS_DEVTOOLS__': 'false' },
    // The script is ASCII, whatever encoding a page in a frame has.
    charset: 'ascii',
    write: false,
    ...options,
  });
  return outputFiles.map((file) => file.text).join('');
}

export interface StudioScripts {
  readonly script: string;
  readonly rooms: Readonly<Record<string, string>>;
}

/** The rooms of the studio that it loads when they are first opened. Each has a folder, and a file of its name. */
const rooms = [
  'activity',
  'composer',
  'data',
  'docs',
  'files',
  'home',
  'orders',
  'rules',
  'time',
  'why',
];

/** Bundles the studio, and its rooms without what they share with it: they import that from its script. */
export function bundleStudio(): StudioScripts {
  const folder = sourceAt('../studio');
  const { readdirSync, readFileSync } = nodeModule('node:fs');
  const external = readdirSync(folder)
    .map((name) => `${folder}/${name}`)
    .concat('preact', 'preact/hooks', '@preact/signals');
  /** What rooms import, by modules as the studio names them. */
  const shared = new Map<string, Set<string>>();
  const scriptOf = (room: string): string => {
    const entryPoints = [`${folder}/${room}/${room}.tsx`];
    const code = bundle({ ...module(folder), entryPoints, external });
    return code.replaceAll(
      /\bimport\{([^}]*)\}from"([^"]+)"/g,
      (_text, names: string, from: string) => {
        const known = shared.get(from) ?? new Set();
        shared.set(from, known);
        for (const name of names.split(',')) known.add(name.replace(/ as .*/, ''));
        return `import{${names}}from"../studio.js"`;
      },
    );
  };
  const scripts = rooms.map((room) => [`${room}.js`, minify(scriptOf(room))] as const);
  const exports = Array.from(
    shared,
    ([from, names]) => `export { ${[...names].join()} } from '${from}';`,
  );
  const main = readFileSync(`${folder}/main.tsx`, 'utf8');
  const code = bundle({
    ...module(folder),
    stdin: { contents: [main, ...exports].join('\n'), loader: 'tsx', resolveDir: folder },
    external: rooms.map((room) => `./${room}/${room}.tsx`),
  });
  const script = code.replaceAll(/\bimport\("\.\/(\w+)\/\1\.tsx"\)/g, 'import("./studio/$1.js")');
  return { script: minify(script), rooms: Object.fromEntries(scripts) };
}

/** Calls of `h(tag, properties, …children)` are about 2 % smaller, compressed, than those of `jsx`. */
function module(folder: string): object {
  return {
    format: 'esm',
    outdir: folder,
    jsx: 'transform',
    jsxFactory: 'h',
    jsxFragment: 'Fragment',
    inject: [`${folder}/jsx.ts`],
    // The settings of tsconfig.json would replace these.
    tsconfigRaw: '{}',
  };
}

/** Makes a script another 3 % smaller, compressed. */
function minify(code: string): string {
  const { minifySync } = required('vite') as Minifier;
  const options = { module: true, compress: { target: 'es2023' }, mangle: { toplevel: true } };
  return ascii(minifySync('studio.js', code, options).code);
}

function ascii(code: string): string {
  return code.replaceAll(
    /[^\0-\x7f]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function required(name: string): unknown {
  return nodeModule('node:module').createRequire(import.meta.url)(name);
}
