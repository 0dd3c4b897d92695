import type { TextList } from './person-texts.ts';

/** Letters that have no accent, and are written without their stroke. */
const plainLetters: Readonly<Record<string, string>> = {
  ß: 'ss',
  ł: 'l',
  Ł: 'L',
  ø: 'o',
  Ø: 'O',
  đ: 'd',
  Đ: 'D',
  æ: 'ae',
  Æ: 'Ae',
  œ: 'oe',
  Œ: 'Oe',
};

/** Returns a text without accents, invisible characters, and letters of full width. */
export function withoutAccents(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/[\p{M}\p{Cf}]+/gu, '')
    .normalize('NFC')
    .replaceAll(/[ßłŁøØđĐæÆœŒ]/g, (letter) => plainLetters[letter] ?? letter);
}

/** Returns a text as it is compared: its letters and digits in lower case, with one space for all else. */
function plainText(text: string): string {
  return withoutAccents(text)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** Whether the words of a text are not divided by spaces, or have endings of other words. */
function hasNoSpaces(text: string): boolean {
  return /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u.test(
    text,
  );
}

/** Number of words of the longest term that is found in a text. */
const maxWords = 10;

/** Number of characters of the longest text in which a name is looked for anywhere. */
const maxName = 48;

/** Number of characters of the longest name that is found in a text without spaces. */
const maxPart = 8;

/** The texts that are replaced, as they may be found in others. */
export class PersonTerms {
  readonly #terms = new Set<string>();
  /** The first word of each. */
  readonly #starts = new Set<string>();
  /** Single words of names, and the list of their replacement. */
  readonly #names = new Map<string, TextList>();

  /** Adds a whole text: a full name, an e-mail address, a street. */
  addText(text: string): void {
    const plain = plainText(text);
    if (plain.length < (hasNoSpaces(plain) ? 2 : 6)) return;
    this.#terms.add(plain);
    this.#starts.add(plain.split(' ', 1)[0] ?? '');
  }

  /** Adds each word of a name. Those in lower case are none if others have a capital letter: `van der Berg`. */
  addName(text: string, list: TextList): void {
    const words = withoutAccents(text).match(/[\p{L}\p{N}]+/gu) ?? [];
    const hasCapital = words.some((word) => /^\p{Lu}/u.test(word));
    for (const word of words)
      if (!hasCapital || !/^\p{Ll}/u.test(word)) this.#names.set(plainText(word), list);
  }

  /** Returns the list of the replacement of a word of a name. */
  listOf(word: string): TextList | undefined {
    return this.#names.get(plainText(word));
  }

  /** Whether a text that replaces another is one of these, or contains a name. Long texts contain one by chance. */
  isTaken(text: string): boolean {
    const plain = plainText(text);
    if (this.#terms.has(plain)) return true;
    if (plain.length > maxName) return false;
    if (plain.split(' ').some((word) => this.#names.has(word))) return true;
    const least = hasNoSpaces(plain) ? 2 : 3;
    for (let from = 0; from < plain.length; from++)
      for (let to = from + least; to <= plain.length; to++)
        if (this.#names.has(plain.slice(from, to))) return true;
    return false;
  }

  /**
   * Whether a text that stays has one of these. A single name counts if it has a capital letter; at the beginning of a sentence,
   * it is another word if the other texts have it in lower case.
   *
   * @param ordinary the words that other texts have in lower case
   */
  isIn(text: string, ordinary: ReadonlySet<string>): boolean {
    const plain = plainText(text);
    return this.#names.has(plain) || this.hasTerm(text) || this.#hasName(text, ordinary);
  }

  /** Whether a text has a whole text of these: the first and the last name of a person, and not one of both. */
  hasTerm(text: string): boolean {
    const words = plainText(text).split(' ');
    for (const [from, word] of words.entries())
      if (this.#starts.has(word))
        for (let to = from + 1; to <= Math.min(words.length, from + maxWords); to++)
          if (this.#terms.has(words.slice(from, to).join(' '))) return true;
    return words.some((word) => hasPart(word, this.#terms));
  }

  #hasName(text: string, ordinary: ReadonlySet<string>): boolean {
    const plain = withoutAccents(text);
    let end = 0;
    for (const { 0: word, index } of plain.matchAll(/\p{L}+/gu)) {
      const between = plain.slice(end, index);
      const isStart = end === 0 || /[.!?:\n]/.test(between);
      end = index + word.length;
      const name = word.toLowerCase();
      if (hasPart(name, this.#names)) return true;
      if (word.length < (isStart ? 3 : 2) || !this.#names.has(name)) continue;
      const hasCase = name !== word.toUpperCase();
      if (!hasCase || (/^\p{Lu}/u.test(word) && !(isStart && ordinary.has(name)))) return true;
    }
    return false;
  }
}

/** Whether a word of a script without spaces has one of some texts. */
function hasPart(word: string, texts: { has(text: string): boolean }): boolean {
  if (!hasNoSpaces(word)) return false;
  for (let from = 0; from < word.length; from++)
    for (let to = from + 2; to <= Math.min(word.length, from + maxPart); to++)
      if (texts.has(word.slice(from, to))) return true;
  return false;
}

/** Returns the words that a text has in lower case. */
export function lowerWords(text: string): readonly string[] {
  return (withoutAccents(text).match(/\p{L}+/gu) ?? []).filter(
    (word) => word === word.toLowerCase(),
  );
}
