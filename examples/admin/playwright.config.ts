import { defineConfig } from '@playwright/test';
import type { OfficeFixtures, ServerFixtures } from 'backlot/playwright';

const backlotURL = 'http://127.0.0.1:4401';
const baseURL = 'http://127.0.0.1:4402';
const { CHROMIUM_PATH: executablePath } = process.env;

export default defineConfig<OfficeFixtures, ServerFixtures>({
  testDir: 'e2e',
  use: {
    baseURL,
    backlotURL,
    launchOptions: { args: ['--no-sandbox'], ...(executablePath && { executablePath }) },
  },
  webServer: [
    {
      command: 'npx backlot --port 4401 --sessions required --scenario authenticated --quiet',
      url: `${backlotURL}/_backlot/health`,
    },
    {
      command: 'npx vite --port 4402 --host 127.0.0.1 --strictPort',
      url: baseURL,
      env: { BACKLOT_URL: backlotURL, VITE_SERVER: 'yes' },
    },
    {
      command: 'npx vite preview --port 4403 --host 127.0.0.1 --strictPort',
      url: 'http://127.0.0.1:4403',
    },
  ],
});
