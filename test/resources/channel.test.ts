import { expect, test } from 'vitest';
import { outline } from '../support/outline.ts';
import { at, openSmallShop } from '../support/small-shop.ts';
import { channel, channelWithoutLists, collection } from '../support/specification.ts';

const line = 'POST /api/channels/';
const good = { code: 'OUTLET', color: 'green' };
const notValid = { errors: ['This value is not valid.'] };
const children = {
  code: [],
  name: [],
  type: [],
  color: [],
  enabled: [],
  locales: [],
  currencies: [],
  paymentMethods: [],
  shippingMethods: [],
};

test('GET of a channel returns the fields of the specification', async () => {
  const { call } = openSmallShop();
  const { status, body } = await call('GET /api/channels/1');
  expect(status).toBe(200);
  expect(outline(body)).toBe(channel);
  expect(body).toMatchObject({
    id: 1,
    code: 'CHANNEL-1',
    name: 'Channel 1',
    type: 'web',
    color: 'orange',
    enabled: true,
    currencies: [
      { id: 1, code: 'EUR' },
      { id: 2, code: 'USD' },
    ],
    locales: [
      { id: 1, code: 'en_IE' },
      { id: 2, code: 'de_DE' },
    ],
    payment_methods: [{ id: 1, _links: { self: { href: '/api/payment-methods/1' } } }, { id: 2 }],
    shipping_methods: [
      {
        id: 1,
        _links: { self: { href: '/api/shipping-methods/1' }, zone: { href: '/api/zones/1' } },
      },
      { id: 2 },
    ],
    created_at: '2025-01-11T08:00:00+0000',
    updated_at: '2025-01-11T09:30:00+0000',
  });
});

test('channels are listed by id, with empty arrays', async () => {
  const { call } = openSmallShop();
  const { status, body } = await call('GET /api/channels/');
  expect(status).toBe(200);
  expect(outline(body)).toBe(collection(`${channel} | ${channelWithoutLists}`));
});

test('a new channel has its code as name and the type `web` by default', async () => {
  const { call } = openSmallShop();
  const { status, body } = await call(line, good);
  expect(status).toBe(201);
  expect(outline(body)).toBe(channelWithoutLists);
  expect(body).toEqual({
    id: 3,
    code: 'OUTLET',
    name: 'OUTLET',
    type: 'web',
    color: 'green',
    enabled: true,
    currencies: [],
    locales: [],
    payment_methods: [],
    shipping_methods: [],
    created_at: '2026-03-02T09:00:00+0000',
    updated_at: '2026-03-02T09:00:00+0000',
  });
});

test('a channel can be created with all of its parameters', async () => {
  const { call } = openSmallShop();
  const { status, body } = await call(line, {
    ...good,
    name: 'Outlet',
    type: 'mobile',
    enabled: false,
    locales: [2, 1],
    currencies: ['1'],
    paymentMethods: [2],
    shippingMethods: [1, 2],
  });
  expect(status).toBe(201);
  expect(body).toMatchObject({
    name: 'Outlet',
    type: 'mobile',
    enabled: false,
    currencies: [{ id: 1, code: 'EUR' }],
    payment_methods: [{ id: 2 }],
    shipping_methods: [{ id: 1 }, { id: 2 }],
  });
  expect(body.locales.map(({ id }: { id: number }) => id)).toEqual([2, 1]);
  expect((await call('GET /api/channels/3')).body).toEqual(body);
});

test.each([
  ['locales', [9]],
  ['currencies', [1, 9]],
  ['paymentMethods', [0]],
  ['shippingMethods', ['x']],
  ['locales', 'many'],
  ['locales', 1],
  ['currencies', { a: 1 }],
  ['type', 'paper'],
  ['enabled', 2],
  ['color', {}],
])('a channel with the %s %j is rejected at that parameter', async (name, value) => {
  const { call } = openSmallShop();
  for (const request of [line, 'PUT /api/channels/1', 'PATCH /api/channels/1']) {
    const { status, body } = await call(request, { ...good, [name]: value });
    expect(status).toBe(400);
    expect(Object.keys(body.errors.children)).toEqual(Object.keys(children));
    const { [name]: bad, ...others } = body.errors.children;
    expect(Object.values(others).flat()).toEqual([]);
    expect(JSON.stringify(bad)).toContain(JSON.stringify(notValid));
  }
});

