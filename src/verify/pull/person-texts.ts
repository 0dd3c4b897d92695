import * as z from 'zod';
import { getOrCreate } from '../../engine/lib/maps.ts';
import { pseudoRandom } from '../../engine/lib/pseudo-random.ts';
import content from './person-texts.json' with { type: 'json' };

/** A list of texts in each language. */
export type TextList = 'first' | 'last' | 'city' | 'street' | 'word';

const Lists = z.string().transform((text) => text.split('|').filter((one) => one !== ''));

/** Texts by language, made by Faker (`fixtures/make/persons.ts`). */
const languages = z
  .record(
    z.string(),
    z.object({
      script: z.string(),
      first: Lists,
      last: Lists,
      city: Lists,
      street: Lists,
      word: Lists,
    }),
  )
  .parse(content);

const languageOfCountry: Readonly<Record<string, string>> = {
  AT: 'de',
  BE: 'nl',
  CH: 'de',
  DE: 'de',
  DK: 'sv',
  ES: 'es',
  FR: 'fr',
  IT: 'it',
  JP: 'ja',
  LU: 'fr',
  MX: 'es',
  NL: 'nl',
  NO: 'sv',
  PL: 'pl',
  SE: 'sv',
};

/** Number of tries before a text gets longer. */
const maxTries = 40;

/** Makes texts that are like others: of the same script and length. No text is made twice. */
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

  /** Returns a text of a list. @param country ISO 3166-1 alpha-2 */
  pick(list: TextList, like: string, country = ''): string {
    const texts = textsLike(list, like, country);
    const near = texts
      .filter((text) => Math.abs(text.length - like.length) <= 2 && this.#isFree(text))
      .toSorted((a, b) => Math.abs(a.length - like.length) - Math.abs(b.length - like.length));
    if (near.length > 0) return this.#note(this.#pick(near.slice(0, 8)));
    for (let tries = 0; texts.length > 0 && tries < maxTries; tries++) {
      const [head, tail] = [this.#pick(texts), this.#pick(texts)];
      const half = Math.ceil(like.length / 2);
      const text = `${head.slice(0, half)}${tail.slice(half - like.length)}`;
      if (half < like.length && text.length === like.length && this.#isFree(text))
        return this.#note(text);
    }
    return this.scramble(like);
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
    const words = textsLike('word', like, '').filter((word) => !this.#isTaken(word));
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

/** Returns the texts of the language that a text has, as far as its country and its script tell. */
function textsLike(list: TextList, like: string, country: string): readonly string[] {
  const isOf = ({ script }: { readonly script: string }): boolean =>
    new RegExp(`\\p{Script=${script}}`, 'u').test(like);
  const local = languages[languageOfCountry[country] ?? ''];
  const all = Object.values(languages).filter(isOf);
  const [language = local] = local !== undefined && isOf(local) ? [local] : all;
  if (language === undefined || !isOf(language)) return [];
  return language[list].length > 0 ? language[list] : language.city;
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
