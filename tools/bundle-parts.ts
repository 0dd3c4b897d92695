import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { BuildOptions, Plugin } from 'esbuild';
import { contractList } from '../src/shop/coverage/listed-items.ts';
import { builtInScenario } from '../src/shop/store-api.ts';
import { fixtures, scenarios } from '../src/shop/built-in-files.ts';
import { writeStart } from '../src/engine/scenario/prebuilt.ts';
import { startOf } from '../src/engine/scenario/start.ts';
import { manifest } from './packed.ts';

export const root = join(import.meta.dirname, '..');

export const bundleOptions: BuildOptions = {
  absWorkingDir: root,
  bundle: true,
  splitting: true,
  format: 'esm',
  legalComments: 'none',
  metafile: true,
  logLevel: 'warning',
  jsx: 'automatic',
  jsxImportSource: 'preact',
};

/** Packages that bundles import, because users bring their own. */
export const peers = Object.keys(manifest.peerDependenciesMeta).flatMap((name) => [
  name,
  `${name}/*`,
]);

/** Returns the paths of entry points by their names: `mounts/node.ts` is `node`. */
export function sourcesOf(paths: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    paths.map((path) => [path.replace(/^.*\//, '').replace(/\.ts$/, ''), join(root, 'src', path)]),
  );
}

/** The oldest Node.js that bundles run on, as in `engines`. */
export const target = 'node22.12';

/**
 * Sets a scenario up, so that a bundle need not: see `src/engine/scenario/prebuilt.ts`. Writes its start into the folder of the
 * module that reads it, because text in a module is read and held by each process that loads the module.
 */
export function prebuiltStart(name: string, folder: string): Plugin {
  const file = `${name}-start.txt`;
  const start = writeStart(startOf(builtInScenario(name)));
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, file), asciiJson(start));
  return replace(
    'src/engine/scenario/prebuilt-starts.ts',
    `import { openStart, readStart } from './prebuilt.ts';

    export function openPrebuilt(api, name) {
      if (api.name !== 'store' || name !== ${JSON.stringify(name)}) return undefined;
      // The scenario is set up if a bundler of the user has left the file out. Workers have no files and no URL of their module.
      const fs = globalThis.process?.getBuiltinModule?.('node:fs');
      if (fs === undefined || !URL.canParse('./${file}', import.meta.url)) return undefined;
      const file = new URL('./${file}', import.meta.url);
      if (!fs.existsSync(file)) return undefined;
      return openStart(readStart(fs.readFileSync(file), api), api);
    }`,
  );
}

/** Escapes what is not ASCII: a string takes half of the memory if each of its characters fits in one byte. */
function asciiJson(text: string): string {
  return text.replaceAll(
    /[\u0080-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** The list of what contract coverage counts, with its hints, as text: making it takes longer than a small test suite. */
export function listedItems(): Plugin {
  const text = JSON.stringify(JSON.stringify(contractList()));
  return replace(
    'src/shop/coverage/listed-items.ts',
    `let list;\nexport const contractList = () => (list ??= JSON.parse(${text}));`,
  );
}

/**
 * Parses the file of each fixture and scenario when it is read. V8 skips the texts of functions that are not called; JSON
 * as text is parsed in half the time of an object literal.
 */
export const lazyRecords: Plugin = replace(
  'src/shop/built-in-files.ts',
  Object.entries({ fixtures, scenarios })
    .map(([name, files]) => `export const ${name} = {\n${lazyGetters(files)}\n};`)
    .join('\n'),
);

function lazyGetters(files: Readonly<Record<string, unknown>>): string {
  return Object.entries(files)
    .map(([name, content]) => {
      const text = JSON.stringify(JSON.stringify(content));
      return `get ${JSON.stringify(name)}() { return JSON.parse(${text}); },`;
    })
    .join('\n');
}

export const ownVersion: Plugin = replace(
  'src/mounts/version.ts',
  `export const version = ${JSON.stringify(manifest.version)};`,
);

/** Bundles this source in place of a module. The build fails if no bundle imports that module. */
export function replace(path: string, contents: string): Plugin {
  const file = join(root, path);
  let isReplaced = false;
  return {
    name: `replace ${path}`,
    setup({ onLoad, onEnd }) {
      onLoad({ filter: /\.ts$/ }, ({ path: loaded }) => {
        if (loaded !== file) return undefined;
        isReplaced = true;
        return { contents, loader: 'ts', resolveDir: dirname(file) };
      });
      onEnd(() => (isReplaced ? {} : { errors: [{ text: `${path} is not part of the bundle` }] }));
    },
  };
}

/** Leaves a module out of the bundle, to be imported at run time by this path. */
export function external(filter: RegExp, path: string): Plugin {
  return {
    name: 'external',
    setup: ({ onResolve }) => onResolve({ filter }, () => ({ path, external: true })),
  };
}
