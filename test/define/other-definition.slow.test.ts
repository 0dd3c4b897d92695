import { expect, test } from 'vitest';
import { extendApi, field, resource, storeApi } from '../../src/define.ts';
import { SessionTexts } from '../../src/mounts/stores/saved-session.ts';
import { createBackOffice } from '../../src/index.ts';
import { openBuiltIn } from '../../src/engine/scenario/built-in.ts';
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
    'Unrecognized fields: "users.loyalty_points", "wishlists.user", "wishlists.variants"',
  );
  expect(() => createBackOffice().import(theirs.export())).toThrow(
    /^Unrecognized table: "wishlists"; known: .*\. Unrecognized field: "users\.loyalty_points"$/,
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

/** The wishlists of a shop, with other fields. */
function wishlistsWith(fields: Parameters<typeof resource>[0]['fields'], more: object = {}) {
  const name = field.text();
  return extendApi(storeApi, {
    resources: {
      wishlists: resource({ singular: 'wishlist', fields: { name, ...fields }, ...more }),
    },
  });
}

/** Saves a session with two wishlists of one name as a store does, and restores it under another definition. */
function restored(api: ReturnType<typeof wishlistsWith>) {
  const saved = createBackOffice({ api: wishlistsWith({ user: field.ref('users') }) });
  saved.db.wishlists.add({ name: 'Same', user: 3 } as never);
  saved.db.wishlists.add({ name: 'Same', user: 60 } as never);
  saved.snapshot('one');
  const text = new SessionTexts('1', (name) => openBuiltIn(saved.shop.api, name)).write(saved, 0);
  const office = createBackOffice({ api });
  const reader = new SessionTexts('1', (name) => openBuiltIn(api, name));
  return { office, refusal: reader.read(text, () => office) };
}

test('a saved session fits a definition that has gained fields with defaults, and its snapshots do', () => {
  const user = field.ref('users');
  const { office, refusal } = restored(
    wishlistsWith({ user, colour: field.text({ default: 'red' }) }),
  );
  expect(refusal).toBeUndefined();
  const wishlists = [
    { name: 'Same', user: 3, colour: 'red' },
    { name: 'Same', user: 60, colour: 'red' },
  ];
  expect(office.db.wishlists.all()).toMatchObject(wishlists);
  office.db.wishlists.clear();
  office.restore('one');
  expect(office.db.wishlists.all()).toMatchObject(wishlists);
});

test.each([
  ['lacks a field', wishlistsWith({}), 'Unrecognized field: "wishlists.user"'],
  ['lacks the table', extendApi(storeApi, { path: '' }), 'Unrecognized table: "wishlists"'],
  [
    'requires another field',
    wishlistsWith({ user: field.ref('users'), colour: field.text() }),
    'wishlists: record 1 (id 1) does not match the schema: colour: ',
  ],
  [
    'refers to another table',
    wishlistsWith({ user: field.ref('shippingMethods') }),
    'wishlists.2.user: There is no shipping method 60',
  ],
  [
    'has another unique key',
    wishlistsWith({ user: field.ref('users') }, { unique: { name: ['name'] } }),
    'is taken by wishlist 1',
  ],
])('a saved session is refused by a definition that %s', (_, api, reason) => {
  const { refusal } = restored(api as ReturnType<typeof wishlistsWith>);
  expect(refusal?.reason).toContain(`it cannot be restored: `);
  expect(refusal?.reason).toContain(reason);
});
