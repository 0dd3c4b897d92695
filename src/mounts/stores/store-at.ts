import { fileURLToPath } from 'node:url';
import type { OpenStore } from '../../engine/sessions/store.ts';
import { isWindows } from './platform.ts';
import { StoreIssue } from './store-issue.ts';

/**
 * Returns what opens the store at a URL: `file:./shops` for one process, `redis://localhost:6379/0` for several.
 *
 * @param advertise where other servers reach this one (default: nowhere)
 * @throws StoreIssue for a URL of another kind
 */
export function storeAt(url: string, advertise = ''): OpenStore {
  if (/^rediss?:/.test(url)) {
    return async (context) => {
      const { RedisStore } = await import('./redis-store.ts');
      return RedisStore.open(url, { ...context, advertise });
    };
  }
  const folder = folderOf(url);
  if (folder === '')
    throw new StoreIssue('The store must be file:<folder> or redis://host:6379/0.');
  return async (context) => {
    const { FileStore } = await import('./file-store.ts');
    return FileStore.open(folder, context);
  };
}

/** A path may be relative: `file:shops`. On Windows, `file:///C:/shops` has a slash in front of its path. */
function folderOf(url: string): string {
  if (isWindows && url.startsWith('file:///')) return fileURLToPath(url, { windows: true });
  const [, folder = ''] = /^file:(?:\/\/)?(.+)$/.exec(url) ?? [];
  return folder;
}
