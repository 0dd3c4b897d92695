import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, inject } from 'vitest';
import { runScript, type Ended } from '../../support/program.ts';
import { root } from '../../support/tree.ts';
import { pack } from '../../../tools/packed.ts';
import { install } from '../../../tools/try-folders.ts';

/** A copy of a project, whose files a test may change. */
export interface ProjectCopy {
  readonly folder: string;
  /** Runs the command of the installed package. */
  run(...args: readonly string[]): Promise<Ended>;
}

/**
 * Installs what a project of this repository requires, and the built package, for the tests of a file.
 *
 * @returns a function that copies the project
 */
export async function installed(path: string): Promise<(name: string) => ProjectCopy> {
  const work = mkdtempSync(join(tmpdir(), 'backlot-proof-'));
  afterAll(() => rmSync(work, { recursive: true, force: true }));
  cpSync(join(root, path, 'package.json'), join(work, 'package.json'));
  await install(work, await pack(join(inject('program'), '../../..'), work));
  const command = join(work, 'node_modules/backlot/dist/cli/main.js');
  return (name) => {
    // Packages are found in the folder above.
    const folder = join(work, name);
    cpSync(join(root, path), folder, { recursive: true });
    return { folder, run: (...args) => runScript(command, {}, folder, args) };
  };
}

/** Returns the ids of mutants that no test notices, in the order of the report that a run has written into a project. */
export function survivorsIn({ folder }: ProjectCopy, report: string): string[] {
  const { files } = JSON.parse(readFileSync(join(folder, report), 'utf8')) as {
    readonly files: Readonly<
      Record<
        string,
        { readonly mutants: readonly { readonly id: string; readonly status: string }[] }
      >
    >;
  };
  const mutants = Object.values(files).flatMap((file) => file.mutants);
  return mutants.filter(({ status }) => status === 'Survived').map(({ id }) => id);
}

/** Calls a function with each item, two at once, and returns the results in the order of the items. */
export async function mapTwo<Item, Result>(
  items: readonly Item[],
  work: (item: Item, index: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const left = items.entries();
  const take = async (): Promise<void> => {
    for (const [index, item] of left) results[index] = await work(item, index);
  };
  await Promise.all([take(), take()]);
  return results;
}
