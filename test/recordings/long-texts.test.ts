import { expect, test } from 'vitest';
import { storeApi } from '../../src/define.ts';
import { parseEntryFilter } from '../../src/engine/journal/entry-filter.ts';
import {
  redactHeaders,
  redactParameters,
  redactResponse,
  redactText,
  redactUrl,
} from '../../src/engine/journal/redaction.ts';
import { printable } from '../../src/engine/lib/printable.ts';
import type { ShownRecords } from '../../src/verify/replay/first-records.ts';
import { scenarioOfShop } from '../../src/verify/pull/pull.ts';
import { documentOf } from '../support/api-document.ts';
import { processorTime } from '../support/processor-time.ts';

/** What is repeated in a text: what an expression may read in two ways, and then not at all. */
const units = [
  'a',
  'A',
  'é',
  'ß',
  '漢',
  '☎',
  'ﷺ',
  '1',
  '0',
  '１',
  ' ',
  '\n',
  '\t',
  '.',
  ',',
  ':',
  ';',
  '=',
  '/',
  '-',
  '_',

  '"',
  '\\',
  '%',
  '@',
  '&',
  '#',
  '(',
  '{',
  '[',
  '*',
  '+',
  '?',
  "'",
  '<',
  '\u001B[',

  '1 ',
  '0 ',
  '12-',
  '(1)',
  '+1',
  '1.',
  '1.1.1.1.',
  ':1',
  '4242 ',
  '01.01.2026-',
  '2026-03-',
  '978-1-',
  'ean 1',

  'a@',
  'a.',
  'a@b.',
  '( at',
  'tel a ',
  'Tel. ',
  'Ada. ',
  'a b ',
  'QWRh',
  'QWRh ',
  'YWRhQGIuY2 ',

  'a=',
  'token=',
  'pass',
  'criteria[',
  '"a":',
  '"a":"',
  '"a":"\\"',
  '//',
  '//a@',
  '%4',
  '%41',
  '%2525',
  '%253',
  '&#4;',
  '\\u0041',
];

/** Returns texts of repeated parts, each with a beginning or an end that does not fit. */
function textsOf(unit: string, length: number): string[] {
  const text = unit.repeat(Math.ceil(length / unit.length));
  return [`${text}!`, `="00000000-0000-4000-8000-000000000000 ${text}@`];
}

/** Returns the texts for which a function takes more than thrice what is proportional to their length. */
function slowTexts(
  run: (text: string) => unknown,
  length: number,
  parts: readonly string[] = units,
): string[] {
  const isSlow = (unit: string): boolean => {
    const [short, long] = [textsOf(unit, length / 10), textsOf(unit, length)];
    // The processor may be slower at one time than at another.
    return [1, 2, 3].every(
      () =>
        processorTime(() => long.map(run)) >
        30 *
          Math.max(
            processorTime(() => short.map(run)),
            3,
          ),
    );
  };
  return parts.filter(isSlow);
}

const words = { step: 'payment', records: new Map() };

test.each<[string, (text: string) => unknown]>([
  ['redaction of a text', (text) => redactText(text)],
  ['redaction of a URL', (text) => redactUrl(`/api/orders/?${text}`)],
  ['redaction of parameters', (text) => redactParameters({ note: text, [text]: 1 })],
  ['redaction of a response', (text) => redactResponse({ note: [text] })],
  ['redaction of headers', (text) => redactHeaders({ referer: text })],
  ['a filter of entries', (text) => parseEntryFilter(text, words)],
  ['a text for a terminal', (text) => printable(text)],
  [
    'the paths of a document',
    (text) => documentOf({ paths: { [text]: {} }, servers: [{ url: text }] }).paths,
  ],
])('the time of %s is proportional to the length of a text', (_, run) => {
  expect(slowTexts(run, 100_000)).toEqual([]);
});

const stamps = { created_at: '2026-03-02T09:00:00+0000', updated_at: '2026-03-02T09:00:00+0000' };

/** A user with an address, and a product, with a text in each field. */
function recordsOf(text: string): ShownRecords {
  const user = { first_name: text, last_name: text, username: text, username_canonical: text };
  const flags = {
    enabled: true,
    locked: false,
    expired: false,
    credentials_expired: false,
    roles: [],
  };
  const secrets = { email: `${text}@post.test`, email_canonical: text, password: text, salt: text };
  const place = {
    first_name: text,
    last_name: text,
    street: text,
    city: text,
    postcode: text,
    country_id: 1,
  };
  const product = {
    name: text,
    description: text,
    attributes: [],
    options: [],
    channels: [],
    taxons: [],
  };
  const rows = { users: { ...user, ...flags, ...secrets }, addresses: place, products: product };
  const tables = Object.entries(rows).map(
    ([table, row]) => [table, new Map([[900, { id: 900, ...row, ...stamps }]])] as const,
  );
  return { tables: new Map(tables), read: new Map(), now: undefined };
}

function pullWith(text: string): void {
  const shop = { records: recordsOf(text), isWhole: false, settings: {} };
  scenarioOfShop(shop, { api: storeApi, seed: 1, replace: [], keep: [] });
}

test('the time in which a person is replaced is proportional to the length of each field', () => {
  const parts = ['a', 'é', '漢', '☎', '1', '１', ' ', '1 ', '12-', 'a b ', 'tel a ', 'QWRh '];
  expect(slowTexts(pullWith, 20_000, parts)).toEqual([]);
});

test('a phone number in the name or the street of a person is replaced', () => {
  const { products: _, ...tables } = Object.fromEntries(
    recordsOf('Hauptstr. 5, Tel. 0301234567890123456 ☎').tables,
  );
  const records = { tables: new Map(Object.entries(tables)), read: new Map(), now: undefined };
  const shop = { records, isWhole: false, settings: {} };
  const { scenario, left } = scenarioOfShop(shop, {
    api: storeApi,
    seed: 1,
    replace: [],
    keep: [],
  });
  expect(left).toEqual([]);
  expect(JSON.stringify(scenario)).toContain('☎');
  expect(JSON.stringify(scenario)).not.toMatch(/Haupt|030123/i);
});
