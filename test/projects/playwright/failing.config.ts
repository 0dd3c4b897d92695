import { defineConfig } from '@playwright/test';
import config from './playwright.config.js';

/** A test that fails, for the attachment of its report. */
export default defineConfig(config, { testDir: 'failing', retries: 0, reporter: 'json' });
