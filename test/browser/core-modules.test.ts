/// <reference types="vite/client" />
import { expect, test } from 'vitest';

const modules = import.meta.glob([
  '../../src/**/*.ts',
  '!../../src/{cli,mounts,verify/proxy}/**',
  // These run in their pages.
  '!../../src/studio/**',
  '!**/*.d.ts',
]);

test.each(Object.keys(modules))('%s loads in a browser', async (path) => {
  await expect(modules[path]?.()).resolves.toBeDefined();
});