test.each([
  { code: 'X', name: 'Y', color: 'z' },
  { code: 'c'.repeat(300), name: 'n'.repeat(300), color: 'o'.repeat(300) },
])('the texts of a channel can have any length', async (texts) => {
  const { call } = openSmallShop();
  expect(await call(line, texts)).toMatchObject({ status: 201, body: texts });
  const other = { ...texts, code: `${texts.code}Y` };
  expect(await call('PUT /api/channels/1', other)).toMatchObject({ status: 204 });
  expect(await call('GET /api/channels/1')).toMatchObject({ body: other });
});

test.each(['locales', 'currencies', 'paymentMethods', 'shippingMethods'])(
  'a repeated id in the %s of a channel counts once',
  async (name) => {
    const { call } = openSmallShop();
    const field = name.replace('Methods', '_methods');
    const { status, body } = await call(line, { ...good, [name]: [2, 1, '2', 1] });
    expect(status).toBe(201);
    expect(body[field].map(({ id }: { id: number }) => id)).toEqual([2, 1]);
    await call('PATCH /api/channels/1', { [name]: [1, 1] });
    expect((await call('GET /api/channels/1')).body[field]).toHaveLength(1);
  },
);

test('missing parameters of a channel are reported', async () => {
  const { call } = openSmallShop();
  const blank = { errors: ['This value should not be blank.'] };
  const refused = {
    code: 400,
    message: 'Validation Failed',
    errors: { children: { ...children, code: blank, color: blank } },
  };
  for (const request of [line, 'PUT /api/channels/1']) {
    const answer = await call(request, {});
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual(refused);
  }
});

test('a channel cannot have the code of another channel', async () => {
  const { call } = openSmallShop();
  const taken = {
    status: 400,
    body: {
      errors: { children: { ...children, code: { errors: ['This value is already used.'] } } },
    },
  };
  const code = 'CHANNEL-2';
  expect(await call(line, { ...good, code })).toMatchObject(taken);
  expect(await call('PUT /api/channels/1', { ...good, code })).toMatchObject(taken);
  expect(await call('PATCH /api/channels/1', { code })).toMatchObject(taken);
  expect(await call('PUT /api/channels/2', { ...good, code })).toMatchObject({ status: 204 });
});

test('PUT of a channel clears omitted lists and keeps its flag, name and type', async () => {
  const { call, clock } = openSmallShop();
  clock.advance('PT1M');
  const before = (await call('GET /api/channels/1')).body;
  await call('PATCH /api/channels/1', { enabled: false, type: 'mobile' });
  const answer = await call('PUT /api/channels/1', { ...good, currencies: [2] });
  expect(answer).toMatchObject({ status: 204, body: undefined });
  expect((await call('GET /api/channels/1')).body).toEqual({
    ...before,
    ...good,
    type: 'mobile',
    enabled: false,
    currencies: [{ id: 2, code: 'USD' }],
    locales: [],
    payment_methods: [],
    shipping_methods: [],
    updated_at: '2026-03-02T09:01:00+0000',
  });
});

test('PATCH of a channel keeps the fields of omitted parameters', async () => {
  const { call, clock } = openSmallShop();
  clock.advance('PT1M');
  const before = (await call('GET /api/channels/1')).body;
  const updated_at = '2026-03-02T09:01:00+0000';
  expect(await call('PATCH /api/channels/1', { enabled: '0' })).toMatchObject({ status: 204 });
  const changed = { ...before, enabled: false, updated_at };
  expect((await call('GET /api/channels/1')).body).toEqual(changed);
  await call('PATCH /api/channels/1', { locales: [], name: 'Renamed', type: 'mobile' });
  expect((await call('GET /api/channels/1')).body).toEqual({
    ...changed,
    locales: [],
    name: 'Renamed',
    type: 'mobile',
  });
});

test('a deleted channel is missing from lists and reads, and its orders still show it', async () => {
  const { call } = openSmallShop();
  expect(await call('DELETE /api/channels/1')).toMatchObject({ status: 204, body: undefined });
  const message = 'Requested channel does not exist with these criteria: {"id":"1"}.';
  const gone = { status: 404, body: { code: 404, message } };
  expect(await call('GET /api/channels/1')).toMatchObject(gone);
  expect(await call('PATCH /api/channels/1', {})).toMatchObject(gone);
  expect(await call('DELETE /api/channels/1')).toMatchObject(gone);
  expect((await call('GET /api/channels/')).body.total).toBe(1);
  expect((await call(`GET /api/orders/${at.cart}`)).body.channel).toMatchObject({ id: 1 });
  const order = { channel: 1, user: 1, currency: 'EUR' };
  expect((await call('POST /api/orders/', order)).body).toMatchObject({
    errors: { children: { channel: notValid } },
  });
  const again = await call(line, { ...good, code: 'CHANNEL-1' });
  expect(again).toMatchObject({ status: 201, body: { id: 3 } });
});
