import { expect, test } from 'vitest';
import { extendApi, field, resource, storeApi } from '../../src/define.ts';
import { createBackOffice } from '../../src/index.ts';
import { company } from '../support/company-api.ts';

const texts = extendApi(storeApi, {
  resources: {
    wishlists: resource({
      singular: 'wishlist',
      fields: { name: field.text(), colour: field.text() },
    }),
  },
});

test('a file of another definition is refused with the tables and fields that differ, and nothing changes', () => {
  const office = createBackOffice({ api: texts });
  office.db.wishlists.add({ name: 'Own', colour: 'red' });
  const before = JSON.stringify(office.export());
  const theirs = createBackOffice({ api: company });
  expect(() => office.import(theirs.export())).toThrow(
    'Field users.loyalty_points, wishlists.user, wishlists.variants not found in this API. Field wishlists.colour required by this API.',
  );
  expect(() => createBackOffice().import(theirs.export())).toThrow(
    /^Table wishlists not found\. The tables are .*\. Field users\.loyalty_points not found in this API\.$/,
  );
  expect(JSON.stringify(office.export())).toBe(before);
});

test('a file fits a definition that has gained tables, optional fields and fields with defaults', () => {
  const plain = createBackOffice();
  plain.db.users.change(1, { first_name: 'Eve' });
  const fields = {
    points: field.integer({ default: 5 }),
    nickname: field.text({ optional: true }),
  };
  const office = createBackOffice({ api: extendApi(texts, { fields: { users: fields } }) });
  office.db.wishlists.add({ name: 'Own', colour: 'red' });
  office.import(plain.export());
  expect(office.db.users.all()[0]).toMatchObject({ first_name: 'Eve', points: 5 });
  expect(office.db.wishlists.count()).toBe(0);
});

test('a file whose field has another kind now is refused by its record', () => {
  const office = createBackOffice({ api: texts });
  office.db.wishlists.add({ name: 'Own', colour: 'red' });
  const fields = { name: field.text(), colour: field.integer() };
  const api = extendApi(storeApi, {
    resources: { wishlists: resource({ singular: 'wishlist', fields }) },
  });
  expect(() => createBackOffice({ api }).import(office.export())).toThrow(
    'wishlists: record 1 (id 1) does not match the schema: colour: ',
  );
});
