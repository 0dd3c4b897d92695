import type { OpenStore } from '../../engine/sessions/store.ts';
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
  const [, folder = ''] = /^file:(?:\/\/)?(.+)$/.exec(url) ?? [];
  if (folder === '')
    throw new StoreIssue('The store must be file:<folder> or redis://host:6379/0.');
  return async (context) => {
    const { FileStore } = await import('./file-store.ts');
    return FileStore.open(folder, context);
  };
}
