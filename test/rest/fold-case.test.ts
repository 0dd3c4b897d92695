import { expect, test } from 'vitest';
import { foldCase } from '../../src/engine/lib/fold-case.ts';
import { rangeOf } from '../../src/studio/json-lines.ts';
import { openOffice } from '../support/office.ts';

const names = [
  ['ΟΔΥΣΣΕΥΣ', ['ΟΔΥΣ', 'οδυς', 'οδυσ', 'Σευς', 'οδυσσευς', 'ΟΔΥΣΣΕΥΣ']],
  ['Οδυσσευς', ['ΟΔΥΣΣΕΥΣ', 'ευσ', 'ΕΥΣ']],
  ['Straße', ['STRASSE', 'straße', 'strasse', 'STRAẞE', 'ß']],
  ['STRASSE', ['straße', 'STRAẞE']],
  ['İstanbul', ['istanbul', 'ISTANBUL', 'İSTANBUL', 'ıst', 'i']],
  ['ÉCOLE Ǆ', ['école', 'ǆ', 'ǅ']],
  ['ﬁsh', ['FISH', 'fish']],
  ['𐐀 Deseret', ['𐐨']],
] as const;

test.each(names)('%s is found in every search, without regard to case', async (name, searched) => {
  const { call } = openOffice();
  const product = await call('POST /api/products/', {
    name,
    description: 'Any',
    price: 1,
    sku: name,
  });
  const user = { firstName: name, lastName: 'Other', email: 'any@example.com' };
  const { body } = await call('POST /api/users/', { ...user, plainPassword: 'secret-word' });
  await call('POST /api/orders/', { channel: 1, user: body.id, currency: 'EUR' });
  expect(product.status).toBe(201);
  const lists: readonly (readonly [string, (body: never) => number])[] = [
    ['/api/products/?criteria[name]=', ({ total }: { total: number }) => total],
    ['/api/users/?criteria[query]=', ({ total }: { total: number }) => total],
    ['/_backlot/orders?find=', ({ length }: unknown[]) => length],
    ['/_backlot/tables/products?where[name]=*', ({ total }: { total: number }) => total],
  ];
  for (const word of searched) {
    for (const [url, count] of lists) {
      const end = url.endsWith('*') ? '*' : '';
      const found = await call(`GET ${url}${encodeURIComponent(`${word}${end}`)}`);
      expect({ url, word, found: count(found.body as never) > 0 }).toEqual({
        url,
        word,
        found: true,
      });
    }
  }
});

test('e-mail addresses are unique in lower case, as in the original', async () => {
  const { call } = openOffice();
  const user = { firstName: 'Ada', lastName: 'Strauss', plainPassword: 'secret-word' };
  const create = async (email: string) =>
    (await call('POST /api/users/', { ...user, email })).status;
  expect(await create('strauss@example.com')).toBe(201);
  expect(await create('STRAUSS@example.com')).toBe(400);
  expect(await create('strauß@example.com')).toBe(201);
});

test.each([
  ['a Straße b', 'SS', 'ß'],
  ['𐐀x İstanbul', 'ist', 'İst'],
  ['plain', 'LAI', 'lai'],
])('in %j, %j marks %j', (text, wanted, marked) => {
  expect(text.slice(...rangeOf(text, foldCase(wanted))!)).toBe(marked);
  expect(rangeOf(text, 'nowhere')).toBeUndefined();
});
