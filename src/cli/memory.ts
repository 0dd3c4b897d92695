import { getHeapStatistics, setFlagsFromString } from 'node:v8';

/** Maximum bytes of responses that a server caches, which a heap limit of 4 GiB allows: that of 16 GB of memory. */
const maxCacheSize = 536_870_912;

/** Returns how many bytes of them a server caches: an eighth of the memory that Node.js may use for objects, at most. */
export function cacheSize(): number {
  return Math.min(Math.floor(getHeapStatistics().heap_size_limit / 8), maxCacheSize);
}

/**
 * Makes Node.js collect the objects of each request early, which it sometimes took for long-lived
 * (`.github/decisions/0015-little-garbage.md`).
 */
export function disablePretenuring(): void {
  setFlag('--no-allocation-site-pretenuring');
}

/** Saves up to 64 MB, because nothing of a response is needed after its check. */
export function stopYoungGenerationGrowth(): void {
  setFlag('--semi-space-growth-factor=1');
}

/** Saves 80 MB on a recording of 300 MB, because Node.js collects its entries before its heap grows. */
export function preferSmallHeap(): void {
  stopYoungGenerationGrowth();
  setFlag('--optimize-for-size');
}

function setFlag(flag: string): void {
  try {
    setFlagsFromString(flag);
  } catch {
    // Deno does not have it.
  }
}
