import type { SessionStore } from '../../engine/sessions/store.ts';
import type { StoreCount } from '../../engine/sessions/metrics.ts';

/** Returns a store whose operations are counted with the time that they take. */
export function measuredStore(store: SessionStore, count: StoreCount): SessionStore {
  const timed = async <Result>(operation: string, work: Promise<Result>): Promise<Result> => {
    const start = performance.now();
    let isDone = false;
    try {
      const result = await work;
      isDone = true;
      return result;
    } finally {
      count(operation, performance.now() - start, isDone);
    }
  };
  return {
    get isAvailable() {
      return store.isAvailable;
    },
    get hangs() {
      return store.hangs ?? false;
    },
    read: async (...read) => timed('read', store.read(...read)),
    write: async (...write) => timed('write', store.write(...write)),
    delete: async (key) => timed('delete', store.delete(key)),
    close: async () => store.close(),
  };
}
