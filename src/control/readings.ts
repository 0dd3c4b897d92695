import type { ApiAnswer } from '../rest/message.ts';
import type { OpenShop } from '../scenario/start.ts';
import { Stillness } from './stillness.ts';

/** So many characters of answers are kept. */
const mostCharacters = 262_144;

/** Keeps what was read lately, for as long as reading it again would come to the same. */
export class Readings {
  readonly #shop: OpenShop;
  readonly #stillness: Stillness;
  readonly #answers = new Map<string, ApiAnswer>();
  #characters = 0;

  constructor(shop: OpenShop) {
    this.#shop = shop;
    this.#stillness = new Stillness(shop);
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
    if (size > mostCharacters) return;
    if (this.#characters + size > mostCharacters) this.#clear();
    this.#answers.set(address, answer);
    this.#characters += size;
  }

  #clear(): void {
    if (this.#characters === 0) return;
    this.#answers.clear();
    this.#characters = 0;
  }
}
