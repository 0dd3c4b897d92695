import { playwright } from '@vitest/browser-playwright';
import { defineConfig } from 'vitest/config';
import browserMode from './blocks/in-tests-vitest-in-browser-mode.ts';
import { launchOptions } from './launch.ts';

const { optimizeDeps, test } = browserMode;

export default defineConfig({
  test: {
    projects: [
      { test: { name: 'node', include: ['blocks/*.test.ts'] } },
      {
        optimizeDeps,
        test: {
          ...test,
          name: 'browser',
          include: ['**/*.test.ts'],
          browser: {
            ...test?.browser,
            headless: true,
            screenshotFailures: false,
            provider: playwright({ launchOptions }),
          },
        },
      },
    ],
  },
});
