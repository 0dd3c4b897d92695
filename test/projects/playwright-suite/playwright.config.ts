import { defineConfig } from '@playwright/test';
import type { OfficeFixtures, ServerFixtures } from 'backlot/playwright';

// The tests of Backlot itself run this suite on free ports, with a program that is not installed.
const { BACKLOT_PROGRAM: program = 'npx backlot', CASES, CHROMIUM_PATH, PORTS } = process.env;
const [port, appPort] = PORTS?.split(',') ?? ['4527', '4528'];
const backlotURL = `http://127.0.0.1:${port}`;
const baseURL = `http://127.0.0.1:${appPort}`;

export default defineConfig<OfficeFixtures, ServerFixtures>({
  testDir: 'tests',
  testMatch: CASES ?? 'order.spec.ts',
  use: {
    baseURL,
    backlotURL,
    launchOptions: {
      ...(CHROMIUM_PATH !== undefined && { executablePath: CHROMIUM_PATH }),
      args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
    },
  },
  webServer: [
    {
      command: `${program} --port ${port} --sessions required --quiet`,
      url: `${backlotURL}/_backlot/health`,
      reuseExistingServer: process.env['REUSE'] === 'yes',
    },
    {
      command: 'node server.js',
      url: `${baseURL}/health`,
      env: { PORT: appPort!, BACKLOT_URL: backlotURL },
    },
  ],
});
