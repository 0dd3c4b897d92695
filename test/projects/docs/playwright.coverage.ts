import config from './blocks/coverage-in-playwright.ts';
import { launchOptions } from './launch.ts';

export default {
  ...config,
  testDir: 'blocks',
  testMatch: 'reference-backlot-playwright.spec.ts',
  use: { backlotURL: 'http://127.0.0.1:14000', launchOptions },
};
