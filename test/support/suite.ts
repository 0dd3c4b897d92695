import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject, onTestFinished } from 'vitest';
import { runProgramWith, type Ended } from './program.ts';

/** The folder of a suite that is run again and again. */
export const shop = join(import.meta.dirname, '../projects/suite');

/** The command of the suite. */
export const suite = ['--', 'vitest', 'run'];

/** Returns the entry point that a project would import. */
export function built(): string {
  return join(inject('program'), '../../vitest.js');
}

/** Runs a command in the folder of the suite, with environment variables that choose its files. */
export function run(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  return runProgramWith({ BACKLOT_VITEST: built(), ...env }, shop, ...args);
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
