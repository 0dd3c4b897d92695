import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { msw as mswPlugin } from 'msw/vite';
import { playwright } from '@vitest/browser-playwright';
import type { Plugin } from 'vite';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import type { ProjectConfig, Reporter } from 'vitest/node';
import { run } from '../tools/run.ts';
import { programTags } from './support/programs.ts';
import type { Turn } from './support/conversation.ts';
import { chromiumLaunch, hasChromium } from './support/chromium.ts';
import { tally } from './support/tally.ts';
import { workerScript } from './support/worker-script.ts';

// Builds the pages of servers if their sources are newer.
await run('node', ['tools/pages.ts']);

/** Where no Chromium is, the projects in a real browser are left out, and `tally` says so. */
const chromium = (await hasChromium()) ? await chromiumLaunch() : undefined;

/** The conversation as Node has it, for a page to compare its own with. */
async function converseInNode(): Promise<Turn[]> {
  const { createBackOffice } = await import('../src/index.ts');
  const { converse } = await import('./support/conversation.ts');
  const backOffice = createBackOffice();
  return converse((url, init) => backOffice.fetch(url, init));
}

/** The entry points by their names, as the sources they are made from: for what README shows. */
const entryPoints = [
  { find: /^backlot$/, replacement: join(import.meta.dirname, '../src/index.ts') },
  {
    find: /^backlot\/(client|contract|define)$/,
    replacement: join(import.meta.dirname, '../src/$1.ts'),
  },
  {
    find: /^backlot\/vitest\/coverage$/,
    replacement: join(import.meta.dirname, '../src/mounts/vitest/coverage.ts'),
  },
  { find: /^backlot\/suite$/, replacement: join(import.meta.dirname, '../src/suite/suite.ts') },
  { find: /^backlot\/(\w+)$/, replacement: join(import.meta.dirname, '../src/mounts/$1.ts') },
];

/** What is tested without an interceptor, a program or a browser, which others in the process could meet. */
const core =
  'test/{checkout,contract,control,define,faults,fixtures,journal,models,office,resources,rest,scenario,sessions,store,workflows}/**/*.test.ts';

/** What starts processes, and what takes seconds: only `npm run test:all` runs these. */
const slow = 'test/**/*.{process,slow}.test.ts';

/** What is tested through a host, and the program once. */
const hosted = 'test/{cli/smoke,{coverage,mounts,project,readme,todo}/**/*}.test.ts';

/** What is tested in environments that imitate a page, beside the conversation. */
const inPageLikes = '{node,node-servers,node-undici,vitest}';

/** Ends the names of projects that only `npm run test:long` runs. */
const long = 'long';

/** What starts a real browser itself. */
const withChromium =
  'test/{mounts/{vite-app,other-workers},cli/foreign-page,suite/{browser-mode,playwright},dashboard/*,recordings/{chromium,dropped},studio/*}.test.ts';

/** What `npm test` looks at in a real browser. */
const quickPages = 'test/studio/{parts,smoke}.test.ts';

/**
 * A failed test runs again: a browser on a busy machine may take seconds for what takes milliseconds. What hangs is told
 * after 30 s, as by the actions of `test/support/studio.ts`.
 */
const inRealBrowser = { retry: 1, expect: { poll: { timeout: 30_000 } } };

const root = join(import.meta.dirname, '..');

/** What holds for the tests of all projects. */
const common: ProjectConfig = {
  allowOnly: false,
  tags: [
    { name: 'long', description: 'Takes long: only `npm run test:long` runs these.' },
    ...programTags,
  ],
  // A run that nobody watches may have the whole machine: vitest would leave a core of it idle, and tests that wait for
  // programs and time limits leave one, too.
  maxWorkers: availableParallelism() + 1,
  // Each test awaits a cause. These only end what hangs, on the busiest of machines.
  testTimeout: 600_000,
  hookTimeout: 600_000,
  expect: { poll: { timeout: 120_000 } },
};

