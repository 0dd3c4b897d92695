import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { environment, root, run } from './run.ts';

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly bin: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, unknown>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly inlinedDependencies: Readonly<Record<string, string>>;
}

/** The package.json of this project. */
export const manifest: Manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** Returns the package.json of the package, which has no scripts: its users do not have the tools that these run. */
export function packedManifest(): string {
  return `${JSON.stringify({ ...manifest, scripts: undefined }, null, 2)}\n`;
}

/**
 * Builds the package in a new folder, outside of the source tree, and returns the folder.
 *
 * @param options `--no-types` for one without declarations
 */
export async function buildPackage(folder: string, ...options: string[]): Promise<string> {
  for (const name of ['README.md', 'LICENSE', 'fixtures', 'scenarios'])
    cpSync(join(root, name), join(folder, name), { recursive: true });
  writeFileSync(join(folder, 'package.json'), packedManifest());
  const env = { ...environment, OUT_DIR: join(folder, 'dist') };
  await run('node', ['tools/build.ts', ...options], root, env);
  return folder;
}

/** Packs a built package and returns the path of the tarball in the destination folder. */
export async function pack(folder: string, destination: string): Promise<string> {
  const options = ['--ignore-scripts', '--json', '--loglevel=error'];
  await run('npm', ['pack', ...options, '--pack-destination', destination], folder);
  return join(destination, `${manifest.name}-${manifest.version}.tgz`);
}
