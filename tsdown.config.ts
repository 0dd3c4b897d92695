import { join, resolve } from 'node:path';
import { defineConfig, type UserConfig } from 'tsdown';
import { manifest } from './tools/packed.ts';

// `tools/build.ts` sets both. The declarations of single modules have docstrings of schemas: see `tools/described-types.ts`.
const { OUT_DIR: outDir = 'dist', TYPES_DIR: typesDir } = process.env;

/** The entry points, by the names of their files in the package. */
const entries = {
  index: 'index',
  page: 'page',
  contract: 'contract',
  define: 'define',
  client: 'client',
  browser: 'mounts/browser',
  express: 'mounts/express',
  'fetch-handler': 'mounts/fetch-handler',
  jest: 'mounts/jest',
  'jest-suite-runner': 'suite/jest/runner',
  node: 'mounts/node',
  playwright: 'mounts/playwright',
  'playwright-coverage': 'mounts/playwright/coverage',
  session: 'mounts/session',
  storybook: 'mounts/storybook',
  suite: 'suite/suite',
  testing: 'mounts/testing',
  vitest: 'mounts/vitest',
  'vitest-browser': 'mounts/vitest/browser',
  'vitest-coverage': 'mounts/vitest/coverage',
  'vitest-coverage-setup': 'mounts/vitest/coverage-setup',
  'vitest-suite-page': 'suite/vitest/page',
  'vitest-suite-runner': 'suite/vitest/runner',
};
const panelEntries = { devtools: 'mounts/devtools', 'devtools-off': 'mounts/page/devtools-off' };

/** Returns the files of entry points. */
function filesOf(
  names: Readonly<Record<string, string>>,
  folder: string,
  end: string,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(names).map(([name, path]) => [name, join(folder, `${path}${end}`)]),
  );
}

