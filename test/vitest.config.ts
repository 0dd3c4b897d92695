import { join } from 'node:path';
import { msw } from 'msw/vite';
import { playwright } from '@vitest/browser-playwright';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import type { Turn } from './support/conversation.ts';
import { chromiumLaunch } from './support/chromium.ts';
import { tally } from './support/tally.ts';

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
  { find: /^backlot\/(\w+)$/, replacement: join(import.meta.dirname, '../src/adapters/$1.ts') },
];

/** Tests in a real browser, with a real service worker. */
const inBrowser: TestProjectInlineConfiguration = {
  extends: true,
  plugins: [msw({ mode: 'worker-only' })],
  // Named here, because a dependency that Vite finds during a run makes it load the page again.
  optimizeDeps: {
    include: [
      '@msw/data',
      'fastest-levenshtein',
      'msw',
      'msw/browser',
      'mutative',
      'qs-esm',
      'rettime',
      'rou3',
      'zod',
    ],
  },
  test: {
    name: 'browser',
    // One worker script serves all pages of an origin.
    fileParallelism: false,
    include: ['test/browser/**/*.test.ts'],
    browser: {
      enabled: true,
      headless: true,
      screenshotFailures: false,
      provider: playwright({ launchOptions: await chromiumLaunch() }),
      instances: [{ browser: 'chromium' }],
      commands: { converseInNode },
    },
  },
};

export default defineConfig({
  root: join(import.meta.dirname, '..'),
  test: {
    allowOnly: false,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    reporters: ['default', tally],
    coverage: { include: ['src/**/*.ts'], reportsDirectory: 'coverage' },
    projects: [
      {
        extends: true,
        resolve: { alias: entryPoints },
        test: { name: 'node', include: ['test/**/*.test.ts'], exclude: ['test/browser/**'] },
      },
      {
        extends: true,
        resolve: { alias: [{ find: /^msw(?=\/|$)/, replacement: 'msw2' }] },
        test: {
          name: 'node, msw 2',
          include: ['test/adapters/{node,vitest,conversation}*.test.ts'],
        },
      },
      inBrowser,
    ],
  },
});
