import { expect, test } from 'vitest';
import { submitStep } from '../support/checkout-steps.ts';
import { outline } from '../support/outline.ts';
import { openOffice } from '../support/office.ts';
import { at, openSmallShop } from '../support/small-shop.ts';
import { collection, order } from '../support/specification.ts';

const line = 'POST /api/orders/';
const good = { channel: 1, user: 2, currency: 'EUR' };
const notValid = { errors: ['This value is not valid.'] };
const blank = { errors: ['This value should not be blank.'] };

test('a new cart has no items, a total of 0 and expires in three hours', async () => {
  const { call } = openSmallShop();
  const { status, body } = await call(line, good);
  expect(status).toBe(201);
  expect(outline(body)).toBe(order({ until: 'cart', empty: true }));
  const { password: _, salt: __, ...user } = (await call('GET /api/users/2')).body;
  expect(body).toEqual({
    id: 8,
    items: [],
    items_total: 0,
    adjustments: [],
    adjustments_total: 0,
    comments: [],
    total: 0,
    confirmed: true,
    state: 'cart',
    checkout_state: 'cart',
    email: 'Bela@Example.com',
    expires_at: '2026-03-02T12:00:00+0000',
    user,
    channel: {
      id: 1,
      code: 'CHANNEL-1',
      name: 'Channel 1',
      type: 'web',
      color: 'orange',
      enabled: true,
      created_at: '2025-01-11T08:00:00+0000',
      updated_at: '2025-01-11T09:30:00+0000',
    },
    payments: [],
    shipments: [],
    currency: 'EUR',
    created_at: '2026-03-02T09:00:00+0000',
    updated_at: '2026-03-02T09:00:00+0000',
  });
  expect((await call('GET /api/orders/8/')).body).toEqual(body);
});

test.each([
  [at.empty, { until: 'cart', empty: true }],
  [at.cart, { until: 'cart' }],
  [at.addressing, { until: 'addressing' }],
  [at.shipping, { until: 'shipping' }],
  [at.payment, { until: 'payment' }],
  [at.confirmed, { until: 'confirm' }],
  [at.paid, { until: 'confirm' }],
] as const)('order %i has the fields of its checkout state: %o', async (id, shown) => {
  const { call } = openSmallShop();
  const { status, body } = await call(`GET /api/orders/${id}/`);
  expect(status).toBe(200);
  expect(outline(body)).toBe(order(shown));
});

test('a new cart shows what a listener adds to it', async () => {
  const { call, db } = openSmallShop();
  const bag = { description: 'Bag', amount: 20, neutral: false, locked: true };
  db.orders.hooks.on('create', ({ data: { record } }) => {
    db.adjustments.add({ ...bag, order_id: record.id, label: 'shipping' });
  });
  const { body } = await call(line, good);
  expect(body.adjustments).toMatchObject([bag]);
  expect((await call(`GET /api/orders/${body.id}`)).body).toEqual(body);
});

test('a confirmed order contains its full items, adjustments, payments and shipments', async () => {
  const { call } = openSmallShop();
  const { body } = await call(`GET /api/orders/${at.confirmed}`);
  expect(body).toMatchObject({
    number: '000000001',
    completed_at: '2026-03-02T08:24:00+0000',
    items: [
      {
        quantity: 2,
        unit_price: 1990,
        total: 3980,
        adjustments: [],
        adjustments_total: 0,
        immutable: false,
        variant: { id: 1, master: true, sku: 'LAMP', object: { id: 1, name: 'Desk Lamp' } },
        inventory_units: [
          { inventory_state: 'onhold', _links: { order: { href: '/api/orders/5' } } },
          { inventory_state: 'onhold' },
        ],
        _links: {
          product: { href: '/api/products/1' },
          variant: { href: '/api/products/1/variants/1' },
        },
      },
    ],
    items_total: 3980,
    adjustments: [
      { label: 'shipping', description: 'Method 1', amount: 500, neutral: false, locked: false },
    ],
    adjustments_total: 500,
    total: 4480,
    confirmed: true,
    state: 'pending',
    checkout_state: 'finalize',
    email: 'ada@example.com',
    expires_at: '2026-03-02T11:20:00+0000',
    shipping_address: {
      first_name: 'Gus',
      last_name: 'Stone',
      city: 'Galway',
      postcode: 'H91 AB1',
      street: 'Long Lane 4',
      _links: { country: { href: '/api/countries/1' } },
    },
    billing_address: { first_name: 'Gusbill' },
    payments: [{ amount: 4480, currency: 'EUR', state: 'new' }],
    shipments: [{ state: 'onhold' }],
    currency: 'EUR',
  });
});

test('the list has confirmed orders, newest first, with empty adjustments and inventory units', async () => {
  const { call } = openSmallShop();
  const { status, body } = await call('GET /api/orders/');
  expect(status).toBe(200);
  expect(outline(body)).toBe(collection(order({ until: 'confirm', list: true })));
  expect(ids(body)).toEqual([at.paid, at.confirmed]);
  const full = (await call(`GET /api/orders/${at.confirmed}`)).body;
  const items = full.items.map((item: object) => ({ ...item, inventory_units: [] }));
  expect(body._embedded.items[1]).toEqual({ ...full, items, adjustments: [] });
});

