import { StoreIssue, type OpenStore } from '../../engine/sessions/store.ts';

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
    const { openAt } = await import('./open-store.ts');
    return openAt(url, context);
  };
}
