import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, inject, onTestFinished } from 'vitest';
import { runProgramWith, type Ended } from './program.ts';
import { root } from './tree.ts';

/** The command of the suite. */
export const suite = ['--', 'vitest', 'run'];

/** Returns the entry point that a project would import. */
export function built(): string {
  return join(inject('program'), '../../vitest.js');
}

/**
 * Copies a suite that is run again and again, for the tests of one file: what runs write into its folder is their own. Returns
 * the folder, and a function that runs a command there, with environment variables that choose the files of the suite.
 */
export function openSuite() {
  const shop = mkdtempSync(join(tmpdir(), 'backlot-suite-'));
  cpSync(join(root, 'test/projects/suite'), shop, {
    recursive: true,
    filter: (path) => !/(node_modules|\.backlot)$/.test(path),
  });
  symlinkSync(join(root, 'node_modules'), join(shop, 'node_modules'));
  afterAll(() => rmSync(shop, { recursive: true, force: true }));
  const run = (
    args: readonly string[],
    env: Readonly<Record<string, string>> = {},
  ): Promise<Ended> => runProgramWith({ BACKLOT_VITEST: built(), ...env }, shop, ...args);
  return { shop, run };
}

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'backlot-suite-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** Returns the lines of findings. */
export function findingsIn({ out }: Ended): string[] {
  return out.split('\n').filter((line) => line.startsWith('✗ '));
}
