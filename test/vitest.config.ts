import { join } from 'node:path';
import { msw as mswPlugin } from 'msw/vite';
import { playwright } from '@vitest/browser-playwright';
import type { Plugin } from 'vite';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { ContractCoverageReporter } from '../src/adapters/vitest-coverage.ts';
import { AnswerReporter } from './support/answer-reporter.ts';
import { hasProgram } from './support/redis.ts';
import type { Turn } from './support/conversation.ts';
import { chromiumLaunch } from './support/chromium.ts';
import { tally } from './support/tally.ts';
import { dashboardAssets, workerScript } from './support/worker-script.ts';

const chromium = await chromiumLaunch();

/** The tests that a machine without Redis cannot run. */
const withRedis = ['test/stores/redis.test.ts', 'test/stores/owners.test.ts'];
const unrun = hasProgram('redis-server', withRedis.join(', ')) ? [] : withRedis;

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
  { find: /^backlot\/contract$/, replacement: join(import.meta.dirname, '../src/contract.ts') },
  {
    find: /^backlot\/vitest\/coverage$/,
    replacement: join(import.meta.dirname, '../src/adapters/vitest-coverage.ts'),
  },
  { find: /^backlot\/(\w+)$/, replacement: join(import.meta.dirname, '../src/adapters/$1.ts') },
];

/** In CI, the tests that CI runs anyway meet all of these; `test/coverage` does not count what hints meet. */
const contractCoverage =
  process.env['CONTRACT_COVERAGE'] === undefined
    ? []
    : [
        new ContractCoverageReporter({
          reporters: ['text', 'json', 'html', 'ctrf'],
          thresholds: { statuses: 100, steps: 100, states: 100, transitions: 100, enums: 100 },
          maxGaps: 20,
        }),
        // What `npm run test:tools -- prism` reads
        new AnswerReporter(),
      ];

/** What is tested without an interceptor, a program or a browser, which others in the process could meet. */
const core =
  'test/{checkout,contract,control,faults,fixtures,journal,models,office,resources,rest,scenario,sessions,store,workflows}/**/*.test.ts';

/** The module that takes the other one's place in pages, as it does in the build. */
const recorderOfPages = {
  find: './vitest-recorder.ts',
  replacement: join(import.meta.dirname, '../src/adapters/vitest-recorder-browser.ts'),
};

/** What starts a real browser itself. */
const withChromium = 'test/{adapters/vite-app,cli/foreign-page,dashboard/*,studio/*}.test.ts';

/** How often a failed test runs again: a browser on a busy machine may take seconds for what takes milliseconds. */
const inRealBrowser = 1;

/** Tests in a real browser, with a real service worker. */
function inBrowser(
  project: { readonly name: string; readonly include: string[] },
  msw: 'msw' | 'msw2',
  ...plugins: Plugin[]
): TestProjectInlineConfiguration {
  return {
    extends: true,
    plugins: [...plugins, dashboardAssets],
    resolve: { alias: [...asMsw(msw), recorderOfPages] },
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
      ...project,
      retry: inRealBrowser,
      // One worker script serves all pages of an origin.
      fileParallelism: false,
      browser: {
        enabled: true,
        headless: true,
        screenshotFailures: false,
        provider: playwright({ launchOptions: chromium }),
        instances: [{ browser: 'chromium' }],
        commands: { converseInNode },
      },
    },
  };
}

/** The tests of the studio as the panel of `backlot/devtools`: beside a server, and beside `startWorker`. */
function studioIn(place: 'panel' | 'worker'): TestProjectInlineConfiguration {
  return {
    extends: true,
    test: {
      name: `studio, ${place}`,
      retry: inRealBrowser,
      include: ['test/studio/*.test.ts'],
      // These test the page or its parts, start a panel themselves, or do not depend on what is behind the panel.
      exclude: [
        'test/studio/{devtools,large,parts}.test.ts',
        ...(place === 'worker' ? ['test/studio/accessibility.test.ts'] : []),
      ],
      globalSetup: 'test/support/panel-host.ts',
      env: { STUDIO_IN: place },
    },
  };
}

/** Tests of the adapters for Node in an environment that imitates a page. */
function inPageLike(
  environment: 'jsdom' | 'happy-dom',
  msw: 'msw' | 'msw2',
): TestProjectInlineConfiguration {
  return {
    extends: true,
    resolve: { alias: asMsw(msw) },
    test: {
      name: msw === 'msw' ? environment : `${environment}, msw 2`,
      include: ['test/adapters/{node,node-servers,node-undici,vitest,conversation}.test.ts'],
      environment,
    },
  };
}

/** Has `msw` mean one of the versions that there are. */
function asMsw(replacement: string) {
  return [{ find: /^msw(?=\/|$)/, replacement }];
}

export default defineConfig({
  root: join(import.meta.dirname, '..'),
  test: {
    allowOnly: false,
    tags: [
      { name: 'long', description: 'Too long for each time: only `npm run test:all` runs these.' },
    ],
    // A run that nobody watches may have the whole machine; vitest would leave a core of it idle.
    maxWorkers: '100%',
    testTimeout: 30_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 5000 } },
    reporters: ['default', tally, ...contractCoverage],
    coverage: { include: ['src/**/*.ts'], reportsDirectory: 'coverage' },
    projects: [
      {
        extends: true,
        // Nothing outlives a test of these but what modules compute once, so files share them.
        test: { name: 'core', include: [core], isolate: false },
      },
      {
        extends: true,
        resolve: { alias: entryPoints },
        test: {
          name: 'node',
          include: ['test/**/*.test.ts'],
          exclude: ['test/browser/**', 'test/projects/**', core, withChromium, ...unrun],
        },
      },
      {
        extends: true,
        resolve: { alias: entryPoints },
        test: { name: 'page', retry: inRealBrowser, include: [withChromium] },
      },
      {
        extends: true,
        resolve: { alias: asMsw('msw2') },
        test: {
          name: 'node, msw 2',
          include: ['test/adapters/{node,vitest,conversation,hold}*.test.ts'],
        },
      },
      studioIn('panel'),
      studioIn('worker'),
      inPageLike('jsdom', 'msw'),
      inPageLike('jsdom', 'msw2'),
      inPageLike('happy-dom', 'msw'),
      inPageLike('happy-dom', 'msw2'),
      inBrowser(
        { name: 'browser', include: ['test/browser/**/*.test.ts'] },
        'msw',
        mswPlugin({ mode: 'worker-only' }),
      ),
      inBrowser(
        {
          name: 'browser, msw 2',
          include: ['test/browser/{control,conversation,devtools,starts,worker}.test.ts'],
        },
        'msw2',
        workerScript('msw2', '/', ['mockServiceWorker.js']),
      ),
    ],
  },
});
