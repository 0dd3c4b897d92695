import { defineConfig } from '@playwright/test';
import type { OfficeFixtures, ServerFixtures } from 'backlot/playwright';

const backlotURL = 'http://127.0.0.1:4517';
const baseURL = 'http://127.0.0.1:4518';

export default defineConfig<OfficeFixtures, ServerFixtures>({
  testDir: 'tests',
  fullyParallel: true,
  workers: 8,
  timeout: 60_000,
  expect: { timeout: 20_000 },
  retries: 1,
  reporter: [
    ['dot'],
    ['./fixture-times.ts'],
    ['backlot/playwright/coverage', { reporters: ['json', 'html'], thresholds: { all: 1 } }],
  ],
  use: {
    baseURL,
    backlotURL,
    launchOptions: {
      ...(process.env.CHROMIUM_PATH !== undefined && {
        executablePath: process.env.CHROMIUM_PATH,
      }),
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
  webServer: [
    {
      command: 'npx backlot --port 4517 --sessions required --quiet',
      url: `${backlotURL}/_backlot/health`,
    },
    { command: 'node app/server.js', url: `${baseURL}/health`, env: { BACKLOT_URL: backlotURL } },
  ],
});
