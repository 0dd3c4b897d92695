import type { ApiResponse } from '../rest/message.ts';
import type { OpenShop } from '../scenario/start.ts';
import { ReadLog } from '../store/transaction.ts';

/** What a cache requires of a shop. */
type CachedShop = Pick<OpenShop, 'transaction' | 'clock' | 'settings'>;

interface Entry {
  readonly response: ApiResponse;
  readonly reads: ReadLog;
  /** Approximate size in characters. */
  readonly size: number;
  /** The number of writes when the entry was last current. */
  writes: number;
}

/** Caches GET responses until the rows that they were made of, the clock or the settings change. The oldest go first. */
export class ResponseCache {
  readonly #shop: CachedShop;
  readonly #budget: number;
  /** By URL, the oldest first. */
  readonly #entries = new Map<string, Entry>();
  #characters = 0;
  #writes = -1;
  #now = '';
  #settings: OpenShop['settings'] | undefined;

  /** @param budget approximate size of the cache, in characters */
  constructor(shop: CachedShop, budget: number) {
    this.#shop = shop;
    this.#budget = budget;
  }

  /** Returns whether nothing was written since the last call, at the same time of the clock. */
  revalidate(): boolean {
    const { transaction, clock, settings } = this.#shop;
    const { writes } = transaction;
    const now = clock.now();
    if (writes === this.#writes && now === this.#now) return true;
    if (now !== this.#now || settings !== this.#settings) this.#clear();
    this.#writes = writes;
    this.#now = now;
    this.#settings = settings;
    return false;
  }

  /** Returns the cached response for this URL, or the one that `read` returns, which is cached if it wrote nothing. */
  get(url: string, read: () => ApiResponse): ApiResponse {
    const { transaction } = this.#shop;
    const cached = this.#entries.get(url);
    const { writes } = transaction;
    if (cached !== undefined) {
      if (cached.writes === writes || cached.reads.isCurrent()) {
        cached.writes = writes;
        return cached.response;
      }
      this.#remove(url, cached);
    }
    const reads = new ReadLog();
    transaction.reads = reads;
    try {
      const response = read();
      const size = entrySize + url.length + (response.body?.length ?? 0) + reads.size * readSize;
      const isCached = transaction.writes === writes && size <= this.#budget;
      if (isCached) this.#add(url, { response, reads, size, writes });
      return response;
    } finally {
      transaction.reads = undefined;
    }
  }

  #add(url: string, entry: Entry): void {
    this.#entries.set(url, entry);
    this.#characters += entry.size;
    if (this.#characters <= this.#budget) return;
    for (const [oldest, other] of this.#entries) {
      this.#remove(oldest, other);
      if (this.#characters <= this.#budget) break;
    }
  }

  #remove(url: string, entry: Entry): void {
    this.#entries.delete(url);
    this.#characters -= entry.size;
  }

  #clear(): void {
    if (this.#characters === 0) return;
    this.#entries.clear();
    this.#characters = 0;
  }
}

/** About the size of an entry without its URL and body, and of a row that was read, in characters. */
const [entrySize, readSize] = [500, 16];
