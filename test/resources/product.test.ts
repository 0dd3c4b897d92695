import { expect, test } from 'vitest';
import { outline } from '../support/outline.ts';
import { openOffice } from '../support/office.ts';
import { at, openSmallShop } from '../support/small-shop.ts';
import { collection, product } from '../support/specification.ts';

const line = 'POST /api/products/';
const good = { name: 'Stool', description: 'It has three legs.', price: 4500 };

test('GET of a product returns the fields of the specification, with `masterVariant` in camel case', async () => {
  const { call } = openSmallShop();
  const { status, body } = await call('GET /api/products/1');
  expect(status).toBe(200);
  expect(outline(body)).toBe(product());
  expect(body).toEqual({
    id: 1,
    name: 'Desk Lamp',
    description: 'A lamp for a desk.',
    short_description: 'A lamp.',
    masterVariant: {
      id: 1,
      master: true,
      options: [],
      available_on: '2025-03-01T08:00:00+0000',
      sku: 'LAMP',
      created_at: '2025-03-09T08:00:00+0000',
      updated_at: '2025-03-09T09:30:00+0000',
    },
    created_at: '2025-03-01T08:00:00+0000',
    updated_at: '2025-03-01T09:30:00+0000',
  });
});

test('unset fields of a product are omitted', async () => {
  const { call } = openSmallShop();
  const { body } = await call('GET /api/products/2');
  expect(outline(body)).toBe(product({ short: false, sku: false }));
});

test('products are listed newest first', async () => {
  const { call } = openSmallShop();
  const { status, body } = await call('GET /api/products/');
  expect(status).toBe(200);
  expect(outline(body)).toBe(collection(`${product({ short: false, sku: false })} | ${product()}`));
  expect(ids(body)).toEqual([3, 2, 1]);
});

test.each([
  ['[name]=lamp', [2, 1]],
  ['[name]=LAMP', [2, 1]],
  ['[name]=desk', [1]],
  ['[name]=sk+la', [1]],
  ['[name]=sofa', []],
  ['[channel]=1', [2, 1]],
  ['[channel]=2', [3, 1]],
  ['[channel]=9', []],
  ['[channel]=2&criteria[name]=lamp', [1]],
])('criteria%s selects the products %j', async (criteria, found) => {
  const { call } = openSmallShop();
  const { body } = await call(`GET /api/products/?criteria${criteria}`);
  expect(ids(body)).toEqual(found);
  expect(body.total).toBe(found.length);
});

test('a new product has a master variant that is available from now on', async () => {
  const { call, db } = openSmallShop();
  const { status, body } = await call(line, { ...good, shortDescription: 'Three legs.' });
  expect(status).toBe(201);
  expect(outline(body)).toBe(product({ sku: false }));
  expect(body).toMatchObject({
    id: 4,
    name: 'Stool',
    description: 'It has three legs.',
    short_description: 'Three legs.',
    masterVariant: { master: true, options: [], available_on: '2026-03-02T09:00:00+0000' },
    created_at: '2026-03-02T09:00:00+0000',
    updated_at: '2026-03-02T09:00:00+0000',
  });
  expect(db.variants.get(body.masterVariant.id)?.price).toBe(4500);
  expect((await call('GET /api/products/4')).body).toEqual(body);
});

test('a product has no `short_description` if unset, and the sku that was sent', async () => {
  const { call } = openSmallShop();
  const { body } = await call(line, { ...good, sku: 'ST-1' });
  expect(outline(body)).toBe(product({ short: false }));
  expect(body.masterVariant.sku).toBe('ST-1');
});

test.each([
  ['minor', 4500, 4500],
  ['minor', '4500', 4500],
  ['minor', 0, 0],
  ['minor', 19.5, 20],
  ['minor', 19.4, 19],
  ['minor', '0.5', 1],
  ['major', 19, 1900],
  ['major', 19.99, 1999],
  ['major', 1.005, 101],
  ['major', 1.0049, 100],
  ['major', '8.115', 812],
] as const)(
  'with `requestMoney: %s`, the price %j is stored as %i',
  async (requestMoney, price, kept) => {
    const { call, db } = openSmallShop({ settings: { requestMoney } });
    const { body } = await call(line, { ...good, price });
    expect(db.variants.get(body.masterVariant.id)?.price).toBe(kept);
    await call('PATCH /api/products/1', { price });
    expect(db.variants.get(1)?.price).toBe(kept);
  },
);

test('missing parameters of a product are reported', async () => {
  const { call } = openSmallShop();
  for (const request of [line, 'PUT /api/products/1']) {
    const { status, body } = await call(request, {});
    expect(status).toBe(400);
    expect(body).toEqual({
      code: 400,
      message: 'Validation Failed',
      errors: {
        children: {
          name: { errors: ['Please enter product name.'] },
          description: { errors: ['Please enter product description.'] },
          price: { errors: ['Please enter the price.'] },
          shortDescription: [],
          sku: [],
        },
      },
    });
  }
});

