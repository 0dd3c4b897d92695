import type { StudioScripts } from '../definition/api.ts';

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

/** The studio has no use for the developer tools of its signals. */
export const define = { 'window.__PREACT_SIGNALS_DEVTOOLS__': 'false' };

/** Bundles a script or a style sheet with a development dependency. */
export function bundle(options: object): string {
  const { buildSync } = required('esbuild') as Bundler;
  const { outputFiles } = buildSync({
    bundle: true,
    minify: true,
    format: 'iife',
    target: 'es2023',
    legalComments: 'none',
    define,
    // The script is ASCII, whatever encoding a page in a frame has.
    charset: 'ascii',
    write: false,
    ...options,
  });
  return outputFiles.map((file) => file.text).join('');
}

/**
 * Bundles a studio, and its rooms without what they share with it: they import that from its script. Rooms are loaded when
 * they are first opened. Each has a folder, and a file of its name, which `rooms.ts` imports.
 *
 * @param folder of the studio of an API
 */
export function bundleStudio(folder: string): StudioScripts {
  const { existsSync, readdirSync, readFileSync } = nodeModule('node:fs');
  const folders = [folder, sourceAt('../studio')];
  const external = folders
    .flatMap((one) => readdirSync(one).map((name) => `${one}/${name}`))
    .concat('preact', 'preact/hooks', '@preact/signals');
  const rooms = new Set(
    folders.flatMap((one) =>
      Array.from(
        readFileSync(`${one}/rooms.ts`, 'utf8').matchAll(/import\('\.\/(\w+)\//g),
        ([, room = '']) => room,
      ),
    ),
  );
  /** What rooms import, by modules as the studio names them. */
  const shared = new Map<string, Set<string>>();
  const scriptOf = (room: string): string => {
    const entryPoints = folders
      .map((one) => `${one}/${room}/${room}.tsx`)
      .filter((path) => existsSync(path))
      .slice(0, 1);
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
  const scripts = Array.from(rooms, (room) => [`${room}.js`, minify(scriptOf(room))] as const);
  const exports = Array.from(
    shared,
    ([from, names]) => `export { ${[...names].join()} } from '${from}';`,
  );
  const main = readFileSync(`${folder}/main.ts`, 'utf8');
  const code = bundle({
    ...module(folder),
    stdin: { contents: [main, ...exports].join('\n'), loader: 'tsx', resolveDir: folder },
    external: Array.from(rooms, (room) => `./${room}/${room}.tsx`),
  });
  const script = code.replaceAll(/\bimport\("\.\/(\w+)\/\1\.tsx"\)/g, 'import("./studio/$1.js")');
  return { script: minify(script), rooms: Object.fromEntries(scripts) };
}

function module(folder: string): object {
  return { format: 'esm', outdir: folder, ...callsOfH() };
}

/** Calls of `h(tag, properties, …children)` are about 2 % smaller, compressed, than those of `jsx`. */
export function callsOfH() {
  return {
    jsx: 'transform' as const,
    jsxFactory: 'h',
    jsxFragment: 'Fragment',
    inject: [sourceAt('../studio/jsx.ts')],
    // The settings of tsconfig.json would replace these.
    tsconfigRaw: '{}',
  };
}

/** Makes a script another 3 % smaller, compressed. @param mangle whether names become short */
export function minify(code: string, mangle = true): string {
  const { minifySync } = required('vite') as Minifier;
  const options = {
    module: true,
    compress: { target: 'es2023' },
    mangle: mangle && { toplevel: true },
  };
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
