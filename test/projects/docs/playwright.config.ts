import config from './blocks/control-api-playwright.ts';
import { launchOptions } from './launch.ts';

export default { ...config, testMatch: '*.spec.ts', use: { ...config.use, launchOptions } };
