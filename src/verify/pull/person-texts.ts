import * as z from 'zod';
import { getOrCreate } from '../../engine/lib/maps.ts';
import { pseudoRandom } from '../../engine/lib/pseudo-random.ts';
import content from './person-texts.json' with { type: 'json' };

/** A list of texts. */
export type TextList = 'first' | 'last' | 'city' | 'street' | 'word';

const List = z.string().transform((text) => text.split('|'));

/** Texts of persons, made by Faker (`fixtures/make/persons.ts`). */
const lists = z
  .object({ first: List, last: List, city: List, street: List, word: List })
  .parse(content);

/** Number of tries before a text gets longer. */
const maxTries = 40;

/** Makes texts that are like others: of the same script. No letters and no words are made twice. */
export class PersonTexts {
  readonly #next: () => number;
  readonly #isTaken: (text: string) => boolean;
  readonly #made = new Set<string>();
  /** The letters that replace another, by its part of Unicode and its case. */
  readonly #letters = new Map<string, readonly string[]>();

  /** @param isTaken whether a text is, or contains, one of those that are replaced */
  constructor(seed: number, isTaken: (text: string) => boolean) {
    this.#next = pseudoRandom(`${seed} persons`);
    this.#isTaken = isTaken;
  }

  /** Returns a text of a list; of another script, letters of it. */
  pick(list: TextList, like: string): string {
    const free = isLatin(like) ? lists[list].filter((text) => !this.#isTaken(text)) : [];
    return free.length > 0 ? this.#pick(free) : this.scramble(like);
  }

  /** Returns a text with another letter for each letter, and another digit for each digit. Without any, it is the same. */
  scramble(like: string): string {
    if (!/[\p{L}\p{Nd}]/u.test(like)) return like;
    for (let tries = 0; ; tries++) {
      const longer = like + '0'.repeat(Math.floor(tries / maxTries));
      const text = Array.from(longer, (character) => this.#characterLike(character)).join('');
      if (this.#isFree(text)) return this.#note(text);
    }
  }

  /** Returns words that are about as long as a text. */
  prose(like: string): string {
    const words = isLatin(like) ? lists.word.filter((word) => !this.#isTaken(word)) : [];
    if (words.length === 0) return this.scramble(like);
    for (let tries = 0; ; tries++) {
      const length = like.length + Math.floor(tries / maxTries);
      let text = '';
      while (text.length < length) text += `${text === '' ? '' : ' '}${this.#pick(words)}`;
      const cut = text.slice(0, length).trimEnd();
      if (!this.#made.has(cut)) return this.#note(cut);
    }
  }

  /** Returns a random digit that is at least as large as another. */
  digit(least: number): string {
    return String(least + Math.floor(this.#next() * (10 - least)));
  }

  #pick(list: readonly string[]): string {
    return list[Math.floor(this.#next() * list.length)] ?? '';
  }

  #isFree(text: string): boolean {
    return !this.#made.has(text) && !this.#isTaken(text);
  }

  #note(text: string): string {
    this.#made.add(text);
    return text;
  }

  #characterLike(character: string): string {
    if (/\p{Nd}/u.test(character)) return this.digit(0);
    if (!/\p{L}/u.test(character)) return character;
    const code = character.codePointAt(0) ?? 0;
    const isLower = character === character.toLowerCase();
    const key = `${code < 0x250 ? 0 : code >> 6} ${isLower}`;
    const letters = getOrCreate(this.#letters, key, () => lettersLike(character));
    return letters.length > 0 ? this.#pick(letters) : 'x';
  }
}

function isLatin(text: string): boolean {
  return /\p{Script=Latin}/u.test(text);
}

/** Returns the letters in the part of Unicode that a letter is from, of the same case. */
function lettersLike(letter: string): readonly string[] {
  const code = letter.codePointAt(0) ?? 0;
  const first = code < 0x250 ? (letter === letter.toLowerCase() ? 0x61 : 0x41) : code & ~0x3f;
  const size = code < 0x250 ? 26 : 64;
  const isSameCase = (one: string): boolean =>
    (one === one.toLowerCase()) === (letter === letter.toLowerCase());
  return Array.from({ length: size }, (_, at) => String.fromCodePoint(first + at)).filter(
    (one) => /^\p{L}$/u.test(one) && isSameCase(one),
  );
}
