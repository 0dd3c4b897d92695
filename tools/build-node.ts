/**
 * Builds what runs in Node.js into a folder (default: `dist`): the entry points of the library, the program, and the chunks
 * that they share. `cli/main.js` checks the version of Node.js before it loads `cli/program.js`.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { build, type Metafile, type Plugin } from 'esbuild';
import { studioModule, assetsModule } from './build-dashboard.ts';
import {
  bundleOptions,
  external,
  lazyRecords,
  ownVersion,
  peers,
  prebuiltStart,
  replace,
  root,
  sourcesOf,
  target,
} from './bundle-parts.ts';

const sources = sourcesOf([
  'index.ts',
  'contract.ts',
  'define.ts',
  'mounts/express.ts',
  'mounts/fetch-handler.ts',
  'mounts/jest.ts',
  'mounts/node.ts',
  'mounts/testing.ts',
  'mounts/vitest.ts',
  'engine/coverage/recorder.ts',
]);
/** The names of the entry points of the library. */
export const nodeEntries = Object.keys(sources);

/** Returns the paths of the sources that it has bundled. */
export async function buildNode(folder: string): Promise<string[]> {
  await build({
    ...bundleOptions,
    splitting: false,
    entryPoints: [join(root, 'src/cli/main.ts')],
    outfile: join(folder, 'cli/main.js'),
    platform: 'node',
    target,
    plugins: [external(/\/program\.ts$/, './program.js')],
  });
  const { metafile } = await build({
    ...bundleOptions,
    metafile: true,
    entryPoints: { ...sources, 'cli/program': join(root, 'src/cli/run.ts') },
    outdir: folder,
    platform: 'node',
    target,
    chunkNames: 'chunks/[name]-[hash]',
    external: peers,
    plugins: [
      lazyRecords,
      ownVersion,
      prebuiltStart('default', join(folder, 'chunks')),
      // Definitions of users share the classes and schemas of the program.
      replace(
        'src/cli/own-modules.ts',
        "export const ownModules = { 'backlot/define': new URL('../define.js', import.meta.url).href };",
      ),
      replace('src/engine/dashboard/assets.ts', assetsModule()),
      replace('src/shop/studio-scripts.ts', studioModule()),
      replace('src/mounts/msw.ts', "export * from './node/lazy-msw.ts';"),
      replace('src/mounts/node/msw-server.ts', "export * from './lazy-msw.ts';"),
      importedAtOnce('src/cli/'),
      messageEvent(),
    ],
  });
  removeEmptyChunks(metafile);
  return Object.keys(metafile.inputs);
}

/** Modules that only export what others have become chunks without code. */
function removeEmptyChunks({ outputs }: Metafile): void {
  const empty = Object.keys(outputs).filter((path) => outputs[path]?.bytes === 0);
  for (const path of empty) rmSync(join(root, path));
  for (const [path, { imports }] of Object.entries(outputs)) {
    const unneeded = imports.filter((one) => empty.includes(one.path));
    if (unneeded.length === 0) continue;
    const isKept = (line: string): boolean =>
      !unneeded.some((one) => /^import "[^"]+";$/.test(line) && line.includes(basename(one.path)));
    const lines = readFileSync(join(root, path), 'utf8').split('\n');
    writeFileSync(join(root, path), lines.filter(isKept).join('\n'));
  }
}

/**
 * Has the modules of a folder import at once what they import when it is needed. Each of these would be an entry point, and
 * split the chunks of all others: the program would be 53 files, not 25.
 */
function importedAtOnce(folder: string): Plugin {
  return {
    name: `imported at once in ${folder}`,
    setup({ onLoad }) {
      onLoad({ filter: /\.ts$/ }, async ({ path }) => {
        if (!path.startsWith(join(root, folder))) return undefined;
        const names: string[] = [];
        const contents = (await readFile(path, 'utf8')).replaceAll(
          /\(?await import\('(\.[^']+\.ts)'\)\)?/g,
          (_, name: string) => `imported${names.push(name) - 1}`,
        );
        const imports = names.map((name, at) => `import * as imported${at} from '${name}';\n`);
        return { contents: imports.join('') + contents, loader: 'ts' };
      });
    },
  };
}

/** See `src/cli/message-event.ts`. */
function messageEvent(): Plugin {
  const statement = `import { MessageEvent } from ${JSON.stringify(join(root, 'src/cli/message-event.ts'))};\n`;
  return {
    name: 'message event',
    setup({ onLoad }) {
      onLoad({ filter: /\/rettime\/build\/index\.mjs$/ }, async ({ path }) => ({
        contents: statement + (await readFile(path, 'utf8')),
      }));
    },
  };
}

if (import.meta.main) await buildNode(process.argv[2] ?? join(root, 'dist'));
