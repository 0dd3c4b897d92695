import { expect, test } from 'vitest';
import { extendApi, field, Problem, resource, storeApi } from '../../src/define.ts';
import { createBackOffice } from '../../src/index.ts';
import { card } from '../support/checkout-steps.ts';
import { company } from '../support/company-api.ts';
import { contents, openOffice } from '../support/office.ts';

const user = {
  firstName: 'Ada',
  lastName: 'Novak',
  email: 'ada@example.com',
  plainPassword: 'correct horse',
};

test('a field of a resource is written, shown, filtered and sorted', async () => {
  const { call } = openOffice({ api: company });
  expect((await call('GET /api/v1/users/1')).body).toMatchObject({
    loyalty_points: 0,
    tier: 'basic',
  });
  const created = await call('POST /api/v1/users/', { ...user, loyaltyPoints: '1500' });
  expect(created).toMatchObject({ status: 201, body: { loyalty_points: 1500, tier: 'gold' } });
  expect(created.headers['location']).toBe('/api/v1/users/61');
  await call('PATCH /api/v1/users/2', { loyaltyPoints: 20 });
  const idsOf = async (query: string): Promise<number[]> =>
    (await call(`GET /api/v1/users/?${query}`)).body._embedded.items.map(
      ({ id }: { id: number }) => id,
    );
  expect(await idsOf('criteria[loyaltyPoints]=20')).toEqual([2]);
  expect(await idsOf('criteria[loyaltyPoints]=20&criteria[query]=nobody')).toEqual([]);
  expect(await idsOf('sorting[loyalty_points]=desc&limit=3')).toEqual([61, 2, 60]);
  const { firstName, lastName, email } = user;
  await call('PUT /api/v1/users/61', { firstName, lastName, email });
  expect((await call('GET /api/v1/users/61')).body).toMatchObject({ loyalty_points: 0 });
});

test('a field has its place in the error tree, and a refused request writes nothing', async () => {
  const office = openOffice({ api: company });
  const before = contents(office);
  const refused = await office.call('POST /api/v1/users/', {
    ...user,
    loyaltyPoints: -1,
    tier: 'x',
  });
  expect(refused.status).toBe(400);
  expect(refused.body.errors).toEqual({
    errors: ['This form should not contain extra fields.'],
    children: {
      firstName: [],
      lastName: [],
      email: [],
      enabled: [],
      plainPassword: [],
      loyaltyPoints: { errors: ['This value should be 0 or more.'] },
    },
  });
  expect(contents(office)).toBe(before);
});

test('a field of orders is in every response that shows them, cached or not', async () => {
  const { call, db } = openOffice({ api: company });
  const opened = { channel: 1, user: 1, currency: 'EUR', giftNote: 'For Ada' };
  const { body } = await call('POST /api/v1/orders/', opened);
  expect(body).toMatchObject({ id: 121, gift_note: 'For Ada' });
  for (const giftNote of ['For Bo', 'For Cy']) {
    await db.orders.update((q) => q.where({ id: 1 }), {
      data(order) {
        order.gift_note = giftNote;
      },
    });
    for (const line of ['GET /api/v1/orders/1', 'GET /api/v1/orders/1']) {
      const answer = await call(line);
      expect(answer.body).toMatchObject({ id: 1, gift_note: giftNote });
      expect(Object.keys(answer.body).at(-1)).toBe('gift_note');
    }
    const list = await call('GET /api/v1/orders/?criteria[giftNote]=for&limit=1');
    expect(list.body).toMatchObject({ _embedded: { items: [{ id: 1, gift_note: giftNote }] } });
  }
  expect((await call('GET /api/v1/orders/2')).body).not.toHaveProperty('gift_note');
  await db.orders.update((q) => q.where({ id: 109 }), {
    data(order) {
      order.gift_note = 'Wait';
    },
  });
  const paid = await call('PUT /api/v1/checkouts/109', { paymentMethod: 1 });
  expect(paid.body).toMatchObject({ gift_note: 'Wait', checkout_state: 'payment' });
});

test('a resource can be listed, read, created, updated and deleted', async () => {
  const { call, db } = openOffice({ api: company });
  const now = '2026-03-02T09:00:00+0000';
  const spring = {
    id: 1,
    name: 'Spring',
    user: 1,
    variants: [7, 9],
    created_at: now,
    updated_at: now,
    _links: { self: { href: '/api/v1/wishlists/1' }, user: { href: '/api/v1/users/1' } },
  };
  expect((await call('GET /api/v1/wishlists/1')).body).toEqual(spring);
  const created = await call('POST /api/v1/wishlists/', { name: 'Summer', user: 2, variants: [] });
  expect(created.headers['location']).toBe('/api/v1/wishlists/2');
  const list = await call('GET /api/v1/wishlists/?criteria[user]=1&sorting[name]=asc');
  expect(list.body).toMatchObject({ total: 1, _embedded: { items: [spring] } });
  await call('PATCH /api/v1/wishlists/2', { name: 'Autumn' });
  await call('PUT /api/v1/wishlists/1', { name: 'Winter', user: 2, variants: [1] });
  expect(db.wishlists.all().map(({ name, user: owner }) => [name, owner])).toEqual([
    ['Winter', 2],
    ['Autumn', 2],
  ]);
  expect((await call('DELETE /api/v1/wishlists/1')).status).toBe(204);
  expect((await call('GET /api/v1/wishlists/1')).body).toEqual({
    code: 404,
    message: 'Requested wishlist does not exist with these criteria: {"id":"1"}.',
  });
});

