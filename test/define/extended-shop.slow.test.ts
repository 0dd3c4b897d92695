import { expect, test } from 'vitest';
import { extendApi, field, resource, storeApi } from '../../src/define.ts';
import { createBackOffice } from '../../src/index.ts';
import { company } from '../support/company-api.ts';
import { caller, openOffice } from '../support/office.ts';

test('what is added is in history, exports, resets and snapshots', async () => {
  const office = createBackOffice({ api: company, history: true });
  const call = caller((url, init) => office.fetch(url, init));
  await call('PATCH /api/v1/users/1', { loyaltyPoints: 7 });
  await call('POST /api/v1/wishlists/', { name: 'Summer', user: 1, variants: [] });
  expect(office.history.past('wishlists', 2)).toMatchObject({ record: { name: 'Summer' } });
  expect(office.history.past('users', 1)).toMatchObject({ record: { loyalty_points: 7 } });
  const file = office.export();
  office.rewind(1, 'before');
  const state = () => [office.db.users.all()[0]?.loyalty_points, office.db.wishlists.count()];
  expect(state()).toEqual([0, 1]);
  office.import(file);
  expect(state()).toEqual([7, 2]);
  office.reset();
  expect(state()).toEqual([0, 1]);
  expect(() => createBackOffice().import(file)).toThrow(/Unrecognized table: "wishlists"/);
});

test('faults, the journal and dry runs know what is added', async () => {
  const { call, journal, faults, dryRun } = openOffice({ api: company });
  faults.add({ match: { path: '/api/v1/wishlists/:id' }, status: 503, first: 1 });
  expect((await call('GET /api/v1/wishlists/1')).status).toBe(503);
  const body = JSON.stringify({ name: 'Dry', user: 1, variants: [] });
  const headers = { 'content-type': 'application/json' };
  const url = '/api/v1/wishlists/';
  expect(dryRun({ method: 'POST', url, headers, body })).toMatchObject({ status: 201 });
  expect((await call('GET /api/v1/wishlists/')).body.total).toBe(1);
  expect(journal.count({ request: 'GET /api/v1/wishlists/:id' })).toBe(1);
});

const tables = Object.keys(storeApi.tables).filter(
  (key) => !['faultRules', 'scriptRules'].includes(key),
);

test.each(tables.filter((key) => openOffice().db[key as 'orders'].count() > 0))(
  'records of a definition refer to records of %s, whether a scenario lists or plays them',
  (key) => {
    const last = openOffice().db[key as 'orders'].all().at(-1)!.id;
    const withNote = (about: number, scenario: string) =>
      extendApi(storeApi, {
        resources: { notes: resource({ singular: 'note', fields: { about: field.ref(key) } }) },
        fields: { channels: { about: field.ref(key, { optional: true }) } },
        scenarios: { [scenario]: { data: { notes: [{ about }] } } },
      });
    const { db } = openOffice({ api: withNote(last, 'default') });
    expect(db.notes.all()).toMatchObject([{ id: 1, about: last }]);
    expect(() => openOffice({ api: withNote(999_999, 'default') })).toThrow(
      /data\.notes\.0\.about: There is no \w+( \w+)? 999999/,
    );
  },
);

test('records of a scenario that extends another one refer to the orders that this one plays', async () => {
  const api = extendApi(storeApi, {
    resources: {
      reviews: resource({ singular: 'review', fields: { order: field.ref('orders') } }),
    },
  });
  const data = { reviews: [{ order: 105 }] };
  const scenario = { name: 'own', description: 'Own', extends: 'default', data };
  const { call } = openOffice({ api, scenario: scenario as never });
  expect((await call('GET /api/reviews/1')).body.order).toBe(105);
  expect((await call('GET /api/orders/105')).status).toBe(200);
});

test('scenarios extend those of the API, and their records are checked', () => {
  const data = { wishlists: [{ name: 'Own', user: 999, variants: [] }] };
  const scenario = { name: 'own', description: 'Own', extends: 'default', data };
  expect(() => createBackOffice({ api: company, scenario: scenario as never })).toThrow(
    'data.wishlists.0.user: There is no user 999',
  );
  const unknown = { ...scenario, data: { wishlist: [] } };
  expect(() => createBackOffice({ api: company, scenario: unknown as never })).toThrow(
    /did you mean "wishlists"/,
  );
  expect(createBackOffice({ api: company, scenario: 'sale' }).db.wishlists.count()).toBe(1);
});

test('the records of the scenario large have added fields', { tags: 'long' }, () => {
  const { db } = createBackOffice({ api: company, scenario: 'large' });
  expect(db.users.all().at(-1)).toMatchObject({ loyalty_points: 0 });
});

test('an extension can be extended', async () => {
  const more = extendApi(company, {
    path: '/rest/V2',
    fields: {
      products: { brand: field.text({ default: 'None', filter: true }) },
      users: { nickname: field.text({ optional: true, filter: true }) },
      wishlists: { color: field.text({ default: 'red', filter: true }) },
    },
    resources: { brands: resource({ singular: 'brand', fields: { name: field.text() } }) },
  });
  const { call } = openOffice({ api: more });
  expect((await call('GET /rest/V2/products/1')).body).toMatchObject({ brand: 'None' });
  await call('PATCH /rest/V2/users/1', { nickname: 'Ada', loyaltyPoints: 1000 });
  expect((await call('GET /rest/V2/users/?criteria[nickname]=ada')).body).toMatchObject({
    total: 1,
    _embedded: { items: [{ id: 1, nickname: 'Ada', loyalty_points: 1000, tier: 'gold' }] },
  });
  await call('POST /rest/V2/wishlists/', { name: 'Own', user: 1, variants: [], color: 'blue' });
  const blue = await call('GET /rest/V2/wishlists/?criteria[color]=blue&criteria[user]=1');
  expect(blue.body).toMatchObject({ total: 1, _embedded: { items: [{ id: 2, color: 'blue' }] } });
  const cart = await call('POST /rest/V2/wishlists/1/cart', { channel: 1, currency: 'EUR' });
  expect(cart.status).toBe(201);
  expect((await call('GET /rest/V2/brands/')).body.total).toBe(0);
});

const user = (email: string): object => ({
  firstName: 'Ada',
  lastName: 'Novak',
  email,
  plainPassword: 'x',
});

test('a rule of an endpoint needs no parameters of its own', async () => {
  const api = extendApi(storeApi, {
    rules: {
      purchase: {
        body: { confirmed: field.flag({ optional: true }) },
        check: ({ body, issue }) => (body.confirmed === true ? [] : [issue('confirmed', 'No.')]),
      },
      'POST /api/users/': {
        check: ({ db, issue }) => (db.users.count() > 60 ? [issue('email', 'Full.')] : []),
      },
    },
  });
  const { call } = openOffice({ api });
  expect((await call('POST /api/users/', user('ada@example.com'))).status).toBe(201);
  expect(
    (await call('POST /api/users/', user('bo@example.com'))).body.errors.children.email,
  ).toEqual({ errors: ['Full.'] });
});
