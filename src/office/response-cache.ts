import type { ApiResponse } from '../rest/message.ts';
import type { OpenShop } from '../scenario/start.ts';
import { ReadLog } from '../store/transaction.ts';

/** What a cache requires of a shop. */
type CachedShop = Pick<OpenShop, 'transaction' | 'clock' | 'settings'>;

interface Entry {
  readonly response: ApiResponse;
  readonly reads: ReadLog;
  /** The number of writes when the entry was last current. */
  writes: number;
}

/** Caches GET responses until the rows that they were made of, the clock or the settings change. The oldest go first. */
export class ResponseCache {
  readonly #shop: CachedShop;
  readonly #budget: number;
  /** By URL, the least recently used first. */
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
    if (cached !== undefined) {
      this.#remove(url, cached);
      if (cached.writes === transaction.writes || cached.reads.isCurrent()) {
        cached.writes = transaction.writes;
        this.#add(url, cached);
        return cached.response;
      }
    }
    const { writes } = transaction;
    const reads = new ReadLog();
    transaction.reads = reads;
    try {
      const response = read();
      if (transaction.writes === writes) this.#add(url, { response, reads, writes });
      return response;
    } finally {
      transaction.reads = undefined;
    }
  }

  #add(url: string, entry: Entry): void {
    const size = sizeOf(url, entry);
    if (size > this.#budget) return;
    this.#characters += size;
    this.#entries.set(url, entry);
    for (const [oldest, other] of this.#entries) {
      if (this.#characters <= this.#budget) break;
      this.#remove(oldest, other);
    }
  }

  #remove(url: string, entry: Entry): void {
    this.#entries.delete(url);
    this.#characters -= sizeOf(url, entry);
  }

  #clear(): void {
    if (this.#characters === 0) return;
    this.#entries.clear();
    this.#characters = 0;
  }
}

/** Returns the approximate size of an entry, in characters. */
function sizeOf(url: string, { response, reads }: Entry): number {
  return 500 + url.length + (response.body?.length ?? 0) + reads.size * 16;
}