/** Nothing outlives a test of the core but what modules compute once, so files share them. */
const ofCore: ProjectConfig = {
  setupFiles: 'test/support/parts.ts',
  isolate: false,
  pool: 'threads',
  // After the tests that wait for programs and browsers: types, which are checked first, fill what these leave.
  sequence: { groupOrder: 1 },
};

/** No file leaves anything behind, so files share what modules compute once. */
const ofHosts: ProjectConfig = { setupFiles: 'test/support/parts.ts', isolate: false };

/** Returns a project. One that extends this file would have vitest run it once more, and there are twenty. */
function project({
  test,
  ...vite
}: TestProjectInlineConfiguration): TestProjectInlineConfiguration {
  return { extends: false, root, ...vite, test: { ...common, ...test } };
}

/** Tests in a real browser, with a real service worker. */
function inBrowser(
  of: { readonly name: string; readonly include: string[] },
  msw: 'msw' | 'msw2',
  ...plugins: Plugin[]
): TestProjectInlineConfiguration {
  return project({
    plugins,
    resolve: { alias: asMsw(msw) },
    // Named here, because a dependency that Vite finds during a run makes it load the page again.
    optimizeDeps: {
      include: [
        '@msw/data',
        '@preact/signals',
        'fastest-levenshtein',
        'idb-keyval',
        msw,
        `${msw}/browser`,
        'mutative',
        'preact',
        'preact/hooks',
        'preact/jsx-dev-runtime',
        'preact/jsx-runtime',
        'qs-esm',
        'rettime',
        'zod',
      ],
    },
    test: {
      ...of,
      ...inRealBrowser,
      // One worker script serves all pages of an origin.
      fileParallelism: false,
      browser: {
        enabled: true,
        headless: true,
        screenshotFailures: false,
        provider: playwright({ launchOptions: chromium ?? {} }),
        instances: [{ browser: 'chromium' }],
        commands: { converseInNode },
      },
    },
  });
}

/**
 * The tests of the studio as the panel of `backlot/devtools`: beside a server, and beside `startWorker`. One file of tasks
 * each time, the others by name.
 */
function studioIn(place: 'panel' | 'worker'): TestProjectInlineConfiguration[] {
  const smoke = 'test/studio/smoke.test.ts';
  const inPlace = (name: string, include: string, exclude: string[] = []) =>
    project({
      test: {
        name,
        // Files share a browser.
        isolate: false,
        ...inRealBrowser,
        include: [include],
        exclude,
        globalSetup: 'test/support/panel-host.ts',
        env: { STUDIO_IN: place },
      },
    });
  return [
    inPlace(`studio, ${place}`, smoke),
    inPlace(`studio, ${place}, ${long}`, 'test/studio/*.test.ts', [
      smoke,
      // These test the page or its parts, start a panel themselves, or do not depend on what is behind the panel.
      'test/studio/{devtools,extended,files,large,openings,parts,pictures}.test.ts',
      ...(place === 'worker' ? ['test/studio/{accessibility,chaos}.test.ts'] : []),
    ]),
  ];
}

/**
 * Tests of the adapters for Node in an environment that imitates a page, or with a version of MSW. One conversation each
 * time, the others by name.
 */
function adaptersIn(
  name: string,
  msw: 'msw' | 'msw2',
  files: string,
  environment: 'node' | 'jsdom' | 'happy-dom' = 'node',
): TestProjectInlineConfiguration[] {
  const ofFiles = (title: string, include: string) =>
    project({
      resolve: { alias: asMsw(msw) },
      test: {
        name: title,
        include: [`test/mounts/${include}.test.ts`],
        environment,
        setupFiles: 'test/support/preload-msw.ts',
      },
    });
  return [ofFiles(name, 'conversation'), ofFiles(`${name}, ${long}`, files)];
}

