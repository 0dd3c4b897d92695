import { defineConfig } from '@playwright/test';
import type { OfficeFixtures, ServerFixtures } from 'backlot/playwright';

const servers = {
  'backlot.config.ts': 'http://127.0.0.1:4527',
  'uuid.config.ts': 'http://127.0.0.1:4529',
};
const { CHROMIUM_PATH } = process.env;

export default defineConfig<OfficeFixtures, ServerFixtures>({
  testDir: 'tests',
  timeout: 60_000,
  use: {
    baseURL: 'http://127.0.0.1:4528',
    launchOptions: {
      ...(CHROMIUM_PATH !== undefined && { executablePath: CHROMIUM_PATH }),
      args: ['--no-sandbox', '--disable-gpu'],
    },
  },
  projects: Object.entries(servers).map(([name, backlotURL]) => ({ name, use: { backlotURL } })),
  webServer: [
    ...Object.entries(servers).map(([name, url]) => ({
      command: `npx backlot --port ${new URL(url).port} --sessions required --quiet --config ${name}`,
      url: `${url}/_backlot/health`,
    })),
    {
      command: 'npx vite preview page --port 4528 --host 127.0.0.1 --strictPort',
      url: 'http://127.0.0.1:4528/',
    },
  ],
});