test.each([
  ['price', -1, 'Price must not be negative.'],
  ['price', '-0.5', 'Price must not be negative.'],
  ['price', 'cheap', 'This value is not valid.'],
  ['price', 1e300, 'This value is not valid.'],
  ['name', 'S', expect.any(String)],
  ['name', 's'.repeat(256), expect.any(String)],
  ['name', {}, 'This value is not valid.'],
  ['description', 'It', expect.any(String)],
  ['shortDescription', [], 'This value is not valid.'],
])('a product with the %s %j is rejected', async (name, value, message) => {
  const { call } = openSmallShop();
  for (const request of [line, 'PUT /api/products/1', 'PATCH /api/products/1']) {
    const { status, body } = await call(request, { ...good, [name]: value });
    expect(status).toBe(400);
    const { [name]: bad, ...others } = body.errors.children;
    expect(bad).toEqual({ errors: [message] });
    expect(Object.values(others).flat()).toEqual([]);
  }
});

test.each([
  [{ name: 'St', description: 'It.' }],
  [{ name: 's'.repeat(255), description: 'd'.repeat(10_000) }],
])('the texts of a product can have their minimum and maximum length', async (texts) => {
  const { call } = openSmallShop();
  expect(await call(line, { ...good, ...texts })).toMatchObject({ status: 201, body: texts });
});

test('PUT of a product clears an omitted short description and keeps the sku', async () => {
  const { call, clock, db } = openSmallShop();
  clock.advance('PT1M');
  const { short_description, ...before } = (await call('GET /api/products/1')).body;
  expect(short_description).toEqual(expect.any(String));
  const { price: _, ...texts } = good;
  expect(await call('PUT /api/products/1', good)).toMatchObject({ status: 204, body: undefined });
  const { masterVariant, ...body } = (await call('GET /api/products/1')).body;
  expect({ ...body, masterVariant: before.masterVariant }).toEqual({
    ...before,
    ...texts,
    updated_at: '2026-03-02T09:01:00+0000',
  });
  expect(masterVariant).toMatchObject({ id: 1, sku: 'LAMP' });
  expect(db.variants.get(1)?.price).toBe(4500);
});

test('PATCH of a product keeps the fields of omitted parameters', async () => {
  const { call, db } = openSmallShop();
  const { price: _, ...texts } = good;
  await call('PUT /api/products/1', good);
  await call('PATCH /api/products/1', { shortDescription: 'New.' });
  expect((await call('GET /api/products/1')).body).toMatchObject({
    ...texts,
    short_description: 'New.',
    masterVariant: { sku: 'LAMP' },
  });
  await call('PATCH /api/products/1', { name: 'Bench' });
  expect((await call('GET /api/products/1')).body).toMatchObject({
    name: 'Bench',
    short_description: 'New.',
  });
  expect(db.variants.get(1)?.price).toBe(4500);
});

test.each(['PUT', 'PATCH'])(
  '%s of a product with a blank short description clears it',
  async (method) => {
    for (const blank of ['', ' ', null]) {
      const { call } = openSmallShop();
      const sent = { ...good, shortDescription: blank, sku: blank };
      expect(await call(`${method} /api/products/1`, sent)).toMatchObject({ status: 204 });
      const { body } = await call('GET /api/products/1');
      expect(outline(body)).toBe(product({ short: false, sku: false }));
    }
  },
);

test('a new product with a blank short description has none', async () => {
  const { call } = openSmallShop();
  const { status, body } = await call(line, { ...good, shortDescription: '', sku: '' });
  expect(status).toBe(201);
  expect(outline(body)).toBe(product({ short: false, sku: false }));
});

test('a deleted product is missing from lists and reads, and order items still show it', async () => {
  const { call } = openSmallShop();
  const order = (await call(`GET /api/orders/${at.cart}`)).body;
  expect(await call('DELETE /api/products/1')).toMatchObject({ status: 204, body: undefined });
  const message = 'Requested product does not exist with these criteria: {"id":"1"}.';
  const gone = { status: 404, body: { code: 404, message } };
  expect(await call('GET /api/products/1')).toMatchObject(gone);
  expect(await call('PUT /api/products/1', {})).toMatchObject(gone);
  expect(await call('DELETE /api/products/1')).toMatchObject(gone);
  expect(ids((await call('GET /api/products/')).body)).toEqual([3, 2]);
  expect((await call(`GET /api/orders/${at.cart}`)).body).toEqual(order);
});

test('filters find every product of the default scenario by its name and its channels', async () => {
  const { call, db } = openOffice();
  for (const { id } of db.channels.all()) {
    const { body } = await call(`GET /api/products/?criteria[channel]=${id}&limit=1000`);
    const sold = db.products.all().filter(({ channels }) => channels.includes(id));
    expect(new Set(ids(body))).toEqual(new Set(sold.map((row) => row.id)));
  }
  for (const { id, name } of db.products.all()) {
    const query = new URLSearchParams({ 'criteria[name]': name.toUpperCase(), limit: '1000' });
    expect(ids((await call(`GET /api/products/?${query}`)).body)).toContain(id);
  }
});

function ids(body: { _embedded: { items: { id: number }[] } }): number[] {
  return body._embedded.items.map(({ id }) => id);
}
