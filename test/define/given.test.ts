import { expect, expectTypeOf, test } from 'vitest';
import { createBackOffice } from '../../src/mounts/node.ts';
import { givenFor } from '../../src/mounts/testing.ts';
import { createTest } from '../../src/mounts/vitest.ts';
import { defineApi, extendApi, field, resource, storeApi } from '../../src/define.ts';
import { createBackOffice as openInMemory } from '../../src/index.ts';
import { company } from '../support/company-api.ts';
import { everyField } from '../support/every-field-api.ts';
import { openServer } from '../support/server.ts';

const withGadgets = createTest({ api: everyField });

withGadgets('given sets up a record with every kind of field', ({ office: { given, db } }) => {
  const gadget = given.aGadget();
  expectTypeOf(gadget.colour).toEqualTypeOf<'red' | 'green'>();
  expectTypeOf(gadget.refs).toEqualTypeOf<readonly number[]>();
  expectTypeOf(gadget.computed).toEqualTypeOf<number>();
  expect(gadget).toMatchObject({ id: 2, colour: 'red', ref: 1, refs: [1], computed: 2 });
  expect(db.gadgets.get(2)?.text).toBe(gadget.text);
  // The parameters have other names than the values: `oneOf` is `colour`.
  const other = given.aGadget({ oneOf: 'green', texts: ['a', 'b'], refs: [], time: gadget.time });
  expect(other).toMatchObject({ id: 3, colour: 'green', texts: ['a', 'b'], refs: [] });
  expect(other.text).not.toBe(gadget.text);
});

withGadgets('given sets more fields of records of the store', ({ office: { given } }) => {
  const user = given.aUser({ firstName: 'Grace', loyaltyPoints: 20 });
  expectTypeOf(user.loyalty_points).toEqualTypeOf<number>();
  expect(user).toMatchObject({
    email: 'ada.novak.1@example.com',
    loyalty_points: 20,
    rank: true,
    tier: 'basic',
  });
  expect(given.aProduct({ brand: 'Acme', stock: 2 }).brand).toBe('Acme');
});

test('a value that a form refuses, or a field that there is not, is refused by name', () => {
  const { given, db } = createBackOffice({ api: company });
  const before = db.wishlists.count();
  // @ts-expect-error -- there is no such field
  expect(() => given.aWishlist({ nam: 'Spring' })).toThrow(
    'Failed to set up by aWishlist: Unrecognized field: "nam" (did you mean "name"?); known: name, user, variants',
  );
  expect(() => given.aWishlist({ name: 'S' })).toThrow(/too short/);
  expect(() => given.aWishlist({ user: 999 })).toThrow(/This value is not valid/);
  expect(() => given.aWishlist({ name: 'Spring', user: 1 })).toThrow(/already used/);
  expect(db.wishlists.count()).toBe(before);
  // Another user can have a wishlist of this name.
  expect(given.aWishlist({ name: 'Spring' })).toMatchObject({ name: 'Spring', user: 2 });
});

const nothing = { name: 'nothing', description: 'A shop without records' };

/** Of each kind: a field whose values no two records share, with few of them. */
const unique = {
  text: field.text({ max: 2, example: 'ab' }),
  integer: field.integer({ min: 3, max: 12 }),
  decimal: field.decimal({ max: 20 }),
  money: field.money({ min: 100 }),
  flag: field.flag(),
  time: field.time({ example: '2026-03-02T09:00:59+0000' }),
  oneOf: field.oneOf(['red', 'green', 'blue']),
  texts: field.texts({ min: 3 }),
  ref: field.ref('channels'),
  refs: field.refs('users', { min: 2 }),
};

test.each(Object.entries(unique))('given finds unused values of a unique %s', (name, own) => {
  const things = resource({
    singular: 'thing',
    fields: { own, code: field.text({ default: 'X' }) },
    unique: { own: ['own'] },
  });
  const { given, db } = createBackOffice({ api: extendApi(storeApi, { resources: { things } }) });
  const times = name === 'flag' ? 2 : name === 'oneOf' ? 3 : 9;
  const made = Array.from({ length: times }, () => JSON.stringify(given.aThing().own));
  expect(new Set(made).size).toBe(times);
  expect(db.things.count()).toBe(times);
  if (times < 9) expect(() => given.aThing()).toThrow(/already used/);
});

test('given creates the records that required references need', () => {
  const api = extendApi(storeApi, {
    resources: {
      shelves: resource({ singular: 'shelf', fields: { variants: field.refs('variants') } }),
      boards: resource({
        singular: 'own board',
        fields: {
          shelf: field.ref('shelves'),
          owner: field.ref('users'),
          variants: field.refs('variants', { min: 2 }),
        },
      }),
    },
  });
  const { given, db } = createBackOffice({ api, scenario: nothing });
  expect(given.anOwnBoard()).toMatchObject({ shelf: 1, owner: 1, variants: [1, 2] });
  expect(given.aShelf()).toMatchObject({ id: 2, variants: [1] });
  expect([db.users.count(), db.products.count(), db.shelves.count()]).toEqual([1, 2, 2]);
});

test('what cannot be created is named, and nothing stays', () => {
  const api = extendApi(storeApi, {
    resources: {
      raffles: resource({
        singular: 'raffle',
        fields: { user: field.ref('users'), promotion: field.ref('promotions') },
      }),
    },
  });
  const { given, db } = createBackOffice({ api, scenario: nothing });
  expect(() => given.aRaffle()).toThrow('the shop has no promotions, which a field refers to');
  expect(db.users.count()).toBe(0);
});

test('an extension of an extension sets up the records of both, with the parameters of its rules', () => {
  const api = extendApi(company, {
    fields: { wishlists: { note: field.text({ optional: true }) } },
    resources: {
      ideas: resource({ singular: 'idea', fields: { wishlist: field.ref('wishlists') } }),
    },
    rules: { 'POST /api/wishlists/': { body: { agreed: field.flag() } } },
  });
  const { given } = createBackOffice({ api });
  expect(given.aWishlist({ note: 'Soon' })).toMatchObject({ note: 'Soon', user: 1 });
  expect(given.anIdea().wishlist).toBe(1);
  expect(given.aUser({ loyaltyPoints: 3 }).loyalty_points).toBe(3);
});

test('given of an API from nothing, and of a back office of a page, sets up its records', () => {
  const todo = defineApi({
    name: 'todo',
    resources: { todos: resource({ singular: 'todo', fields: { title: field.text() } }) },
  });
  expect(createBackOffice({ api: todo }).given.aTodo().title).toBe('Todo title 1');
  const given: object = givenFor(openInMemory({ api: company }));
  expect(given).toHaveProperty('aWishlist');
  expect(openServer({ api: todo }).call('POST /_backlot/given/aTodo', {}).status).toBe(201);
});

test('given over HTTP returns the same, and refuses the same', () => {
  const { call } = openServer({ api: company });
  const { given } = createBackOffice({ api: company });
  const path = 'POST /_backlot/given/aWishlist';
  expect(call(path, { variants: [3] })).toMatchObject({
    status: 201,
    body: given.aWishlist({ variants: [3] }),
  });
  expect(call(path, { nam: 'Spring' })).toMatchObject({
    status: 400,
    body: { message: expect.stringContaining('did you mean "name"?') },
  });
  expect(call('POST /_backlot/given/aUser', { loyaltyPoints: 5 }).body).toMatchObject({
    loyalty_points: 5,
  });
});
