import type { ApiResponse } from '../rest/message.ts';
import type { OpenShop } from '../scenario/start.ts';
import type { ReadSource } from '../store/transaction.ts';

/** The part of a shop that a cache requires. */
type CachedShop = Pick<OpenShop, 'transaction' | 'clock' | 'settings'>;

interface Entry {
  readonly response: ApiResponse;
  /** The tables and fields that were read for it. */
  readonly sources: readonly ReadSource[];
  /** The number of writes until it was made. */
  readonly writes: number;
  /** Approximate size in bytes. */
  readonly size: number;
}

/** Caches GET responses until a table that was read for them is written to, or the clock or the settings change. */
export class ResponseCache {
  readonly #shop: CachedShop;
  readonly #budget: number;
  #entries = new Map<string, Entry>();
  /** Size of the entries in bytes. */
  #size = 0;
  #writes = -1;
  #now = '';
  #settings: OpenShop['settings'] | undefined;

  /** @param budget approximate maximum size of the cache, in bytes: a response that does not fit clears it */
  constructor(shop: CachedShop, budget: number) {
    this.#shop = shop;
    this.#budget = budget;
  }

  /** Returns the response to a request for a URL, which is made unless it is cached. */
  response(url: string, make: () => ApiResponse): ApiResponse {
    const { transaction } = this.#shop;
    // Code of a definition requests another response while it makes one: what is read for both belongs to the outer one.
    if (transaction.reads !== undefined) return make();
    const cached = this.#entries.get(url);
    if (cached?.sources.every(({ written }) => written <= cached.writes)) return cached.response;
    const { writes } = transaction;
    const sources = new Set<ReadSource>();
    transaction.reads = sources;
    try {
      const response = make();
      if (transaction.writes === writes) this.#add(url, response, [...sources]);
      return response;
    } finally {
      transaction.reads = undefined;
    }
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

  #add(url: string, response: ApiResponse, sources: readonly ReadSource[]): void {
    const size = entrySize + url.length + (response.body?.length ?? 0);
    const others = this.#size - (this.#entries.get(url)?.size ?? 0);
    if (others + size > this.#budget) return this.#clear();
    this.#entries.set(url, { response, sources, writes: this.#shop.transaction.writes, size });
    this.#size = others + size;
  }

  #clear(): void {
    this.#entries = new Map();
    this.#size = 0;
  }
}

/** About the size of an entry without its texts, in bytes. */
const entrySize = 500;
