import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { builtPackage } from './built-package.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The path of the built program, which starts three times as fast as its sources. */
    program: string;
  }
}

/** Provides the built program to all test files of a project. */
export async function setup(project: TestProject): Promise<() => void> {
  const { folder, remove } = await builtPackage();
  project.provide('program', join(folder, 'dist/cli/main.js'));
  return remove;
}
