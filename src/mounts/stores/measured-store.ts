import type { SessionStore } from '../../engine/sessions/store.ts';
import type { StoreCount } from '../../engine/sessions/metrics.ts';

/** Returns a store whose claims, saves and releases are counted with the time that they take. */
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
    get leaseUntil() {
      return store.leaseUntil;
    },
    get usableUntil() {
      return store.usableUntil ?? store.leaseUntil;
    },
    get lapses() {
      return store.lapses;
    },
    claim: async (...claim) => timed('claim', store.claim(...claim)),
    save: async (...save) => timed('save', store.save(...save)),
    release: async (...release) => timed('release', store.release(...release)),
    touch: (keys) => store.touch(keys),
    close: async () => store.close(),
  };
}
