/**
 * Builds the package into a folder (default: `dist`): one module for each entry point of package.json, the program, and the
 * chunks that they share. All entry points of one platform share one instance of each class, apart from clients of servers.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build, buildSync, type Metafile, type Plugin } from 'esbuild';
import { assetsModule, studioInputs, studioModule } from './build-dashboard.ts';
import { buildNode, nodeEntries } from './build-node.ts';
import {
  bundleOptions,
  external,
  listedItems,
  ownVersion,
  peers,
  replace,
  root,
  sourcesOf,
  target,
} from './bundle-parts.ts';
import { leanLibraries } from './lean-libraries.ts';
import { licensesOf } from './licenses.ts';
import { examplesModule, openapiModule } from './page-modules.ts';
import { panelInstances } from './panel-instances.ts';
import { provideParts } from '../src/shop/parts.ts';

const folder = process.argv[2] ?? join(root, 'dist');

/** Which entry points a platform has, by the paths of their sources. */
const entries = {
  reporters: ['mounts/playwright-coverage.ts', 'mounts/vitest-coverage.ts'],
  clients: ['mounts/playwright.ts', 'mounts/session.ts'],
  setup: ['mounts/vitest-coverage-setup.ts'],
  browser: [
    'index.ts',
    'contract.ts',
    'define.ts',
    'client.ts',
    'mounts/browser.ts',
    'mounts/devtools.ts',
    'mounts/devtools-off.ts',
    'mounts/storybook.ts',
    'mounts/testing.ts',
    'mounts/vitest-browser.ts',
    'mounts/vitest-coverage-page.ts',
  ],
};

provideParts();
const node = await buildNode(folder);

/** They open no back office, so they do not load one. */
const clients = await build({
  ...bundleOptions,
  splitting: false,
  entryPoints: sourcesOf(entries.clients),
  outdir: folder,
  platform: 'node',
  target: 'es2022',
  external: peers,
  plugins: [replace('src/engine/dashboard/assets.ts', assetsModule())],
});

/** They open no back office: what they need of the contract is a list. */
const reporters = await build({
  ...bundleOptions,
  entryPoints: sourcesOf(entries.reporters),
  outdir: folder,
  platform: 'node',
  target,
  chunkNames: 'chunks/[name]-[hash]',
  external: peers,
  plugins: [listedItems()],
});

/** Each test file loads it, so it is one small file, and loads the recorder only if there is something to count. */
const setup = await build({
  ...bundleOptions,
  splitting: false,
  entryPoints: sourcesOf(entries.setup),
  outdir: folder,
  platform: 'node',
  target,
  external: peers,
  plugins: [external(/\/coverage\/recorder\.ts$/, './recorder.js')],
});

requireNode([...nodeEntries, ...Object.keys(sourcesOf(entries.reporters)), 'playwright']);

const browser = await build({
  ...bundleOptions,
  entryPoints: sourcesOf(entries.browser),
  outdir: join(folder, 'browser'),
  platform: 'browser',
  target: 'es2024',
  external: peers,
  supported: { 'import-attributes': true },
  plugins: [
    recordsOfPackage(),
    leanLibraries,
    panelInstances,
    replace('src/shop/studio-scripts.ts', studioModule()),
    replace('src/engine/office/example-body.ts', examplesModule()),
    // The document of the page is made by the build.
    replace('src/shop/document-texts.ts', 'export const documentTexts = {}, controlTexts = {};'),
    withoutDescriptions(),
    replace('src/engine/dashboard/assets.ts', assetsModule()),
    ownVersion,
    // Its generation needs JSON Schema, which the bundle for browsers leaves out.
    replace('src/engine/sessions/openapi.ts', openapiModule()),
  ],
});

writeFileSync(
  join(folder, 'THIRD-PARTY-LICENSES'),
  licensesOf([
    ...node,
    ...[clients, reporters, setup, browser].flatMap(({ metafile }) => inputsOf(metafile)),
    ...studioInputs,
  ]),
);

/** Checks the version of Node.js before anything else of an entry point is evaluated. */
function requireNode(names: readonly string[]): void {
  const check = buildSync({
    ...bundleOptions,
    splitting: false,
    metafile: false,
    platform: 'node',
    target: 'node18',
    minifySyntax: true,
    stdin: {
      resolveDir: join(root, 'src/mounts/node'),
      contents: `import { nodeIssue } from './required-node.ts';
        if (nodeIssue !== undefined) throw new Error(nodeIssue);`,
    },
    write: false,
  });
  writeFileSync(join(folder, 'chunks/required-node.js'), check.outputFiles[0]?.contents ?? '');
  for (const name of names) {
    const path = join(folder, `${name}.js`);
    writeFileSync(path, `import "./chunks/required-node.js";\n${readFileSync(path, 'utf8')}`);
  }
}

/** Imports records from the package: the bundler of a page loads JSON by its own rules. */
function recordsOfPackage(): Plugin {
  return {
    name: 'records of the package',
    setup({ onResolve }) {
      onResolve({ filter: /\.json$/ }, ({ path }) => ({ path, external: true }));
    },
  };
}

/**
 * Leaves out what schemas, endpoint rows and kinds of fault say of themselves, which only documents show. The contract of a page has the
 * texts of its rows in a module of its own: see `lean-libraries.ts`.
 */
function withoutDescriptions(): Plugin {
  return {
    name: 'without descriptions',
    setup({ onLoad }) {
      onLoad(
        {
          filter:
            /\/src\/(?:engine\/(?:control|definition|faults|journal|office|rest|scenario)|shop)\/.+\.ts$/,
        },
        async ({ path }) => ({
          loader: 'ts',
          contents: (await readFile(path, 'utf8'))
            .replaceAll(/\s*\.describe\(\s*'(?:[^'\\\n]|\\.)*',?\s*\)/g, '')
            // An option of a field.
            .replaceAll(
              path.includes('/shop/models/')
                ? /^ {4}description:\s*'(?:[^'\\\n]|\\.)*',\n/gm
                : /(?!)/g,
              '',
            )
            // A property of a row, up to the next line that is not indented more.
            .replaceAll(
              /^( {2,8})(?:summary|errors|example|shown):(?! z\n).*\n(?:\1 {2}.*\n)*(?:\1[\]}],\n)?/gm,
              '',
            ),
        }),
      );
    },
  };
}

function inputsOf(metafile: Metafile | undefined): string[] {
  return Object.keys(metafile?.inputs ?? {});
}
