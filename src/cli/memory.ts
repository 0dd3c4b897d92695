import { getHeapStatistics, setFlagsFromString } from 'node:v8';

/** Maximum bytes of responses and of views in lists that a server caches, which a heap limit of 4 GiB allows: that of 16 GB of memory. */
export const maxCacheSize = 536_870_912;

/** Returns how many bytes of them a server caches: an eighth of the memory that Node.js may use for objects, at most. */
export function cacheSize(): number {
  return Math.min(Math.floor(getHeapStatistics().heap_size_limit / 8), maxCacheSize);
}

/**
 * Has V8 make all new objects in the young generation. By default, it makes those of a literal in the old generation if most
 * of the first ones lasted, and what they refer to then stays until the whole heap is collected. In one of six processes with
 * 100,000 orders, this befell what Node.js makes for each request, and a request took three times as long.
 */
export function disablePretenuring(): void {
  setFlag('--no-allocation-site-pretenuring');
}

/**
 * Has V8 leave the young generation as large as it is after the start, and collect it more often. It would let it grow to
 * 64 MB, although nothing of a response is needed after its check.
 */
export function stopYoungGenerationGrowth(): void {
  setFlag('--semi-space-growth-factor=1');
}

function setFlag(flag: string): void {
  try {
    setFlagsFromString(flag);
  } catch {
    // Deno does not have it.
  }
}
