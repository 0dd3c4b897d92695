import type { ApiContext } from '../definition/api.ts';
import type { ApiResponse } from '../rest/message.ts';
import { apart, cachedView } from '../rest/cached-view.ts';
import type { ViewText } from '../rest/view-text.ts';
import type { OpenShop } from '../scenario/start.ts';
import { ReadCache } from '../store/read-cache.ts';

/** What a cache requires of a shop. */
type CachedShop = Pick<OpenShop, 'transaction' | 'clock' | 'settings'>;

/** Caches GET responses until the rows that they were made of, the clock or the settings change. */
export class ResponseCache extends ReadCache<string, ApiResponse> {
  readonly #shop: CachedShop;
  #writes = -1;
  #now = '';
  #settings: OpenShop['settings'] | undefined;

  /** @param budget approximate size of the cache, in bytes */
  constructor(shop: CachedShop, budget: number) {
    super(shop.transaction, budget, ({ body = '' }) => body.length);
    this.#shop = shop;
  }

  /** Returns whether nothing was written since the last call, at the same time of the clock. */
  revalidate(): boolean {
    const { transaction, clock, settings } = this.#shop;
    const { writes } = transaction;
    const now = clock.now();
    if (writes === this.#writes && now === this.#now) return true;
    if (now !== this.#now || settings !== this.#settings) this.clear();
    this.#writes = writes;
    this.#now = now;
    this.#settings = settings;
    return false;
  }
}

/**
 * Creates the cache of the texts of orders.
 *
 * @param budget approximate size of the cache, in bytes
 */
export function orderTexts({ transaction }: CachedShop, budget: number): ApiContext['texts'] {
  const texts = new ReadCache(transaction, budget, (text: ViewText) => text.size);
  return { apart, view: (id, how) => cachedView(texts, id, how) };
}
