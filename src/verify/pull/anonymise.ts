import type { ApiDefinition } from '../../engine/definition/api.ts';
import { isCardNumber } from '../../engine/lib/card-number.ts';
import { isObject, mapValues } from '../../engine/lib/json-value.ts';
import { getOrCreate } from '../../engine/lib/maps.ts';
import type { AnyDefinition } from '../../engine/store/database.ts';
import type { ShownRecords } from '../replay/first-records.ts';
import { personKind, type PersonKind } from './person-fields.ts';
import { EmailNames } from './email-names.ts';
import { PersonTerms } from './person-terms.ts';
import { PersonTexts, type TextList } from './person-texts.ts';

type Values = Readonly<Record<string, unknown>>;

/** A text of a record, and where it is. */
export interface RecordText {
  readonly definition: AnyDefinition;
  readonly record: Values;
  /** `note`, or `recipient.note` of a group of fields. */
  readonly field: string;
  readonly text: string;
  /** Set if it is about a person. */
  readonly kind: PersonKind | undefined;
}

export interface AnonymiseOptions {
  readonly api: ApiDefinition;
  readonly seed: number;
  /** Fields that are replaced as notes are: `products.description`. */
  readonly replace: readonly string[];
}

export interface Anonymised {
  readonly records: ShownRecords;
  /** How many texts were replaced, by what they said. */
  readonly counts: ReadonlyMap<PersonKind, number>;
  readonly terms: PersonTerms;
}

/** Replaces what records say about persons. Equal texts stay equal; the same seed makes the same texts. */
export function anonymise(records: ShownRecords, options: AnonymiseOptions): Anonymised {
  return new Anonymiser(records, options).run();
}

/** Calls a function with each text of a record, and returns the record with what the function returns. */
export function mapTexts(
  definition: AnyDefinition,
  record: Values,
  replace: readonly string[],
  map: (text: RecordText) => string,
): Values {
  const mapped = (value: unknown, field: string, kind: PersonKind | undefined): unknown => {
    if (typeof value === 'string') return map({ definition, record, field, text: value, kind });
    if (Array.isArray(value)) return value.map((one) => mapped(one, field, kind));
    if (!isObject(value)) return value;
    return mapValues(value, (one, name) => {
      const path = field === '' ? name : `${field}.${name}`;
      const isNote = replace.includes(`${definition.name}.${path}`);
      return mapped(one, path, isNote ? 'notes' : (personKind(definition, name) ?? kind));
    });
  };
  return mapped(record, '', undefined) as Values;
}

const lists: Partial<Readonly<Record<PersonKind, TextList>>> = {
  'first names': 'first',
  'last names': 'last',
  'full names': 'last',
  cities: 'city',
};

class Anonymiser {
  readonly #records: ShownRecords;
  readonly #options: AnonymiseOptions;
  readonly #terms = new PersonTerms();
  readonly #texts: PersonTexts;
  readonly #emails: EmailNames;
  readonly #made = new Map<string, string>();
  readonly #counts = new Map<PersonKind, number>();

  constructor(records: ShownRecords, options: AnonymiseOptions) {
    this.#records = records;
    this.#options = options;
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
    };
  }

  /** Maps the texts about persons, table by table in the order of names: addresses, which have countries, come first. */
  #each(map: (text: RecordText) => string, result = new Map<string, Map<number, Values>>()): void {
    const definitions = Object.values(this.#options.api.tables);
    for (const definition of definitions.toSorted((a, b) => (a.name < b.name ? -1 : 1)))
      for (const [id, record] of this.#records.tables.get(definition.name) ?? []) {
        const made = mapTexts(definition, record, this.#options.replace, (one) =>
          one.kind === undefined || one.text === '' ? one.text : map(one),
        );
        getOrCreate(result, definition.name, () => new Map()).set(id, made);
      }
  }

  /** Notes a text before any is replaced, so that none replaces another. */
  #note(one: RecordText): string {
    const { text, kind } = one;
    if (kind === 'first names' || kind === 'last names' || kind === 'full names')
      this.#terms.addName(text);
    else if (kind !== 'cities' && kind !== 'postcodes') this.#terms.addText(text);
    const names = this.#namesOf(one);
    if (names.first !== '' && names.last !== '') {
      this.#terms.addText(`${names.first} ${names.last}`);
      this.#terms.addText(`${names.last} ${names.first}`);
    }
    if (kind === 'e-mails' || kind === 'usernames') this.#emails.note(text, names);
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
    const { kind = 'notes', text } = one;
    this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + 1);
    switch (kind) {
      case 'e-mails':
      case 'usernames': {
        return this.#emails.replaced(text);
      }
      case 'first names':
      case 'last names':
      case 'full names':
      case 'cities': {
        const list = lists[kind] ?? 'last';
        if (kind === 'cities')
          return this.#once(kind, text, () => this.#texts.pick(list, text, this.#countryOf(one)));
        return mapWords(text, (word) => this.#word(word, list, this.#countryOf(one)));
      }
      case 'streets': {
        return this.#once(kind, text, () => this.#street(text, this.#countryOf(one)));
      }
      case 'notes': {
        return this.#once(kind, text, () => this.#texts.prose(text));
      }
      case 'IP addresses': {
        return this.#once(kind, text, () => addressLike(text, this.#made.size));
      }
      case 'phone numbers': {
        // The country stays.
        const country = /^\s*(?:\+|00)\d{2}/.exec(text)?.[0] ?? '';
        return this.#once(kind, text, () => {
          const made = this.#texts.scramble(text.slice(country.length));
          return `${country}${made}`;
        });
      }
      default: {
        return this.#once(kind, text, () => this.#withoutCard(text));
      }
    }
  }

  /** Returns the word that replaces one of a name. */
  #word(word: string, list: TextList, country = ''): string {
    const plain = word.toLowerCase();
    const made = this.#once(list, plain, () =>
      word.length > 1 ? this.#texts.pick(list, word, country) : this.#texts.scramble(word),
    );
    if (word === plain) return made.toLowerCase();
    return word.length > 1 && word === word.toUpperCase() ? made.toUpperCase() : made;
  }

  /** Numbers stay where they are, at the beginning or at the end. */
  #street(text: string, country: string): string {
    const [, before = '', name = '', after = ''] =
      /^([\d\p{P}\s]*)(.*?)((?:[\s,]*\p{L}?\d[\d\p{L}]?[\d\p{P}\s]*)*)$/u.exec(text) ?? [];
    const numbers = [before, after].map((part) => (/\d/.test(part) ? this.#digits(part) : part));
    const street = name === '' ? '' : this.#texts.pick('street', name, country);
    return `${numbers[0]}${street}${numbers[1]}`;
  }

  #digits(text: string): string {
    return text.replaceAll(/\d/g, () => this.#texts.digit(1));
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
      .filter(([field]) => personKind(definition, field) === wanted)
      .map(([, value]) => (typeof value === 'string' ? value : ''))
      .join(' ');
  return { first: textsOf('first names'), last: textsOf('last names') };
}

function mapWords(text: string, map: (word: string) => string): string {
  return text.replaceAll(/[\p{L}\p{M}]+/gu, map);
}

/** Returns an address of the ranges for documentation (RFC 5737, RFC 3849). */
function addressLike(text: string, count: number): string {
  if (text.includes(':')) return `2001:db8::${(count + 1).toString(16)}`;
  const [network, host] = [Math.floor(count / 254) % 3, (count % 254) + 1];
  return `${['192.0.2', '198.51.100', '203.0.113'][network]}.${host}`;
}
