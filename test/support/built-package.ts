import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll } from 'vitest';
import type * as Node from '../../src/mounts/node.ts';
import { root } from './tree.ts';

/** The built package, which has what its pages show. */
export interface BuiltPackage {
  readonly folder: string;
  /** `backlot/node` */
  readonly node: typeof Node;
}

/** Builds the package for the tests of a file. It finds its peers, so it stands below node_modules. */
export async function buildPackage(): Promise<BuiltPackage> {
  const cache = join(root, 'node_modules/.cache');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'package-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  for (const name of ['package.json', 'fixtures', 'scenarios'])
    cpSync(join(root, name), join(folder, name), { recursive: true });
  const build = join(root, 'tools/build.ts');
  await promisify(execFile)(process.execPath, [build], {
    env: { ...process.env, OUT_DIR: join(folder, 'dist') },
  });
  const node = (await import(pathToFileURL(join(folder, 'dist/node.js')).href)) as typeof Node;
  return { folder, node };
}
