import type { ApiDefinition } from '../../engine/definition/api.ts';
import { maskCardNumbers } from '../../engine/journal/redaction.ts';
import { getOrCreate } from '../../engine/lib/maps.ts';
import type { AnyDefinition } from '../../engine/store/database.ts';
import type { ShownRecords } from '../replay/first-records.ts';
import { PersonTerms, withoutAccents } from './person-terms.ts';
import { isAddress } from './person-forms.ts';
import { PersonTexts, type TextList } from './person-texts.ts';
import {
  isReplaced,
  TextFields,
  type FieldChoices,
  type FieldKind,
  type RecordText,
  type ReplacedKind,
  type PersonKind,
} from './text-fields.ts';

type Values = Readonly<Record<string, unknown>>;

export interface AnonymiseOptions extends FieldChoices {
  readonly api: ApiDefinition;
  readonly seed: number;
}

export interface Anonymised {
  readonly records: ShownRecords;
  /** How many texts were replaced, by what they said. */
  readonly counts: ReadonlyMap<ReplacedKind, number>;
  readonly terms: PersonTerms;
  /** The texts that stay, though a client may have written them. */
  readonly staying: readonly RecordText[];
  /** The fields that have texts, by what they are about: `products.description`. */
  readonly fields: ReadonlyMap<FieldKind, ReadonlySet<string>>;
}

/** Replaces what records say about persons. Equal texts stay equal; the same seed makes the same texts. */
export function anonymise(records: ShownRecords, options: AnonymiseOptions): Anonymised {
  return new Anonymiser(records, options).run();
}

class Anonymiser {
  readonly #records: ShownRecords;
  readonly #options: AnonymiseOptions;
  readonly #mapper: TextFields;
  readonly #terms = new PersonTerms();
  /** The e-mail addresses and usernames in lower case, each with the names of its person. */
  readonly #logins = new Map<string, Names>();
  readonly #madeLogins = new Set<string>();
  readonly #domains = new Map<string, string>();
  readonly #made = new Map<string, string>();
  readonly #counts = new Map<ReplacedKind, number>();
  readonly #texts: PersonTexts;
  readonly #staying: RecordText[] = [];
  readonly #fields = new Map<FieldKind, Set<string>>();

  constructor(records: ShownRecords, options: AnonymiseOptions) {
    this.#records = records;
    this.#options = options;
    this.#mapper = new TextFields(options);
    this.#texts = new PersonTexts(options.seed, (text) => this.#terms.isTaken(text));
  }

  run(): Anonymised {
    this.#each((text) => this.#note(text));
    const tables = new Map<string, Map<number, Values>>();
    this.#each((text) => this.#replaced(text), tables);
    return {
      records: { ...this.#records, tables },
      counts: this.#counts,
      terms: this.#terms,
      staying: this.#staying,
      fields: this.#fields,
    };
  }

  /** Maps all texts, table by table in the order of names. */
  #each(map: (text: RecordText) => string, result = new Map<string, Map<number, Values>>()): void {
    const definitions = Object.values(this.#options.api.tables);
    for (const definition of definitions.toSorted((a, b) => (a.name < b.name ? -1 : 1)))
      for (const [id, record] of this.#records.tables.get(definition.name) ?? []) {
        const made = this.#mapper.map(definition, record, (one) =>
          one.text === '' ? '' : map(one),
        );
        getOrCreate(result, definition.name, () => new Map()).set(id, made);
      }
  }

  /** Notes a text before any is replaced, so that none replaces another. */
  #note(one: RecordText): string {
    const { text, kind, definition, field } = one;
    getOrCreate(this.#fields, kind, () => new Set()).add(`${definition.name}.${field}`);
    if (kind === 'public' || kind === 'code') this.#staying.push(one);
    if (!isReplaced(kind)) return text;
    if (kind === 'first names') this.#terms.addName(text, 'first');
    else if (kind === 'last names') this.#terms.addName(text, 'last');
    else if (!['cities', 'postcodes', 'dates'].includes(kind) && isTelling(one))
      this.#terms.addText(text);
    const names = this.#namesOf(one);
    if (names.first !== '' && names.last !== '') {
      const both = [names.first, names.last];
      for (const order of [both, both.toReversed()])
        for (const between of [' ', '']) this.#terms.addText(order.join(between));
    }
    if (isLogin(one)) {
      const known = this.#logins.get(text.toLowerCase());
      this.#logins.set(text.toLowerCase(), known && hasNames(known) ? known : names);
    }
    return text;
  }

