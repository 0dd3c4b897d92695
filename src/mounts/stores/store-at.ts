import { fileURLToPath } from 'node:url';
import { StoreIssue, type OpenStore } from '../../engine/sessions/store.ts';
import { isWindows } from './platform.ts';

/**
 * Returns what opens the store at a URL: `file:./shops` for one process, `redis://localhost:6379/0` for several.
 *
 * @throws StoreIssue for a URL of another kind
 */
export function storeAt(url: string): OpenStore {
  if (typeof url !== 'string' || !/^(?:file|rediss?):./.test(url)) {
    const given = typeof url === 'string' ? `'${url}'` : `a value of type ${typeof url}`;
    throw new StoreIssue(
      `The store must be 'file:<folder>' or 'redis://host:6379/0', not ${given}.`,
    );
  }
  return async (context) => {
    if (url.startsWith('file:')) {
      const { FileStore } = await import('./file-store.ts');
      return FileStore.open(folderOf(url), context);
    }
    const { RedisStore } = await import('./redis-store.ts');
    return RedisStore.open(url, context);
  };
}

/** A path may be relative: `file:shops`. On Windows, `file:///C:/shops` has a slash in front of its path. */
function folderOf(url: string): string {
  if (isWindows && url.startsWith('file:///')) return fileURLToPath(url, { windows: true });
  return url.replace(/^file:(?:\/\/(?=.))?/, '');
}
