import { playwright } from '@vitest/browser-playwright';
import { defineConfig } from 'vitest/config';

const { CHROMIUM_PATH } = process.env;

export default defineConfig({
  optimizeDeps: { include: ['backlot/browser', 'backlot/testing', 'backlot/vitest'] },
  test: {
    browser: {
      enabled: true,
      headless: true,
      screenshotFailures: false,
      provider: playwright({
        launchOptions: {
          ...(CHROMIUM_PATH !== undefined && { executablePath: CHROMIUM_PATH }),
          args: ['--no-sandbox', '--disable-gpu'],
        },
      }),
      instances: [{ browser: 'chromium' }],
    },
  },
});