  /** Returns the names of a record, or those of the first record with names that it refers to. */
  #namesOf({ definition, record }: RecordText): Names {
    const own = nameIn(definition, record);
    if (hasNames(own)) return own;
    const { tables } = this.#options.api;
    const names = Object.entries(definition.references ?? {}).map(([field, to = '']) => {
      const [other, id] = [tables[to], record[field]];
      const row = other && typeof id === 'number' && this.#records.tables.get(other.name)?.get(id);
      return row ? nameIn(other, row) : noNames;
    });
    return names.find(hasNames) ?? noNames;
  }

  #replaced(one: RecordText): string {
    const { text, kind } = one;
    if (!isReplaced(kind)) return text;
    this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + 1);
    if (isLogin(one)) return this.#login(text.toLowerCase());
    if (kind === 'first names' || kind === 'last names')
      return this.#name(text, kind === 'first names' ? 'first' : 'last');
    return this.#once(kind, text, () => {
      if (kind === 'cities') return this.#texts.pick('city', text);
      if (kind === 'streets') return this.#street(text);
      if (kind === 'notes') return this.#texts.prose(text);
      // The year stays.
      if (kind === 'dates') return `${text.slice(0, 4)}-01-01T00:00:00+0000`;
      return kind === 'other texts' ? this.#other(text) : this.#withoutCard(text);
    });
  }

  /** Replaces a text of which no more is known than what it looks like. */
  #other(text: string): string {
    const words = text.match(/[\p{L}\p{M}]+/gu) ?? [];
    if (words.length > 0 && words.every((word) => this.#terms.listOf(word) !== undefined))
      return mapWords(text, (word) => this.#word(word, this.#terms.listOf(word) ?? 'last'));
    if (isAddress(text)) return addressLike(text, this.#made.size);
    const [, origin] = /^(https?:\/\/)[^/]*/i.exec(text) ?? [];
    if (origin !== undefined) return `${origin}example.com/${this.#texts.scramble(text.slice(8))}`;
    if (words.length > 1) return this.#texts.prose(text);
    // The country of a phone number stays.
    const country = words.length === 0 ? (/^\s*(?:\+|00)\d{2}/.exec(text)?.[0] ?? '') : '';
    return `${country}${this.#withoutCard(text.slice(country.length))}`;
  }

  /** Replaces an e-mail address or a username by the names that replace those of its person. */
  #login(text: string): string {
    return this.#once('login', text, () => {
      const at = text.lastIndexOf('@');
      const { first, last } = this.#logins.get(text) ?? noNames;
      const names = `${this.#name(first, 'first')} ${this.#name(last, 'last')}`.trim();
      const plain = withoutAccents(names).toLowerCase();
      const local =
        plain === ''
          ? this.#texts.scramble(at === -1 ? text : text.slice(0, at))
          : plain.replaceAll(/[^\p{L}\p{N}]+/gu, '.');
      const end = at === -1 ? '' : `@${this.#domain(text.slice(at + 1))}`;
      for (let count = 1; ; count++) {
        const made = `${local}${count === 1 ? '' : count}${end}`;
        if (this.#logins.has(made) || this.#madeLogins.has(made)) continue;
        this.#madeLogins.add(made);
        return made;
      }
    });
  }

  #domain(domain: string): string {
    if (/^example(\.(com|org|net))?$/.test(domain)) return domain;
    return getOrCreate(this.#domains, domain, () => `mail${this.#domains.size + 1}.example`);
  }

  #name(text: string, list: TextList): string {
    return mapWords(text, (word) => this.#word(word, list));
  }

  /** Returns the word that replaces one of a name. */
  #word(word: string, list: TextList): string {
    if (/^\p{Nd}/u.test(word)) return this.#once('digits', word, () => this.#digits(word));
    const plain = word.toLowerCase();
    const made = this.#once(list, plain, () =>
      word.length > 1 ? this.#texts.pick(list, word) : this.#texts.scramble(word),
    );
    if (word === plain) return made.toLowerCase();
    return word.length > 1 && word === word.toUpperCase() ? made.toUpperCase() : made;
  }

  /** Numbers stay where they are, at the beginning or at the end. */
  #street(text: string): string {
    const parts = text.split(/([\s,]+)/u);
    const [from, to] = [parts.findIndex(hasName), parts.findLastIndex(hasName) + 1];
    if (to === 0) return this.#digits(text);
    const [before, name, after] = [parts.slice(0, from), parts.slice(from, to), parts.slice(to)];
    const street = this.#texts.pick('street', name.join(''));
    return `${this.#digits(before.join(''))}${street}${this.#digits(after.join(''))}`;
  }

  #digits(text: string): string {
    return text.replaceAll(/\p{Nd}/gu, () => this.#texts.digit(1));
  }

  /** A number that replaces that of a card is no number of a card. */
  #withoutCard(text: string): string {
    for (;;) {
      const made = this.#texts.scramble(text);
      if (maskCardNumbers(made) === made) return made;
    }
  }

  #once(kind: string, text: string, make: () => string): string {
    return getOrCreate(this.#made, `${kind} ${text}`, make);
  }
}

interface Names {
  readonly first: string;
  readonly last: string;
}

const noNames: Names = { first: '', last: '' };

function hasNames({ first, last }: Names): boolean {
  return first !== '' || last !== '';
}

function nameIn(definition: AnyDefinition, record: Values): Names {
  const textsOf = (wanted: PersonKind): string =>
    Object.entries(record)
      .filter(([field]) => definition.texts?.[field] === wanted)
      .map(([, value]) => (typeof value === 'string' ? value : ''))
      .join(' ');
  return { first: textsOf('first names'), last: textsOf('last names') };
}

/** Whether a part of a street is more than a number such as `5a`. */
function hasName(part: string): boolean {
  return /\p{L}{2}|\p{Lo}/u.test(part);
}

/** Whether a text is an e-mail address, or the name of an account. */
function isLogin({ kind, text }: RecordText): boolean {
  if (kind === 'e-mails' || kind === 'usernames') return true;
  return kind === 'other texts' && /^[^\s@]+@[^\s@]+$/.test(text);
}

/** Whether a text can be found in others: a single word of an unknown field may be any. */
function isTelling({ kind, text }: RecordText): boolean {
  return kind !== 'other texts' || /[\d@]|\p{L}\P{L}+\p{L}/u.test(text);
}

/** Maps the words and the numbers of a text. */
function mapWords(text: string, map: (word: string) => string): string {
  return text.replaceAll(/[\p{L}\p{M}]+|\p{Nd}+/gu, map);
}

/** Returns an address of the ranges for documentation (RFC 5737, RFC 3849). */
function addressLike(text: string, count: number): string {
  if (text.includes(':')) return `2001:db8::${(count + 1).toString(16)}`;
  const [network, host] = [Math.floor(count / 254) % 3, (count % 254) + 1];
  return `${['192.0.2', '198.51.100', '203.0.113'][network]}.${host}`;
}
