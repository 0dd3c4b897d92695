/** Returns a text as it is compared: its letters and digits in lower case, with one space for all else. */
export function plainText(text: string): string {
  return text
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim();
}

/** Whether the words of a text are not divided by spaces. */
function hasNoSpaces(text: string): boolean {
  return /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text);
}

/** Number of words of the longest term that is found in a text. */
const maxWords = 10;

/** The texts that are replaced, as they may be found in others. */
export class PersonTerms {
  readonly #terms = new Set<string>();
  /** Single words of names. */
  readonly #names = new Set<string>();

  /** Adds a whole text: a full name, an e-mail address, a street. */
  addText(text: string): void {
    const plain = plainText(text);
    if (plain.length >= (hasNoSpaces(plain) ? 2 : 6)) this.#terms.add(plain);
  }

  /** Adds each word of a name. */
  addName(text: string): void {
    for (const word of plainText(text).split(' ')) if (word !== '') this.#names.add(word);
  }

  /** Whether a text that replaces another is one of these, or contains a name. */
  isTaken(text: string): boolean {
    const plain = plainText(text);
    if (this.#terms.has(plain) || plain.split(' ').some((word) => this.#names.has(word)))
      return true;
    const least = hasNoSpaces(plain) ? 2 : 3;
    for (let from = 0; from < plain.length; from++)
      for (let to = from + least; to <= plain.length; to++)
        if (this.#names.has(plain.slice(from, to))) return true;
    return false;
  }

  /** Whether a text that stays has one of these. A single name counts within a sentence if it has a capital letter. */
  isIn(text: string): boolean {
    const plain = plainText(text);
    if (this.#names.has(plain) || this.#terms.has(plain)) return true;
    const words = plain.split(' ');
    for (const [from] of words.entries())
      for (let to = from + 1; to <= Math.min(words.length, from + maxWords); to++)
        if (this.#terms.has(words.slice(from, to).join(' '))) return true;
    return this.#hasName(text);
  }

  #hasName(text: string): boolean {
    for (const { 0: word, index } of text.matchAll(/[\p{L}\p{M}]+/gu)) {
      if (hasNoSpaces(word)) {
        for (let from = 0; from < word.length; from++)
          for (let to = from + 2; to <= Math.min(word.length, from + 8); to++)
            if (this.#names.has(word.slice(from, to)) || this.#terms.has(word.slice(from, to)))
              return true;
      } else if (word.length >= 4 && this.#names.has(plainText(word))) {
        const before = text.slice(0, index).trimEnd();
        const isStart = before === '' || /[.!?:]$/.test(before);
        const hasCase = word.toLowerCase() !== word.toUpperCase();
        if (!hasCase || (!isStart && /^\p{Lu}/u.test(word))) return true;
      }
    }
    return false;
  }
}