test('references and unique combinations of a resource are checked', async () => {
  const office = openOffice({ api: company });
  const messagesOf = async (line: string, body: object): Promise<Record<string, unknown>> =>
    (await office.call(line, body)).body.errors.children;
  const before = contents(office);
  const taken = { errors: ['This value is already used.'] };
  const summer = { name: 'Summer', user: 1, variants: [] };
  const create = 'POST /api/v1/wishlists/';
  expect(await messagesOf(create, { ...summer, name: 'Spring' })).toMatchObject({ name: taken });
  const unknown = { ...summer, user: 999, variants: [7, 9999] };
  const invalid = { errors: ['This value is not valid.'] };
  expect(await messagesOf(create, unknown)).toMatchObject({ user: invalid, variants: invalid });
  expect(contents(office)).toBe(before);
  await office.call(create, summer);
  expect(await messagesOf('PATCH /api/v1/wishlists/2', { name: 'Spring' })).toMatchObject({
    name: taken,
  });
  expect((await office.call('PATCH /api/v1/wishlists/1', { name: 'Spring' })).status).toBe(204);
});

test('a handler refuses by a Problem, with issues of its parameters', async () => {
  const api = extendApi(storeApi, {
    resources: {
      notes: resource({
        singular: 'note',
        fields: { text: field.text() },
        endpoints: {
          'POST /send': {
            summary: 'Send a note',
            body: { to: field.text() },
            handle({ issue, body, record }) {
              const nothing: undefined = record;
              const fields = [issue('to', `Not to ${body.to}.`)];
              throw new Problem('invalid', 'No', { fields: nothing ?? fields });
            },
          },
        },
      }),
    },
  });
  const { status, body } = await openOffice({ api }).call('POST /api/notes/send', { to: 'Ada' });
  expect(status).toBe(400);
  expect(body.errors.children.to).toEqual({ errors: ['Not to Ada.'] });
});

test('an endpoint of a resource runs in one transaction, and shows the record that it returns', async () => {
  const office = openOffice({ api: company });
  const cart = await office.call('POST /api/v1/wishlists/1/cart', { channel: 1, currency: 'EUR' });
  expect(cart.status).toBe(201);
  expect(cart.body.items.map(({ variant }: { variant: { id: number } }) => variant.id)).toEqual([
    7, 9,
  ]);
  const before = contents(office);
  // The handler opens a cart before it finds that the currency does not exist.
  for (const body of [{ channel: 99, currency: 'EUR' }, {}]) {
    expect((await office.call('POST /api/v1/wishlists/1/cart', body)).status).toBe(400);
  }
  expect((await office.call('POST /api/v1/wishlists/9/cart', {})).status).toBe(404);
  expect(contents(office)).toBe(before);
});

test('a handler that throws writes nothing', async () => {
  const api = extendApi(storeApi, {
    resources: {
      notes: resource({
        singular: 'note',
        fields: { text: field.text() },
        endpoints: {
          'POST /all': {
            summary: 'Write, then fail',
            handle({ db }) {
              db.users.change(1, { first_name: 'Changed' });
              throw new TypeError('a mistake');
            },
          },
        },
      }),
    },
  });
  const reported: unknown[] = [];
  const office = openOffice({ api, report: (fault) => void reported.push(fault) });
  const before = contents(office);
  expect((await office.call('POST /api/notes/all')).status).toBe(500);
  expect(contents(office)).toBe(before);
  expect(reported).toEqual([new TypeError('a mistake')]);
});

test('a rule of a step refuses what it finds, and lets pass what it asked for', async () => {
  const office = openOffice({ api: company });
  const { call, db } = office;
  await db.orders.update((q) => q.where({ id: 88 }), {
    data(order) {
      order.total = 500_01;
    },
  });
  const before = contents(office);
  const refused = await call('PUT /api/v1/checkouts/88', card);
  expect(refused.body.errors.children.confirmed).toEqual({
    errors: ['Confirm purchases over 500.00 EUR.'],
  });
  expect(contents(office)).toBe(before);
  const confirmed = await call('PUT /api/v1/checkouts/88', { ...card, confirmed: true });
  expect(confirmed.status).toBe(200);
  expect(confirmed.body.payments.at(-1)).toMatchObject({ state: 'completed' });
});

test('what is not extended answers the same bytes', async () => {
  const api = extendApi(storeApi, {
    fields: { coupons: { campaign: field.text({ default: 'none' }) } },
    resources: { brands: resource({ singular: 'brand', fields: { name: field.text() } }) },
  });
  const [extended, plain] = [createBackOffice({ api }), createBackOffice()];
  const rows = storeApi.endpoints.filter(({ path }) => !path.includes('coupon'));
  for (const { method, example } of rows) {
    const textOf = async (office: Pick<typeof plain, 'fetch'>): Promise<string> => {
      const response = await office.fetch(`http://shop.test${example.url}`, {
        method,
        ...(example.body !== undefined && {
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(example.body),
        }),
      });
      return `${response.status} ${await response.text()}`;
    };
    expect(await textOf(extended)).toBe(await textOf(plain));
  }
});

test('an endpoint answers with its record as it is at the end of the request', async () => {
  const { call } = openOffice({ api: company });
  const { body } = await call('POST /api/v1/wishlists/1/cart', { channel: 1, currency: 'EUR' });
  expect(body.items).toHaveLength(2);
  expect(body.items_total).toBe(body.items[0].total + body.items[1].total);
});
