import type { OpenShop } from '../scenario/start.ts';

/** Watches whether a shop is still what it was: nothing written, and the same moment. */
export class ShopVersion {
  readonly #shop: Pick<OpenShop, 'transaction' | 'clock'>;
  #writes = -1;
  #now = '';

  constructor(shop: Pick<OpenShop, 'transaction' | 'clock'>) {
    this.#shop = shop;
  }

  /** Whether it is what it was when this was last asked. */
  isUnbroken(): boolean {
    const { writes } = this.#shop.transaction;
    const now = this.#shop.clock.now();
    const unbroken = writes === this.#writes && now === this.#now;
    this.#writes = writes;
    this.#now = now;
    return unbroken;
  }
}
