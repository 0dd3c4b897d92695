import { endText, StoreIssue } from '../../engine/sessions/store.ts';
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isWindows } from './platform.ts';
import {
  decodeFile,
  isMarked,
  keyOf,
  lockName,
  markLength,
  ownName,
  printable,
  readFlags,
  suffixes,
} from './session-file.ts';
import { withPage } from '../../engine/lib/error-page.ts';
import { errorCode } from '../../engine/lib/thrown.ts';

/** Creates a folder, if there is none. `mkdir` with `recursive` never returns below `/proc`. */
export async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder);
  } catch (error) {
    const code = errorCode(error);
    if (code === 'EEXIST') return;
    if (code !== 'ENOENT' || dirname(folder) === folder) throw error;
    await makeFolder(dirname(folder));
    await mkdir(folder);
  }
}

/** Checks that a folder has nothing but what a store has made. @throws StoreIssue that names what else there is */
export async function assertOwnFolder(folder: string): Promise<void> {
  const names = await readdir(folder);
  const others = names.filter((name) => !ownName.test(name) && !tolerated.has(name));
  if (others.length === 0) return;
  throw new StoreIssue(
    withPage(
      'store-folder',
      `The folder ${printable(folder)} has what is not of a store: ${listOf(others)}. Use a folder of its own: --store ${shellWord(`file:${join(folder, 'sessions')}`)}`,
    ),
  );
}

/**
 * Prepares a folder that this process has locked: sets aside what cannot be the file of a session, and
 * deletes what an earlier process has left half done.
 */
export async function tidy(folder: string, warn: (message: string) => void): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true });
  const setAside: string[] = [];
  for (const entry of entries) {
    const { name } = entry;
    const path = join(folder, name);
    const [isSession, isHalf] = [name.endsWith(suffixes.session), name.endsWith(suffixes.half)];
    if ((isSession || isHalf) && !(entry.isFile() && (isHalf || keyOf(name) !== undefined))) {
      setAside.push(name);
      await moveAside(path);
    } else if (isHalf ? await hasMark(path) : isLeft(name)) {
      await rm(path, { force: true });
    }
  }
  if (setAside.length > 0)
    warn(`Set aside, because no session has such a file: ${listOf(setAside)}.`);
}

/**
 * Reads the file of a session. One that is damaged is set aside, and its session begins anew.
 *
 * @returns undefined if there is none
 */
export async function readSession(
  path: string,
  warn: (message: string) => void,
): Promise<string | undefined> {
  let saved: string | undefined;
  try {
    saved = decodeFile(await readFile(path, { encoding: 'utf8', flag: readFlags }));
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOENT') return undefined;
    if (!unusable.has(code)) throw error;
  }
  if (saved !== undefined) return saved;
  await moveAside(path);
  warn(`${printable(path)} is damaged. It was set aside, and its session begins anew.`);
  return endText('what was saved of it cannot be read');
}

/**
 * Returns the keys of sessions that were not used for too long.
 *
 * @param oldest when they must have been used to stay, in milliseconds since 1970
 */
export async function* oldSessions(folder: string, oldest: number): AsyncGenerator<string> {
  for (const name of await readdir(folder)) {
    const key = name.endsWith(suffixes.session) ? keyOf(name) : undefined;
    if (key === undefined) continue;
    const path = join(folder, name);
    const times = await stat(path).catch(() => undefined);
    if (times !== undefined && times.mtimeMs < oldest && (await hasMark(path))) yield key;
  }
}

/** What can never be read as a file: links, folders, sockets, and what is larger than memory. */
const unusable = new Set([
  'ELOOP',
  'EISDIR',
  'ENXIO',
  'EACCES',
  'EPERM',
  'EAGAIN',
  'ERR_FS_FILE_TOO_LARGE',
  'ERR_STRING_TOO_LONG',
]);

/** Renames a file, so that no session uses it. */
async function moveAside(path: string): Promise<void> {
  await rename(path, `${path}.damaged-${Date.now()}`);
}

/** Whether a store has made a file, or has only begun to. */
async function hasMark(path: string): Promise<boolean> {
  const beginning = await beginningOf(path);
  return beginning === '' || isMarked(beginning);
}

/** What systems put into folders by themselves. */
const tolerated = new Set(['lost+found', '.DS_Store', 'Thumbs.db', 'desktop.ini']);

/** Whether a file is of no use, because its process has ended. */
function isLeft(name: string): boolean {
  return name !== lockName && name.endsWith(suffixes.lock);
}

/** Returns how a file begins; a space if it cannot be read. */
async function beginningOf(path: string): Promise<string> {
  const file = await open(path, readFlags).catch(() => undefined);
  if (file === undefined) return ' ';
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(markLength), 0, markLength, 0);
    return buffer.toString('latin1', 0, bytesRead);
  } finally {
    await file.close();
  }
}

function listOf(names: readonly string[]): string {
  const shown = names.slice(0, 3).map(printable).join(', ');
  return names.length > 3 ? `${shown} and ${names.length - 3} more` : shown;
}

/** Quotes a word for a shell, if necessary. */
function shellWord(word: string): string {
  if (isWindows) return /^[\w./\\:@+-]+$/.test(word) ? word : `"${word}"`;
  return /^[\w./:@+-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
