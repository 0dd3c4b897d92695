import type { ViewCache } from '../definition/api.ts';
import { textOfCached } from '../rest/json.ts';
import type { ApiResponse } from '../rest/message.ts';
import type { OpenShop } from '../scenario/start.ts';
import { ReadCache } from '../store/read-cache.ts';

/** The part of a shop that a cache requires. */
type CachedShop = Pick<OpenShop, 'transaction' | 'clock' | 'settings'>;

interface CachedView {
  readonly row: object;
  readonly view: object;
  /** In bytes. */
  readonly size: number;
}

/** Caches GET responses, and views in them, until the rows that they were made of, the clock or the settings change. */
export class ResponseCache implements ViewCache {
  readonly #shop: CachedShop;
  readonly #responses: ReadCache<string, ApiResponse>;
  readonly #views: ReadCache<string, CachedView>;
  #writes = -1;
  #now = '';
  #settings: OpenShop['settings'] | undefined;

  /** @param budget approximate size of the cache, in bytes */
  constructor(shop: CachedShop, budget: number) {
    const { transaction } = shop;
    this.#shop = shop;
    this.#responses = new ReadCache(transaction, budget / 2, ({ body = '' }) => body.length);
    this.#views = new ReadCache(transaction, budget / 2, ({ size }) => size);
  }

  /** Returns the response to a request for a URL, which is made unless it is cached. */
  response(url: string, make: () => ApiResponse): ApiResponse {
    return this.#responses.get(url, make);
  }

  view<View extends object>(key: string, row: object, make: () => View): View {
    const { view } = this.#views.get(
      key,
      () => {
        const made = make();
        // An object takes about four times the memory of its text.
        return { row, view: made, size: 4 * textOfCached(made).length };
      },
      (cached) => cached.row === row,
    );
    // A key is always of the same view.
    return view as View;
  }

  /** Returns whether nothing was written since the last call, at the same time of the clock. */
  revalidate(): boolean {
    const { transaction, clock, settings } = this.#shop;
    const { writes } = transaction;
    const now = clock.now();
    if (writes === this.#writes && now === this.#now) return true;
    if (now !== this.#now || settings !== this.#settings) {
      this.#responses.clear();
      this.#views.clear();
    }
    this.#writes = writes;
    this.#now = now;
    this.#settings = settings;
    return false;
  }
}
