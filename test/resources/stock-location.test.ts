import { expect, test } from 'vitest';
import { address } from '../support/checkout-steps.ts';
import { outline } from '../support/outline.ts';
import { openOffice } from '../support/office.ts';
import { openSmallShop } from '../support/small-shop.ts';
import {
  collection,
  stockLocation,
  stockLocationWithoutAddress,
} from '../support/specification.ts';

const line = 'POST /api/stock-locations/';
const good = { code: 'DUB', name: 'Dublin' };
const blank = { errors: ['This value should not be blank.'] };
const addressChildren = {
  firstName: [],
  lastName: [],
  city: [],
  postcode: [],
  street: [],
  country: [],
  province: [],
};

test('GET of a stock location returns the fields of the specification, with its address', async () => {
  const { call } = openSmallShop();
  const { status, body } = await call('GET /api/stock-locations/1');
  expect(status).toBe(200);
  expect(outline(body)).toBe(stockLocation);
  expect(body).toEqual({
    id: 1,
    code: 'GWY',
    name: 'Galway',
    enabled: true,
    address: {
      id: 1,
      first_name: 'Colm',
      last_name: 'Hession',
      city: 'Galway',
      postcode: 'H91',
      street: 'Tuam Road 9',
      created_at: '2025-02-01T08:00:00+0000',
      updated_at: '2025-02-01T09:30:00+0000',
      _links: { country: { href: '/api/countries/1' } },
    },
    created_at: '2025-02-01T08:00:00+0000',
    updated_at: '2025-02-01T09:30:00+0000',
    _links: { self: { href: '/api/stock-locations/1' } },
  });
});

test('stock locations are listed by id, with their addresses', async () => {
  const { call } = openSmallShop();
  const { status, body } = await call('GET /api/stock-locations/');
  expect(status).toBe(200);
  expect(outline(body)).toBe(collection(`${stockLocation} | ${stockLocationWithoutAddress}`));
});

test.each([good, { ...good, address }])(
  'the response to the creation of %j omits the address',
  async (sent) => {
    const { call } = openSmallShop();
    const { status, body } = await call(line, sent);
    expect(status).toBe(201);
    expect(outline(body)).toBe(stockLocationWithoutAddress);
    expect(body).toEqual({
      id: 3,
      code: 'DUB',
      name: 'Dublin',
      enabled: true,
      created_at: '2026-03-02T09:00:00+0000',
      updated_at: '2026-03-02T09:00:00+0000',
      _links: { self: { href: '/api/stock-locations/3' } },
    });
    const read = (await call('GET /api/stock-locations/3')).body;
    expect(outline(read)).toBe('address' in sent ? stockLocation : stockLocationWithoutAddress);
  },
);

test.each([
  { code: 'X', name: 'Y' },
  { code: 'c'.repeat(300), name: 'n'.repeat(300) },
])('the code and the name of a stock location can have any length', async (texts) => {
  const { call } = openSmallShop();
  expect(await call('POST /api/stock-locations/', texts)).toMatchObject({
    status: 201,
    body: texts,
  });
});

test('missing and invalid parameters of a stock location are reported', async () => {
  const { call } = openSmallShop();
  const answer = await call(line, {});
  expect(answer.status).toBe(400);
  expect(answer.body).toEqual({
    code: 400,
    message: 'Validation Failed',
    errors: {
      children: { code: blank, name: blank, enabled: [], address: { children: addressChildren } },
    },
  });
  expect((await call('PUT /api/stock-locations/1', {})).body).toEqual(answer.body);
  const wrong = { ...address, firstName: '', city: 'X', country: 'Ireland' };
  const { body } = await call(line, { ...good, enabled: 'x', address: wrong });
  expect(body.errors.children).toEqual({
    code: [],
    name: [],
    enabled: { errors: ['This value is not valid.'] },
    address: {
      children: {
        ...addressChildren,
        firstName: { errors: ['Please enter first name.'] },
        city: { errors: [expect.any(String)] },
        country: { errors: ['This value is not valid.'] },
      },
    },
  });
});

