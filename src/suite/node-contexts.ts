import { AsyncLocalStorage } from 'node:async_hooks';
import type { SeamContexts } from './seam-request.ts';

/** Returns the asynchronous contexts of requests in Node.js. */
export function nodeContexts(): SeamContexts {
  const storage = new AsyncLocalStorage<true>();
  return {
    isInside: () => storage.getStore() === true,
    inside: (send) => storage.run(true, send),
    snapshot: () => AsyncLocalStorage.snapshot(),
  };
}
