import { fileURLToPath } from 'node:url';
import type { SessionStore } from '../../engine/sessions/store.ts';
import { FileStore } from './file-store.ts';
import { isWindows } from './platform.ts';
import { RedisStore, type RedisStoreOptions } from './redis-store.ts';

/** Opens the store at a URL that `storeAt` accepts. @throws StoreIssue */
export async function openAt(url: string, options: RedisStoreOptions): Promise<SessionStore> {
  return url.startsWith('file:')
    ? FileStore.open(folderOf(url), options)
    : RedisStore.open(url, options);
}

/** A path may be relative: `file:shops`. On Windows, `file:///C:/shops` has a slash in front of its path. */
function folderOf(url: string): string {
  if (isWindows && url.startsWith('file:///')) return fileURLToPath(url, { windows: true });
  return url.replace(/^file:(?:\/\/(?=.))?/, '');
}
