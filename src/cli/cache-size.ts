import { getHeapStatistics } from 'node:v8';

/** Enough for the texts of 100,000 orders. A heap limit of 3.75 GiB, the default on machines with 16 GB, allows it. */
const maxBytes = 402_653_184;

/** Returns how many bytes of texts a server caches: a tenth of the memory that Node.js may use for objects, at most. */
export function cacheSize(): number {
  return Math.min(Math.floor(getHeapStatistics().heap_size_limit / 10), maxBytes);
}