test.each([
  [{ country: 2 }, 'province', 'Please select proper province.'],
  [{ country: 2, province: 9 }, 'province', 'Please select proper province.'],
  [{ country: 9 }, 'country', 'This value is not valid.'],
])('a stock location whose address has %j is rejected', async (part, name, message) => {
  const { call } = openSmallShop();
  const { status, body } = await call(line, { ...good, address: { ...address, ...part } });
  expect(status).toBe(400);
  expect(body.errors.children.address.children[name]).toEqual({ errors: [message] });
});

test('a stock location cannot have the code of another stock location', async () => {
  const { call } = openSmallShop();
  const taken = {
    status: 400,
    body: { errors: { children: { code: { errors: ['This value is already used.'] }, name: [] } } },
  };
  expect(await call(line, { ...good, code: 'RTM' })).toMatchObject(taken);
  expect(await call('PUT /api/stock-locations/1', { ...good, code: 'RTM' })).toMatchObject(taken);
  expect(await call('PATCH /api/stock-locations/1', { code: 'RTM' })).toMatchObject(taken);
  expect(await call('PATCH /api/stock-locations/1', { code: 'GWY' })).toMatchObject({
    status: 204,
  });
});

test('PUT and PATCH of a stock location keep the fields of omitted parameters', async () => {
  const { call, clock } = openSmallShop();
  clock.advance('PT1M');
  const before = (await call('GET /api/stock-locations/2')).body;
  expect(await call('PUT /api/stock-locations/2', good)).toMatchObject({
    status: 204,
    body: undefined,
  });
  const changed = { ...before, ...good, updated_at: '2026-03-02T09:01:00+0000' };
  expect((await call('GET /api/stock-locations/2')).body).toEqual({ ...changed, enabled: false });
  expect(await call('PATCH /api/stock-locations/2', { enabled: 'on' })).toMatchObject({
    status: 204,
  });
  expect((await call('GET /api/stock-locations/2')).body).toEqual({ ...changed, enabled: true });
});

test('updates of a stock location add and change its address', async () => {
  const { call } = openSmallShop();
  const canada = { ...address, country: 2, province: 1 };
  for (const id of [1, 2]) {
    expect(await call(`PATCH /api/stock-locations/${id}`, { address: canada })).toMatchObject({
      status: 204,
    });
    expect((await call(`GET /api/stock-locations/${id}`)).body.address).toMatchObject({
      first_name: 'Ada',
      street: 'Long Lane 4',
      _links: { country: { href: '/api/countries/2' } },
    });
  }
  await call('PUT /api/stock-locations/2', { ...good, address });
  expect((await call('GET /api/stock-locations/2')).body.address).toMatchObject({
    _links: { country: { href: '/api/countries/1' } },
  });
});

test('a deleted stock location is missing from lists and reads', async () => {
  const { call } = openSmallShop();
  expect(await call('DELETE /api/stock-locations/1')).toMatchObject({
    status: 204,
    body: undefined,
  });
  const message = 'Requested stock location does not exist with these criteria: {"id":"1"}.';
  const gone = { status: 404, body: { code: 404, message } };
  expect(await call('GET /api/stock-locations/1')).toMatchObject(gone);
  expect(await call('PUT /api/stock-locations/1', {})).toMatchObject(gone);
  expect(await call('DELETE /api/stock-locations/1')).toMatchObject(gone);
  expect((await call('GET /api/stock-locations/')).body.total).toBe(1);
  expect(await call(line, { ...good, code: 'GWY' })).toMatchObject({
    status: 201,
    body: { id: 3 },
  });
});

test('orders remain after their stock location is deleted', async () => {
  const { call, db } = openOffice();
  for (const { id } of db.stockLocations.all()) {
    expect(await call(`DELETE /api/stock-locations/${id}`)).toMatchObject({ status: 204 });
  }
  expect(await call('GET /api/orders/?limit=1000')).toMatchObject({ status: 200 });
  expect(await call('GET /api/shipments/?limit=1000')).toMatchObject({ status: 200 });
});
