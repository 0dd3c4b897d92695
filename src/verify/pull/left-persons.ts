import type { ApiDefinition } from '../../engine/definition/api.ts';
import { maskCardNumbers } from '../../engine/journal/redaction.ts';
import type { ShownRecords } from '../replay/first-records.ts';
import { mapTexts, type Anonymised, type AnonymiseOptions } from './anonymise.ts';
import { publicTables } from './person-fields.ts';

/** Forms of texts that are about a person. */
const forms: readonly (readonly [form: string, test: (text: string) => boolean])[] = [
  ['an e-mail address', (text) => /[^\s@]+@[^\s@]+\.[^\s@.]+/.test(text)],
  ['a card number', (text) => maskCardNumbers(text) !== text],
  ['a phone number', (text) => /(?:\+|\b00)\d[\d ()/-]{6,}\d/.test(text)],
  [
    'an IP address',
    (text) =>
      /(?<![\d.])(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)\.){3}(?:25[0-5]|2[0-4]\d|1?\d?\d)(?![\d.])/.test(
        text,
      ) || /(?<![\w:])(?:[\da-f]{1,4}:){4,7}[\da-f]{1,4}(?![\w:])/i.test(text),
  ],
];

/** Fields whose texts are names of things: a code may be that of a city, and a name. */
const publicFields = ['channels.code', 'stock_locations.code', 'variants.sku'];

/** Times have digits and signs as phone numbers have. */
const time = /^\d{4}-\d{2}-\d{2}T[\d:.]+(?:Z|[+-]\d{2}:?\d{2})$/;

/**
 * Returns where a text that was not replaced looks as if it were about a person, as `products 3, description: an e-mail address`.
 */
export function leftPersons(
  original: ShownRecords,
  { terms }: Anonymised,
  {
    api,
    replace,
    keep,
  }: Pick<AnonymiseOptions, 'api' | 'replace'> & { readonly keep: readonly string[] },
): string[] {
  const found = new Set<string>();
  const kept = new Set([...publicFields, ...keep]);
  for (const definition of tablesOf(api))
    for (const [id, record] of original.tables.get(definition.name) ?? [])
      mapTexts(definition, record, replace, ({ field, text, kind }) => {
        const isKept = kind !== undefined || kept.has(`${definition.name}.${field}`);
        if (isKept || time.test(text)) return text;
        const form = forms.find(([, test]) => test(text))?.[0];
        if (form !== undefined) found.add(`${definition.name} ${id}, ${field}: ${form}`);
        else if (terms.isIn(text))
          found.add(`${definition.name} ${id}, ${field}: a text that is replaced elsewhere`);
        return text;
      });
  return [...found];
}

function tablesOf({ tables }: ApiDefinition) {
  return Object.values(tables).filter(({ name }) => !publicTables.has(name));
}