test('with `listCarts`, the list includes carts', async () => {
  const { call } = openSmallShop({ settings: { listCarts: true } });
  const { body } = await call('GET /api/orders/');
  expect(ids(body)).toEqual([
    at.empty,
    at.paid,
    at.confirmed,
    at.payment,
    at.shipping,
    at.addressing,
    at.cart,
  ]);
  expect(outline(body._embedded.items[3])).toBe(order({ until: 'payment', list: true }));
});

test('the last changed order is listed first', async () => {
  const { call, clock, settings } = openSmallShop({ settings: { listCarts: true } });
  expect(settings.listCarts).toBe(true);
  clock.advance('PT1M');
  await call(`POST /api/orders/${at.cart}/items/`, { variant: 1, unitPrice: 1, quantity: 1 });
  expect(ids((await call('GET /api/orders/')).body)[0]).toBe(at.cart);
});

test('every list of the default scenario is sorted', async () => {
  const { call } = openOffice({ settings: { listCarts: true } });
  const { body } = await call('GET /api/orders/?limit=1000');
  const keys = body._embedded.items.map(
    (row: Record<string, string>) =>
      `${row['updated_at']} ${row['created_at']} ${row['id']?.toString().padStart(9, '0')}`,
  );
  expect(keys).toEqual(keys.toSorted().toReversed());
});

test('an order shows the current values of its user, channel, products and methods', async () => {
  const { call, db } = openSmallShop();
  const [single, checkout] = [
    `GET /api/orders/${at.confirmed}`,
    `GET /api/checkouts/${at.confirmed}`,
  ];
  const read = async () => [
    (await call(single)).body,
    (await call(checkout)).body,
    (await call('GET /api/orders/?sorting[id]=asc')).body._embedded.items[0],
  ];
  await read();
  await call('PATCH /api/users/1', { email: 'new@example.com' });
  await call('PATCH /api/channels/1', { name: 'New name' });
  await call('PATCH /api/products/1', { name: 'New lamp', sku: 'NEW' });
  db.paymentMethods.change(1, { name: 'New card' });
  db.shippingMethods.change(1, { name: 'New method' });
  for (const body of await read()) {
    expect(body).toMatchObject({
      email: 'ada@example.com',
      user: { email: 'new@example.com' },
      channel: { name: 'New name' },
      items: [
        { variant: { sku: 'NEW', object: { name: 'New lamp', masterVariant: { sku: 'NEW' } } } },
      ],
      payments: [{ method: { name: 'New card' } }],
      shipments: [{ method: { name: 'New method' } }],
    });
  }
});

test('missing and unknown parameters of an order are reported', async () => {
  const { call } = openSmallShop();
  const empty = await call(line, {});
  expect(empty.status).toBe(400);
  expect(empty.body).toEqual({
    code: 400,
    message: 'Validation Failed',
    errors: { children: { channel: blank, user: blank, currency: blank } },
  });
  const strange = await call(line, { channel: 99, user: 'x', currency: 'XXX' });
  expect(strange.status).toBe(400);
  expect(strange.body.errors).toEqual({
    children: { channel: notValid, user: notValid, currency: notValid },
  });
});

test.each([
  ['channel', 99],
  ['channel', 1.5],
  ['channel', -1],
  ['user', 99],
  ['user', true],
  ['currency', 'eur'],
  ['currency', 1],
  ['currency', ['EUR']],
])('an order with the %s %j is rejected', async (name, value) => {
  const { call } = openSmallShop();
  const { status, body } = await call(line, { ...good, [name]: value });
  expect(status).toBe(400);
  const fine = { channel: [], user: [], currency: [] };
  expect(body.errors.children).toEqual({ ...fine, [name]: notValid });
});

test('a deleted order is missing from lists, reads and the checkout, and its parts still link to it', async () => {
  const { call } = openSmallShop();
  const path = `/api/orders/${at.confirmed}`;
  expect(await call(`DELETE ${path}`)).toMatchObject({ status: 204, body: undefined });
  const message = `Requested order does not exist with these criteria: {"id":"${at.confirmed}"}.`;
  const gone = { status: 404, body: { code: 404, message } };
  expect(await call(`GET ${path}/`)).toMatchObject(gone);
  expect(await call(`DELETE ${path}`)).toMatchObject(gone);
  expect(await call(`GET ${path}/items/`)).toMatchObject(gone);
  expect(await call(`POST ${path}/items/`, {})).toMatchObject(gone);
  expect(await call(`GET /api/checkouts/${at.confirmed}`)).toMatchObject(gone);
  expect(await submitStep(call, at.confirmed, 'confirm')).toMatchObject(gone);
  expect(ids((await call('GET /api/orders/')).body)).toEqual([at.paid]);
  expect((await call('GET /api/payments/2')).body._links.order.href).toBe(path);
  expect((await call('GET /api/shipments/3')).body._links.order.href).toBe(path);
});

test('order numbers continue after a confirmed order is deleted', async () => {
  const { call } = openSmallShop();
  await call(`DELETE /api/orders/${at.paid}`);
  const { body } = await submitStep(call, at.payment, 'confirm');
  expect(body.number).toBe('000000003');
});

function ids(body: { _embedded: { items: { id: number }[] } }): number[] {
  return body._embedded.items.map(({ id }) => id);
}
