import { getOrCreate } from '../../engine/lib/maps.ts';
import { withoutAccents } from './person-terms.ts';
import type { PersonTexts, TextList } from './person-texts.ts';

/** A word of a name, as it is in e-mail addresses, with the list of its replacement. */
interface NameWord {
  readonly word: string;
  readonly list: TextList;
}

/** Number of words of a name that are found in an address. */
const maxWords = 20;

/** Domains that are nobody's. */
const freeDomain = /^example(\.(com|org|net))?$/;

/** Replaces e-mail addresses and usernames. One that has the name of its person gets the name that replaces it. */
export class EmailNames {
  readonly #texts: PersonTexts;
  readonly #replaceWord: (word: string, list: TextList) => string;
  /** By the address in lower case: the names of its persons. */
  readonly #names = new Map<string, Map<string, NameWord>>();
  readonly #made = new Map<string, string>();
  readonly #domains = new Map<string, string>();
  readonly #used = new Set<string>();

  constructor(texts: PersonTexts, replaceWord: (word: string, list: TextList) => string) {
    this.#texts = texts;
    this.#replaceWord = replaceWord;
  }

  /** Notes the names of an address before it is replaced. */
  note(address: string, { first, last }: { readonly first: string; readonly last: string }): void {
    const words = getOrCreate(this.#names, address.toLowerCase(), () => new Map());
    const add = (name: string, list: TextList): void => {
      for (const word of (name.match(/[\p{L}\p{M}]+/gu) ?? []).slice(0, maxWords))
        words.set(word, { word, list });
    };
    add(first, 'first');
    add(last, 'last');
    this.#used.add(address.toLowerCase());
  }

  replaced(address: string): string {
    const key = address.toLowerCase();
    return getOrCreate(this.#made, key, () => {
      const at = key.lastIndexOf('@');
      const [local, domain] = at === -1 ? [key, ''] : [key.slice(0, at), key.slice(at + 1)];
      const end = at === -1 ? '' : `@${this.#domain(domain)}`;
      const made = this.#local(local, [...(this.#names.get(key)?.values() ?? [])]);
      for (let count = 0; ; count++) {
        const unique = `${made}${count === 0 ? '' : count + 1}${end}`;
        if (!this.#used.has(unique) && this.#used.add(unique)) return unique;
      }
    });
  }

  #domain(domain: string): string {
    if (freeDomain.test(domain)) return domain;
    return getOrCreate(this.#domains, domain, () => `mail${this.#domains.size + 1}.example`);
  }

  /** Replaces the words of an address: a name by that which replaces it, an initial likewise, others by other words. */
  #local(local: string, names: readonly NameWord[]): string {
    const known = names
      .filter(({ word }) => word.length > 1)
      .map((name) => ({ ...name, plain: plainName(name.word) }))
      .toSorted((a, b) => b.plain.length - a.plain.length);
    return local.replaceAll(/[\p{L}\p{M}]+|\p{Nd}+/gu, (run) => {
      if (/^\p{Nd}/u.test(run)) return run.replaceAll(/\p{Nd}/gu, () => this.#texts.digit(0));
      let [made, other] = ['', ''];
      const flush = (): void => {
        if (other !== '') made += this.#otherWord(other, known);
        other = '';
      };
      for (let at = 0; at < run.length;) {
        const name = known.find(({ plain }) => plain !== '' && run.startsWith(plain, at));
        if (name === undefined) other += run[at++];
        else {
          flush();
          made += plainName(this.#replaceWord(name.word, name.list));
          at += name.plain.length;
        }
      }
      flush();
      return made;
    });
  }

  #otherWord(word: string, known: readonly (NameWord & { readonly plain: string })[]): string {
    const initial = known.find(({ plain }) => word.length === 1 && plain.startsWith(word));
    if (initial === undefined) return plainName(this.#replaceWord(word, 'last'));
    return plainName(this.#replaceWord(initial.word, initial.list)).slice(0, 1);
  }
}

/** Returns a name as e-mail addresses have it: without accents, in lower case. */
function plainName(name: string): string {
  return withoutAccents(name).toLowerCase();
}