/**
 * Returns the reporters that count what is met of the contract, if the variable `CONTRACT_COVERAGE` asks for them: they load
 * much of `src`. `tools/contract-coverage.ts` merges what they write.
 */
async function contractReporters(): Promise<Reporter[]> {
  if (process.env['CONTRACT_COVERAGE'] === undefined) return [];
  const { ContractCoverageReporter } = await import('../src/mounts/vitest/coverage.ts');
  const { TESTS: suite = 'backlot' } = process.env;
  const directory = `coverage/${suite}`;
  const counted = new ContractCoverageReporter({ reporters: ['json', 'junit'], directory });
  if (suite !== 'quick') return [counted];
  // What `npm run test:tools -- prism` reads
  const { AnswerReporter } = await import('./support/answer-reporter.ts');
  return [counted, new AnswerReporter()];
}

/** Has `msw` mean one of the versions that there are. */
function asMsw(replacement: string) {
  return [{ find: /^msw(?=\/|$)/, replacement }];
}

/** The tests in a real browser, with each version of MSW. */
function inBrowsers(): TestProjectInlineConfiguration[] {
  return [
    inBrowser(
      { name: 'browser', include: ['test/browser/**/*.test.ts'] },
      'msw',
      mswPlugin({ mode: 'worker-only' }),
    ),
    inBrowser(
      {
        name: 'browser, msw 2',
        include: ['test/browser/conversation.test.ts'],
      },
      'msw2',
      workerScript('msw2', '/', ['mockServiceWorker.js']),
    ),
    inBrowser(
      {
        name: `browser, msw 2, ${long}`,
        include: ['test/browser/{control,devtools,starts,worker}.test.ts'],
      },
      'msw2',
      workerScript('msw2', '/', ['mockServiceWorker.js']),
    ),
  ];
}

export default defineConfig({
  root,
  test: {
    ...common,
    reporters: ['default', tally, ...(await contractReporters())],
    coverage: { include: ['src/**/*.ts'], reportsDirectory: 'coverage' },
    projects: [
      // `npm test` runs these three.
      project({ test: { ...ofCore, name: 'core', include: [core], exclude: [slow] } }),
      project({
        resolve: { alias: entryPoints },
        test: { ...ofHosts, name: 'node', include: [hosted], exclude: [slow, withChromium] },
      }),
      project({ test: { ...inRealBrowser, name: 'studio', include: [quickPages] } }),
      // `npm run test:all` runs the others, and `npm run test:long` those whose names end with "long".
      project({
        test: { ...ofCore, name: 'core, slow', include: [core.replace('*.test', '*.slow.test')] },
      }),
      project({
        resolve: { alias: entryPoints },
        test: {
          ...ofHosts,
          name: 'node, slow',
          include: [slow, 'test/{cli,drift,recordings,stores,suite}/**/*.test.ts'],
          exclude: [core, 'test/cli/smoke.test.ts', 'test/{browser,projects}/**', withChromium],
          globalSetup: 'test/support/built-program.ts',
        },
      }),
      project({
        resolve: { alias: entryPoints },
        test: {
          ...inRealBrowser,
          name: 'page',
          isolate: false,
          include: [withChromium],
          exclude: [quickPages],
          globalSetup: 'test/support/built-program.ts',
        },
      }),
      ...adaptersIn('node, msw 2', 'msw2', '{node,vitest,hold}*'),
      ...studioIn('panel'),
      ...studioIn('worker'),
      ...adaptersIn('jsdom', 'msw', inPageLikes, 'jsdom'),
      ...adaptersIn('jsdom, msw 2', 'msw2', inPageLikes, 'jsdom'),
      ...adaptersIn('happy-dom', 'msw', inPageLikes, 'happy-dom'),
      ...adaptersIn('happy-dom, msw 2', 'msw2', inPageLikes, 'happy-dom'),
      ...(chromium === undefined ? [] : inBrowsers()),
    ],
  },
});
