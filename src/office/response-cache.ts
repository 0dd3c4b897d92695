import type { ApiResponse } from '../rest/message.ts';
import type { OpenShop } from '../scenario/start.ts';

/** Caches GET responses until a write or a clock change. */
export class ResponseCache {
  readonly #shop: Pick<OpenShop, 'transaction' | 'clock'>;
  readonly #budget: number;
  readonly #answers = new Map<string, ApiResponse>();
  #characters = 0;
  /** The version of the shop: its number of writes and the time of its clock. */
  #writes = -1;
  #now = '';

  /** @param budget approximate size of the cache, in characters */
  constructor(shop: Pick<OpenShop, 'transaction' | 'clock'>, budget: number) {
    this.#shop = shop;
    this.#budget = budget;
  }

  /**
   * Compares the version of the shop with that of the last call, and clears the cache if it differs.
   *
   * @returns whether it is the same
   */
  revalidate(): boolean {
    const { writes } = this.#shop.transaction;
    const now = this.#shop.clock.now();
    if (writes === this.#writes && now === this.#now) return true;
    this.#writes = writes;
    this.#now = now;
    if (this.#answers.size > 0) this.#clear();
    return false;
  }

  /** Returns the cached response for this URL, or the one that `read` returns, which is cached if it wrote nothing. */
  get(url: string, read: () => ApiResponse): ApiResponse {
    const cached = this.#answers.get(url);
    if (cached !== undefined) return cached;
    const { writes } = this.#shop.transaction;
    const answer = read();
    if (this.#shop.transaction.writes === writes) this.#add(url, answer);
    return answer;
  }

  #add(url: string, answer: ApiResponse): void {
    const size = entrySize + url.length + (answer.body?.length ?? 0);
    if (size > this.#budget) return;
    if (this.#characters + size > this.#budget) this.#clear();
    this.#answers.set(url, answer);
    this.#characters += size;
  }

  #clear(): void {
    this.#answers.clear();
    this.#characters = 0;
  }
}

/** Approximate size of an entry without its URL and body, in characters. */
const entrySize = 500;
