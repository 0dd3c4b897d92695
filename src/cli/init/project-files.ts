import {
  closeSync,
  ftruncateSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { thrownMessage } from '../../engine/lib/thrown.ts';
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

/** A change of a file, or a new one, inside of the working directory. */
export interface FileChange {
  readonly path: string;
  readonly content: string;
  /** Whether it fails if something is there by now. */
  readonly isNew: boolean;
}

/**
 * Writes all of these files or, if one of them cannot be written, none.
 *
 * @throws UsageError that names the file, after what was written before it is as it was
 */
export function writeAll(changes: readonly FileChange[]): void {
  const undo: (() => void)[] = [];
  try {
    // These first: nothing has to be undone if one of them may only be read.
    for (const { path, isNew } of changes)
      if (!isNew) attempt(path, () => closeSync(openSync(path, 'r+')));
    for (const change of changes) attempt(change.path, () => write(change, undo));
  } catch (error) {
    for (const back of undo.toReversed()) back();
    throw error;
  }
}

function write({ path, content, isNew }: FileChange, undo: (() => void)[]): void {
  const folder = mkdirSync(dirname(path), { recursive: true });
  if (folder !== undefined) undo.push(() => rmSync(folder, { recursive: true }));
  const descriptor = openSync(path, isNew ? 'wx' : 'r+');
  try {
    const before = isNew ? undefined : readFileSync(path);
    undo.push(() => (before === undefined ? rmSync(path) : writeFileSync(path, before)));
    ftruncateSync(descriptor);
    writeFileSync(descriptor, content);
  } finally {
    closeSync(descriptor);
  }
}

/** @throws UsageError with the reason of the system */
function attempt(path: string, act: () => void): void {
  try {
    act();
  } catch (error) {
    // `EACCES: permission denied, open 'package.json'`
    const reason = thrownMessage(error).replace(/, \w+ '.*$/s, '');
    throw new UsageError(
      `init cannot write ${path}: ${reason}. It wrote nothing. Permit this user to write it, or see the files by --dry-run.`,
    );
  }
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
