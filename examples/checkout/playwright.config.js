import { defineConfig } from '@playwright/test';

const backlotURL = 'http://127.0.0.1:4000';
const baseURL = 'http://127.0.0.1:4405';
const { CHROMIUM_PATH: executablePath } = process.env;

export default defineConfig({
  testDir: 'e2e',
  use: {
    baseURL,
    backlotURL,
    launchOptions: { args: ['--no-sandbox'], ...(executablePath && { executablePath }) },
  },
  webServer: [
    { command: 'npx backlot --sessions required --quiet', url: `${backlotURL}/_backlot/health` },
    {
      command: 'npx next start --port 4405 --hostname 127.0.0.1',
      url: `${baseURL}/_backlot/health`,
    },
  ],
});
