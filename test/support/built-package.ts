import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { buildPackage } from '../../tools/packed.ts';
import { root } from './tree.ts';

/** Names the folder of the package that is tested. Vitest sets its projects up one after another, in one process. */
const variable = 'TESTED_PACKAGE';

/**
 * Returns the folder of the package, built without declarations: by the first project of a run that asks for it. It finds the
 * packages that it imports, so it is below node_modules.
 */
export async function builtPackage(): Promise<{ readonly folder: string; remove(): void }> {
  const built = process.env[variable];
  if (built !== undefined) return { folder: built, remove: () => undefined };
  const cache = join(root, 'node_modules/.cache');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'package-'));
  const remove = (): void => {
    delete process.env[variable];
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await buildPackage(folder, '--no-types');
  } catch (error) {
    remove();
    throw error;
  }
  process.env[variable] = folder;
  return { folder, remove };
}
