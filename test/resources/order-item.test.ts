import { expect, test } from 'vitest';
import { outline } from '../support/outline.ts';
import { at, openSmallShop } from '../support/small-shop.ts';
import { orderItem } from '../support/specification.ts';

const line = `POST /api/orders/${at.empty}/items/`;
const good = { variant: 1, unitPrice: 1990, quantity: 3 };
const notValid = { errors: ['This value is not valid.'] };
const blank = { errors: ['This value should not be blank.'] };

test('a new item contains its variant, its product and an inventory unit per piece', async () => {
  const { call } = openSmallShop();
  const { status, body } = await call(line, good);
  expect(status).toBe(201);
  expect(outline(body)).toBe(orderItem());
  const stamps = { created_at: '2025-03-09T08:00:00+0000', updated_at: '2025-03-09T09:30:00+0000' };
  const master = { id: 1, master: true, available_on: '2025-03-01T08:00:00+0000', sku: 'LAMP' };
  expect(body).toEqual({
    id: 7,
    quantity: 3,
    unit_price: 1990,
    total: 5970,
    adjustments: [],
    adjustments_total: 0,
    immutable: false,
    variant: {
      ...master,
      options: [],
      object: {
        id: 1,
        name: 'Desk Lamp',
        description: 'A lamp for a desk.',
        short_description: 'A lamp.',
        masterVariant: { ...master, options: [], ...stamps },
        attributes: [{ id: 1, name: 'height', presentation: 'Height', value: '40 cm' }],
        options: [{ id: 1, name: 'colour', presentation: 'Colour' }],
        created_at: '2025-03-01T08:00:00+0000',
        updated_at: '2025-03-01T09:30:00+0000',
      },
      ...stamps,
    },
    inventory_units: [13, 14, 15].map((id) => ({
      id,
      inventory_state: 'checkout',
      created_at: '2026-03-02T09:00:00+0000',
      updated_at: '2026-03-02T09:00:00+0000',
      _links: { order: { href: `/api/orders/${at.empty}` } },
    })),
    _links: {
      product: { href: '/api/products/1' },
      variant: { href: '/api/products/1/variants/1' },
    },
  });
});

test('a variant has no `sku` if unset, and its options have an id and a value', async () => {
  const { call } = openSmallShop();
  const { body } = await call(line, { ...good, variant: 2 });
  expect(Object.keys(body.variant)).not.toContain('sku');
  expect(body.variant).toMatchObject({ master: false, options: [{ id: 1, value: 'Red' }] });
  expect(body.variant.object.masterVariant.id).toBe(1);
  expect(body._links.variant.href).toBe('/api/products/1/variants/2');
});

test('a new item changes the totals of its order at once', async () => {
  const { call } = openSmallShop();
  await call(line, good);
  expect((await call(`GET /api/orders/${at.empty}`)).body).toMatchObject({
    items: [{ total: 5970 }],
    items_total: 5970,
    total: 5970,
  });
});

test('with `totals: at-steps`, the totals do not include a new item until addressing', async () => {
  const { call } = openSmallShop({ settings: { totals: 'at-steps' } });
  expect((await call(line, good)).body).toMatchObject({ unit_price: 1990, total: 0 });
  expect((await call(`GET /api/orders/${at.empty}`)).body).toMatchObject({
    items: [{ total: 0 }],
    items_total: 0,
    total: 0,
  });
});

test('the same variant added twice makes two items', async () => {
  const { call } = openSmallShop();
  await call(line, good);
  await call(line, { ...good, unitPrice: 0, quantity: 1 });
  const { status, body } = await call(`GET /api/orders/${at.empty}/items/`);
  expect(status).toBe(200);
  expect(outline(body)).toBe(`[${orderItem()}]`);
  expect(body).toMatchObject([
    { id: 7, quantity: 3, total: 5970 },
    { id: 8, quantity: 1, total: 0 },
  ]);
  expect((await call(`GET /api/orders/${at.empty}`)).body.items).toEqual(body);
});

test('missing parameters of an item are reported', async () => {
  const { call } = openSmallShop();
  const { status, body } = await call(line, {});
  expect(status).toBe(400);
  expect(body).toEqual({
    code: 400,
    message: 'Validation Failed',
    errors: { children: { variant: blank, unitPrice: blank, quantity: blank } },
  });
});

