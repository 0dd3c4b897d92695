/// <reference types="vite/client" />
import { expect, test } from 'vitest';

const modules = import.meta.glob([
  '../../src/**/*.ts',
  '!../../src/{cli,adapters}/**',
  // The script of the dashboard runs in its page.
  '!../../src/dashboard/client/**',
  '!**/*.d.ts',
]);

test.each(Object.keys(modules))('%s loads in a browser', async (path) => {
  await expect(modules[path]?.()).resolves.toBeDefined();
});
