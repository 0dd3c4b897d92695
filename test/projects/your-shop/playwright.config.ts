import { defineConfig } from '@playwright/test';
import type { OfficeFixtures, ServerFixtures } from 'backlot/playwright';

const backlotURL = 'http://127.0.0.1:4527';
const { CHROMIUM_PATH } = process.env;

export default defineConfig<OfficeFixtures, ServerFixtures>({
  testDir: 'tests',
  timeout: 60_000,
  use: {
    baseURL: 'http://127.0.0.1:4528',
    backlotURL,
    launchOptions: {
      ...(CHROMIUM_PATH !== undefined && { executablePath: CHROMIUM_PATH }),
      args: ['--no-sandbox', '--disable-gpu'],
    },
  },
  webServer: [
    {
      command: 'npx backlot --port 4527 --sessions required --quiet --config backlot.config.ts',
      url: `${backlotURL}/_backlot/health`,
    },
    {
      command: 'npx vite preview page --port 4528 --host 127.0.0.1 --strictPort',
      url: 'http://127.0.0.1:4528/',
    },
  ],
});
