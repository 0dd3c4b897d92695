import type { ApiAnswer } from '../rest/message.ts';
import type { OpenShop } from '../scenario/start.ts';
import { ShopVersion } from './stillness.ts';

/** Keeps what was read lately, for as long as reading it again would come to the same. */
export class ResponseCache {
  readonly #shop: OpenShop;
  readonly #stillness: ShopVersion;
  readonly #room: number;
  readonly #answers = new Map<string, ApiAnswer>();
  #characters = 0;

  /** @param room about how many characters of answers are kept */
  constructor(shop: OpenShop, room: number) {
    this.#shop = shop;
    this.#room = room;
    this.#stillness = new ShopVersion(shop);
  }

  /** The answer that was read at this address, or what is read there now. */
  answer(address: string, read: () => ApiAnswer): ApiAnswer {
    if (!this.#stillness.isUnbroken()) this.#clear();
    const known = this.#answers.get(address);
    if (known !== undefined) return known;
    const { writes } = this.#shop.transaction;
    const answer = read();
    if (this.#shop.transaction.writes === writes) this.#keep(address, answer);
    return answer;
  }

  #keep(address: string, answer: ApiAnswer): void {
    const size = 500 + address.length + (answer.body?.length ?? 0);
    if (size > this.#room) return;
    if (this.#characters + size > this.#room) this.#clear();
    this.#answers.set(address, answer);
    this.#characters += size;
  }

  #clear(): void {
    if (this.#characters === 0) return;
    this.#answers.clear();
    this.#characters = 0;
  }
}
