/// <reference types="vite/client" />
import { expect, test } from 'vitest';

const modules = import.meta.glob([
  '../../src/**/*.ts',
  '!../../src/{cli,mounts,verify/proxy,verify/pull,verify/replay}/**',
  // These run tests, or in their processes.
  '!../../src/suite/{jest,node,playwright,vitest}/**',
  '!../../src/suite/{client-seam,node-contexts,trial-runs,watched-fetch,watched-xhr}.ts',
  // These run in their pages.
  '!../../src/studio/**',
  '!**/*.d.ts',
]);

test.each(Object.keys(modules))('%s loads in a browser', async (path) => {
  await expect(modules[path]?.()).resolves.toBeDefined();
});
