import { cpSync, globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { buildPackage, pack } from './packed.ts';
import { root, run } from './run.ts';

/** How a kind of folders is tried. */
export interface Trial {
  /** The folders of the folders: `test/projects`. Each of these has a `package.json` with a `test` script. */
  readonly places: readonly string[];
  /** Prepares what all folders use, and returns how to try one. */
  prepare(tarball: string, work: string): Promise<TryFolder>;
}

/** Installs a copy of a folder, runs its `test` script, and returns what the script printed. */
export type TryFolder = (folder: string) => Promise<string>;

export const installOptions = ['--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'];

/** Packs the library once, and tries the folders that the command line names (default: all). */
export async function tryFolders({ places, prepare }: Trial): Promise<void> {
  const folders = new Map(
    places.flatMap((place) =>
      globSync('*/package.json', { cwd: join(root, place) })
        .toSorted()
        .map((path) => [dirname(path), join(root, place, dirname(path))]),
    ),
  );
  const names = [...folders.keys()];
  const wanted = process.argv.slice(2);
  const unknown = wanted.filter((name) => !names.includes(name));
  if (unknown.length > 0) {
    console.error(`There is no ${unknown.join(', ')}, but ${names.join(', ')}.`);
    process.exit(2);
  }
  const work = mkdtempSync(join(tmpdir(), `backlot-${basename(places[0] ?? '')}-`));
  try {
    const tarball = await pack(await buildPackage(join(work, basename(root))), work);
    const tryFolder = await prepare(tarball, work);
    for (const [name, folder] of folders) {
      if (wanted.length > 0 && !wanted.includes(name)) continue;
      await report(name, folder, join(work, 'folders', name), tryFolder);
    }
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

async function report(name: string, from: string, to: string, tryFolder: TryFolder): Promise<void> {
  const started = performance.now();
  cpSync(from, to, { recursive: true });
  try {
    const printed = await tryFolder(to);
    console.log(`ok      ${name} (${Math.round((performance.now() - started) / 1000)} s)`);
    const lines = printed.split('\n').filter((line) => /^(measured|note): /.test(line));
    for (const line of lines) console.log(`        ${line}`);
  } catch (error) {
    process.exitCode = 1;
    console.error(`FAILED  ${name}\n${error instanceof Error ? error.message : String(error)}`);
  } finally {
    rmSync(to, { recursive: true, force: true });
  }
}

/** Installs packages beside those that the `package.json` of a folder names. */
export async function install(folder: string, ...packages: readonly string[]): Promise<void> {
  await run('npm', ['install', ...installOptions, ...packages], folder);
}
