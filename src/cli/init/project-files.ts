import { lstatSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { UsageError } from '../values.ts';

/** Whether there is something at a path: a file, a folder, or a link, even one that leads nowhere. */
export function isThere(path: string): boolean {
  return statOf(path) !== undefined;
}

/**
 * Checks that a file can be written inside of the working directory.
 *
 * @throws UsageError if links lead out of it, a link or a folder is in the place of the file, or a file in that of a folder
 */
export function assertInside(path: string): void {
  const stat = statOf(path);
  if (stat !== undefined && !stat.isFile())
    throw new UsageError(
      `${path} is ${stat.isSymbolicLink() ? 'a link' : 'no file'}. Remove it, or write what init would write yourself.`,
    );
  let folder = dirname(path);
  while (!isThere(folder)) folder = dirname(folder);
  const [root, real] = [realpathSync('.'), realOf(folder)];
  if (real !== root && !real.startsWith(join(root, sep)))
    throw new UsageError(
      `${folder} is a link that leads out of the project, so init cannot write ${path}.`,
    );
  if (!lstatSync(real).isDirectory())
    throw new UsageError(`${folder} is a file, so init cannot write ${path}. Move it first.`);
}

/** Writes a file. @param isNew whether it fails if something is there by now */
export function writeInside(path: string, content: string, isNew: boolean): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content, { flag: isNew ? 'wx' : 'w' });
}

function realOf(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    throw new UsageError(`${folder} is a link that leads nowhere. Remove it first.`);
  }
}

function statOf(path: string) {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    // A file is in the place of one of its folders.
    return undefined;
  }
}
