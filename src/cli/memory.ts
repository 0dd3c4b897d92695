import { getHeapStatistics } from 'node:v8';

/**
 * Maximum bytes of texts that a server caches: enough for 100,000 orders, 430 MB. A heap limit of 3.3 GiB allows those; with
 * 16 GB of memory, it is 4 GiB.
 */
export const maxCacheSize = 536_870_912;

/** Returns how many bytes of texts a server caches: an eighth of the memory that Node.js may use for objects, at most. */
export function cacheSize(): number {
  return Math.min(Math.floor(getHeapStatistics().heap_size_limit / 8), maxCacheSize);
}