const shared: UserConfig = {
  outDir,
  clean: false,
  format: 'esm',
  platform: 'neutral',
  target: 'es2024',
  hash: false,
  dts: false,
  inputOptions: { resolve: { mainFields: ['module', 'main'] } },
  define: { backlotVersion: JSON.stringify(manifest.version) },
  deps: {
    // Built by `tools/pages.ts`.
    neverBundle: [...Object.keys(manifest.peerDependencies), /^#pages\//, /^node:/],
    // Everything else is bundled as it is, zod without the languages that nothing uses. The build fails if the list lacks a package.
    alwaysBundle: Object.keys(manifest.dependencies),
    onlyBundle: Object.keys(manifest.inlinedDependencies),
  },
};

/** What the library needs on demand. Node.js loads each when it is first needed, other hosts all at once: `imports` of package.json. */
const parts = {
  'parts/at-once': 'src/shop/parts.ts',
  'parts/on-demand': 'src/mounts/node/parts-on-demand.ts',
  'parts/collections': 'src/engine/store/collections.ts',
  'parts/compiler': 'src/engine/rest/compile.ts',
  'parts/control': 'src/shop/control/index.ts',
  'parts/history': 'src/engine/office/history-and-reasons.ts',
  'parts/orders': 'src/shop/explanations-and-orders.ts',
};

/**
 * The chunks that entry points share, with the modules of each: those that match and all that they import, unless an
 * earlier chunk has them. A process loads few files, and none of which it needs only a little.
 */
const chunks: Readonly<Record<string, RegExp>> = {
  'require-node': /\/required?-node\.ts$/,
  fixtures: /\/(fixtures|scenarios)\/[\w.-]+\.json$/,
  client: /src\/client\.ts$/,
  // What entry points need that do not serve the API: reporters, `backlot/suite`, `backlot/session`, matchers.
  lib: /src\/engine\/(coverage\/(active|recorder)|faults\/fault-response|rest\/errors)\.ts$/,
  // The other module is evaluated before all that has schemas.
  zod: /node_modules\/zod\/|src\/engine\/rest\/no-eval\.ts$/,
  requests:
    /src\/(engine\/(rest\/serve|sessions\/(request-target|store))|mounts\/node\/received)\.ts$/,
  contract: /src\/contract\.ts$/,
  core: /src\/(shop\/store-api|engine\/(office\/open-back-office|extend\/base-views)|mounts\/mount)\.ts$/,
  traces: /src\/mounts\/(vitest\/trace|node\/save-trace)\.ts$/,
  given: /src\/shop\/given\/given\.ts$/,
  coverage: /src\/engine\/coverage\/report\.ts$/,
  history: /src\/(engine\/office\/history-and-reasons|shop\/explanations-and-orders)\.ts$/,
  control: /src\/(shop\/control\/index|mounts\/fetch\/office-control)\.ts$/,
  // A page loads both for the option `keep` and for compressed bodies.
  'saved-session': /src\/mounts\/(stores\/saved-session|server\/version)\.ts$/,
  'content-coding': /src\/mounts\/server\/content-coding\.ts$/,
  'open-store': /src\/shop\/open-store-office\.ts$/,
  msw: /src\/mounts\/(node\/load-msw|fetch\/user-handlers)\.ts$/,
  office: /src\/mounts\/node\/create-back-office\.ts$/,
  node: /src\/mounts\/node\.ts$/,
  server: /src\/mounts\/fetch-handler\.ts$/,
  http: /src\/mounts\/(express|server\/server)\.ts$/,
  cli: /src\/cli\/run\.ts$/,
};

/** The library, the program, and what pages load. */
const library: UserConfig = {
  ...shared,
  entry: { ...filesOf(entries, 'src', '.ts'), ...parts, 'cli/main': 'src/cli/main.ts' },
  plugins: [
    {
      name: 'parts',
      resolveId: (id) => (id === './parts.ts' ? { id: '#parts', external: true } : undefined),
    },
  ],
  outputOptions: {
    chunkFileNames: 'chunks/[name].js',
    codeSplitting: {
      groups: [
        // A part, without the rest of zod that it imports.
        {
          name: 'zod-compiler',
          test: /zod\/v4\/core\/compile\.js$/,
          includeDependenciesRecursively: false,
        },
        ...Object.entries(chunks).map(([name, test]) => ({ name, test })),
      ],
    },
  },
};

/** The panel, of which a page loads each part when that is first opened. It shares nothing with the library. */
const panel: UserConfig = {
  ...shared,
  entry: filesOf(panelEntries, 'src', '.ts'),
  outputOptions: { chunkFileNames: 'chunks/panel/[name].js' },
};

/** What the page of a trace contains: one file without imports. */
const trace: UserConfig = {
  ...shared,
  alias: {
    '#pages/studio-style.json': resolve(import.meta.dirname, outDir, 'pages/studio-style.json'),
  },
  entry: { 'trace-package': 'src/mounts/page/trace-package.ts' },
  deps: { neverBundle: [/^node:/, /\/built-pages\.ts$/], alwaysBundle: [/./], onlyBundle: false },
  outputOptions: { codeSplitting: false, comments: false },
  // Nobody reads it, and each trace that is a page has it. Lines stay, for tools that refuse long ones.
  minify: { compress: true, mangle: true, codegen: { removeWhitespace: false } },
};

/** The declarations of the entry points. They contain those of the inlined packages. */
const types: UserConfig[] =
  typesDir === undefined
    ? []
    : [
        {
          ...shared,
          entry: filesOf({ ...entries, ...panelEntries }, typesDir, '.d.ts'),
          // Those of zod are the ones that users have.
          deps: { ...shared.deps, alwaysBundle: [] },
          // Its package.json names its declarations last, where they are not found.
          alias: { mutative: join(import.meta.dirname, 'node_modules/mutative/dist/index.d.ts') },
          dts: { generator: 'oxc', dtsOnly: true },
          outputOptions: { chunkFileNames: 'chunks/[name].ts' },
        },
      ];

// oxlint-disable-next-line import/no-default-export -- tsdown loads it
export default defineConfig([library, panel, trace, ...types]);
