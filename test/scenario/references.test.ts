import { expect, test } from 'vitest';
import { definitions } from '../../src/shop/models/database.ts';
import type { BackOfficeFile } from '../../src/engine/office/file.ts';
import { address, submitStep } from '../support/checkout-steps.ts';
import { contents, openOffice } from '../support/office.ts';
import { at, openSmallShop } from '../support/small-shop.ts';

test.each(Object.entries(definitions))(
  'every reference of %s names a field and a table',
  (_, definition) => {
    const { references = {}, schema } = definition;
    const fields = Object.keys(schema.shape);
    expect(Object.keys(references).filter((field) => !fields.includes(field))).toEqual([]);
    const targets: unknown[] = Object.values(references);
    expect(
      targets.filter((target) => !Object.keys(definitions).some((table) => table === target)),
    ).toEqual([]);
  },
);

test('an import is rejected if the province of an address is in another country', async () => {
  const office = openSmallShop();
  const shippingAddress = { ...address, country: 2, province: 1 };
  await submitStep(office.call, at.cart, 'addressing', { shippingAddress });
  const file = office.export();
  const rows = file.tables['addresses']?.rows ?? [];
  const moved = rows.map((row) => ({ ...row, country_id: 1 }));
  const position = rows.findIndex((row) => 'province_id' in row);
  const before = contents(office);
  expect(() => office.import(withRows(file, 'addresses', moved))).toThrow(
    `tables.addresses.rows.${position}.province_id: Province 1 is in country 2, not in country 1`,
  );
  expect(contents(office)).toBe(before);
  office.import(file);
});

test('an import is rejected if its `defaultTaxZone` does not exist', () => {
  const office = openOffice({ settings: { defaultTaxZone: 1 } });
  const file = office.export();
  const before = contents(office);
  const settings = { ...file.settings, defaultTaxZone: 99 };
  expect(() => office.import({ ...file, settings })).toThrow(
    'This back office file is not valid:\n  settings.defaultTaxZone: There is no zone 99',
  );
  expect(contents(office)).toBe(before);
  office.import(file);
});

function withRows(file: BackOfficeFile, table: string, rows: readonly object[]): object {
  return { ...file, tables: { ...file.tables, [table]: { ...file.tables[table], rows } } };
}
