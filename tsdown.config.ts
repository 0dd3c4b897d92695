import { join, resolve } from 'node:path';
import { defineConfig, type UserConfig } from 'tsdown';
import { manifest } from './tools/packed.ts';

// `tools/build.ts` sets both. The declarations of single modules have docstrings of schemas: see `tools/described-types.ts`.
const { OUT_DIR: outDir = 'dist', TYPES_DIR: typesDir } = process.env;

const mounts = [
  'browser',
  'devtools',
  'devtools-off',
  'express',
  'fetch-handler',
  'jest',
  'jest-suite-runner',
  'node',
  'playwright',
  'playwright-coverage',
  'session',
  'storybook',
  'suite',
  'testing',
  'vitest',
  'vitest-browser',
  'vitest-coverage',
  'vitest-coverage-page',
  'vitest-coverage-setup',
  'vitest-suite-page',
  'vitest-suite-runner',
];
const entries = ['index', 'page', 'contract', 'define', 'client'].concat(
  mounts.map((name) => `mounts/${name}`),
);

/** Returns the files of entry points, which the package has without their folder. */
function filesOf(folder: string, end: string): Record<string, string> {
  const files = entries.map((path) => [path.replace('mounts/', ''), join(folder, `${path}${end}`)]);
  return Object.fromEntries(files) as Record<string, string>;
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

/** The library, the program, and what pages load. */
const library: UserConfig = {
  ...shared,
  entry: { ...filesOf('src', '.ts'), 'cli/main': 'src/cli/main.ts' },
  outputOptions: {
    chunkFileNames: 'chunks/[name].js',
    codeSplitting: {
      groups: [
        { name: 'require-node', test: /\/required?-node\.ts$/ },
        { name: 'fixtures', test: /\/(fixtures|scenarios)\/[\w.-]+\.json$/ },
      ],
    },
  },
};

/** What the page of a trace contains: one file without imports. */
const trace: UserConfig = {
  ...shared,
  alias: {
    '#pages/studio-style.json': resolve(import.meta.dirname, outDir, 'pages/studio-style.json'),
  },
  entry: { 'trace-package': 'src/mounts/trace-package.ts' },
  deps: { neverBundle: [/^node:/, /\/built-pages\.ts$/], alwaysBundle: [/./], onlyBundle: false },
  outputOptions: { codeSplitting: false },
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
          entry: filesOf(typesDir, '.d.ts'),
          // Those of zod are the ones that users have.
          deps: { ...shared.deps, alwaysBundle: [] },
          // Its package.json names its declarations last, where they are not found.
          alias: { mutative: join(import.meta.dirname, 'node_modules/mutative/dist/index.d.ts') },
          dts: { generator: 'oxc', dtsOnly: true },
          outputOptions: { chunkFileNames: 'chunks/[name].ts' },
        },
      ];

// oxlint-disable-next-line import/no-default-export -- tsdown loads it
export default defineConfig([library, trace, ...types]);
