import control from './blocks/control-api-playwright.ts';
import inTests from './blocks/in-tests-playwright.ts';
import trace from './blocks/trace-of-failed-tests.ts';
import { launchOptions } from './launch.ts';

const servers = [inTests.webServer ?? [], control.webServer ?? []].flat();

export default {
  ...control,
  // Two blocks start the same one.
  webServer: servers.filter(({ url }, at) => servers.findIndex((one) => one.url === url) === at),
  testMatch: '*.spec.ts',
  use: { ...control.use, ...trace.use, launchOptions },
};
