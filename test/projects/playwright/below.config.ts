import { defineConfig } from '@playwright/test';
import config from './playwright.config.js';

/** A threshold that the tests do not reach. */
export default defineConfig(config, {
  reporter: [['backlot/playwright/coverage', { thresholds: { steps: 50 }, directory: 'below' }]],
});