test.each([
  ['variant', 99],
  ['variant', 0],
  ['variant', '1x'],
  ['unitPrice', 'cheap'],
  ['unitPrice', 19.5],
  ['unitPrice', 1e300],
  ['quantity', 'many'],
  ['quantity', 1.5],
  ['quantity', 1_000_000_000],
  ['quantity', '99999999999999999999'],
])('an item with the %s %j is rejected as not valid', async (name, value) => {
  const { call } = openSmallShop();
  const { status, body } = await call(line, { ...good, [name]: value });
  expect(status).toBe(400);
  const fine = { variant: [], unitPrice: [], quantity: [] };
  expect(body.errors.children).toEqual({ ...fine, [name]: notValid });
});

test.each([
  ['unitPrice', -1],
  ['quantity', 0],
  ['quantity', -2],
])('an item with the %s %i is rejected at that parameter', async (name, value) => {
  const { call } = openSmallShop();
  const { status, body } = await call(line, { ...good, [name]: value });
  expect(status).toBe(400);
  expect(body.errors.children[name]).toEqual({ errors: [expect.any(String)] });
});

test.each([
  ['minor', 1990, 1990],
  ['minor', '1990', 1990],
  ['major', 19.9, 1990],
  ['major', '19.90', 1990],
  ['major', 0.005, 1],
  ['major', 1.005, 101],
] as const)(
  'with `requestMoney: %s`, the unit price %j is stored as %i',
  async (requestMoney, unitPrice, kept) => {
    const { call } = openSmallShop({ settings: { requestMoney } });
    expect((await call(line, { ...good, unitPrice })).body).toMatchObject({ unit_price: kept });
  },
);

test.each([at.confirmed, at.paid])(
  'order %i is not a cart, so items cannot be added or removed',
  async (id) => {
    const { call } = openSmallShop();
    const before = await call(`GET /api/orders/${id}`);
    const items = `/api/orders/${id}/items/`;
    const answers = [
      await call(`POST ${items}`, good),
      await call(`POST ${items}`, {}),
      await call(`DELETE ${items}${before.body.items[0].id}`),
    ];
    for (const { status, body } of answers) {
      expect(status).toBe(400);
      expect(Object.keys(body)).toEqual(['code', 'message']);
      expect(body.message).toContain(`rder ${id} is in state ${before.body.state}`);
    }
    expect(await call(`GET /api/orders/${id}`)).toEqual(before);
  },
);

test('removing an item removes its price and its inventory units', async () => {
  const { call, db } = openSmallShop();
  const { body: added } = await call(line, good);
  await call(line, { ...good, variant: 3, quantity: 1 });
  const units = db.inventoryUnits.count();
  const path = `/api/orders/${at.empty}/items/${added.id}`;
  expect(await call(`DELETE ${path}`)).toMatchObject({ status: 204, body: undefined });
  expect(await call(`DELETE ${path}`)).toMatchObject({
    status: 404,
    body: { message: 'Requested order item does not exist with these criteria: {"id":"7"}.' },
  });
  expect((await call(`GET /api/orders/${at.empty}`)).body).toMatchObject({
    items: [{ id: 8 }],
    items_total: 1990,
    total: 1990,
  });
  expect(db.inventoryUnits.count()).toBe(units - 3);
});

test('an item of another order responds with 404', async () => {
  const { call } = openSmallShop();
  expect(await call(`DELETE /api/orders/${at.empty}/items/1`)).toMatchObject({
    status: 404,
    body: { message: 'Requested order item does not exist with these criteria: {"id":"1"}.' },
  });
  expect((await call(`GET /api/orders/${at.cart}`)).body.items).toHaveLength(1);
});

test.each(['GET', 'POST'])(
  '%s of the items of a missing order responds with 404',
  async (method) => {
    const { call } = openSmallShop();
    const sent = method === 'POST' ? {} : undefined;
    expect(await call(`${method} /api/orders/99/items/`, sent)).toMatchObject({
      status: 404,
      body: { message: 'Requested order does not exist with these criteria: {"id":"99"}.' },
    });
  },
);

test('with `backorders: false`, an item beyond the stock is rejected', async () => {
  const { call, db } = openSmallShop({ settings: { backorders: false } });
  db.stockItems.add({ stock_location_id: 1, variant_id: 1, on_hand: 2, on_hold: 0 });
  const { status, body } = await call(line, good);
  expect(status).toBe(400);
  expect(JSON.stringify(body)).toContain('Only 2 Desk Lamp(s) on hand, 3 requested.');
  expect(await call(line, { ...good, quantity: 2 })).toMatchObject({ status: 201 });
});
