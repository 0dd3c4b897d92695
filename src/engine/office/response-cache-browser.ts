import type { ApiResponse } from '../rest/message.ts';
import type { ResponseCache as Cache } from './response-cache.ts';

type CachedShop = ConstructorParameters<typeof Cache>[0];

/** Replaces that of `response-cache.ts` in the bundle for browsers: a page sends too few requests to gain from a cache. */
export class ResponseCache implements Pick<Cache, 'get' | 'revalidate'> {
  readonly #shop: CachedShop;
  #writes = -1;
  #now = '';

  constructor(shop: CachedShop) {
    this.#shop = shop;
  }

  get(_key: string, make: () => ApiResponse): ApiResponse {
    return make();
  }

  /** Returns whether nothing was written since the last call, at the same time of the clock. */
  revalidate(): boolean {
    const { transaction, clock } = this.#shop;
    const [writes, now] = [transaction.writes, clock.now()];
    if (writes === this.#writes && now === this.#now) return true;
    this.#writes = writes;
    this.#now = now;
    return false;
  }
}

export function orderTexts(): undefined {
  return undefined;
}
