import type { ApiDefinition } from '../../engine/definition/api.ts';
import { isCardNumber } from '../../engine/lib/card-number.ts';
import { getOrCreate } from '../../engine/lib/maps.ts';
import type { AnyDefinition } from '../../engine/store/database.ts';
import type { PersonKind } from '../../engine/store/table-definition.ts';
import type { ShownRecords } from '../replay/first-records.ts';
import { EmailNames } from './email-names.ts';
import { PersonTerms } from './person-terms.ts';
import { isAddress } from './person-forms.ts';
import { PersonTexts, type TextList } from './person-texts.ts';
import {
  isReplaced,
  TextFields,
  type FieldChoices,
  type FieldKind,
  type RecordText,
  type ReplacedKind,
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
  readonly #emails: EmailNames;
  readonly #made = new Map<string, string>();
  readonly #counts = new Map<ReplacedKind, number>();
  readonly #texts: PersonTexts;
  readonly #staying: RecordText[] = [];
  readonly #fields = new Map<FieldKind, Set<string>>();

  constructor(records: ShownRecords, options: AnonymiseOptions) {
    this.#records = records;
    this.#options = options;
    this.#mapper = new TextFields(options.api, records, options);
    this.#texts = new PersonTexts(options.seed, (text) => this.#terms.isTaken(text));
    this.#emails = new EmailNames(this.#texts, (word, list) => this.#word(word, list));
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

  /** Maps all texts, table by table in the order of names: addresses, which have countries, come first. */
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
    else if (!['cities', 'postcodes', 'dates of birth'].includes(kind) && isTelling(one))
      this.#terms.addText(text);
    const names = this.#namesOf(one);
    if (names.first !== '' && names.last !== '') {
      const both = [names.first, names.last];
      for (const order of [both, both.toReversed()])
        for (const between of [' ', '']) this.#terms.addText(order.join(between));
    }
    if (isLogin(one)) this.#emails.note(text, names);
    return text;
  }

  /** Returns the names of a record, or those of the records that it refers to. */
  #namesOf({ definition, record }: RecordText): { readonly first: string; readonly last: string } {
    const own = nameIn(definition, record);
    if (own.first !== '' || own.last !== '') return own;
    const { tables } = this.#options.api;
    const names = Object.entries(definition.references ?? {}).flatMap(([field, to = '']) => {
      const [other, id] = [tables[to], record[field]];
      const row = other && typeof id === 'number' && this.#records.tables.get(other.name)?.get(id);
      return row ? [nameIn(other, row)] : [];
    });
    return {
      first: names.map(({ first }) => first).join(' '),
      last: names.map(({ last }) => last).join(' '),
    };
  }

  #replaced(one: RecordText): string {
    const { text, kind } = one;
    if (!isReplaced(kind)) return text;
    this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + 1);
    if (isLogin(one)) return this.#emails.replaced(text);
    const country = this.#countryOf(one);
    if (kind === 'first names' || kind === 'last names') {
      const list = kind === 'first names' ? 'first' : 'last';
      return mapWords(text, (word) => this.#word(word, list, country));
    }
    return this.#once(kind, text, () => {
      if (kind === 'cities') return this.#texts.pick('city', text, country);
      if (kind === 'streets') return this.#street(text, country);
      if (kind === 'notes') return this.#texts.prose(text);
      // The year stays.
      if (kind === 'dates of birth') return `${text.slice(0, 4)}-01-01T00:00:00+0000`;
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

  /** Returns the word that replaces one of a name. */
  #word(word: string, list: TextList, country = ''): string {
    if (/^\p{Nd}/u.test(word)) return this.#once('digits', word, () => this.#digits(word));
    const plain = word.toLowerCase();
    const made = this.#once(list, plain, () =>
      word.length > 1 ? this.#texts.pick(list, word, country) : this.#texts.scramble(word),
    );
    if (word === plain) return made.toLowerCase();
    return word.length > 1 && word === word.toUpperCase() ? made.toUpperCase() : made;
  }

  /** Numbers stay where they are, at the beginning or at the end. */
  #street(text: string, country: string): string {
    const parts = text.split(/([\s,]+)/u);
    const [from, to] = [parts.findIndex(hasName), parts.findLastIndex(hasName) + 1];
    if (to === 0) return this.#digits(text);
    const [before, name, after] = [parts.slice(0, from), parts.slice(from, to), parts.slice(to)];
    const street = this.#texts.pick('street', name.join(''), country);
    return `${this.#digits(before.join(''))}${street}${this.#digits(after.join(''))}`;
  }

  #digits(text: string): string {
    return text.replaceAll(/\p{Nd}/gu, () => this.#texts.digit(1));
  }

  /** A number that replaces that of a card is no number of a card. */
  #withoutCard(text: string): string {
    for (;;) {
      const made = this.#texts.scramble(text);
      if (!isCardNumber(made)) return made;
    }
  }

  #once(kind: string, text: string, make: () => string): string {
    return getOrCreate(this.#made, `${kind} ${text}`, make);
  }

  #countryOf({ record }: RecordText): string {
    const { country_id: id } = record;
    const country =
      typeof id === 'number' ? this.#records.tables.get('countries')?.get(id) : undefined;
    const code = country?.['iso_name'];
    return typeof code === 'string' ? code : '';
  }
}

function nameIn(
  definition: AnyDefinition,
  record: Values,
): { readonly first: string; readonly last: string } {
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
