import { expect, expectTypeOf, test } from 'vitest';
import { createBackOffice as createListening } from '../../src/mounts/node.ts';
import { extendApi, field, resource, storeApi } from '../../src/define.ts';
import { createBackOffice } from '../../src/index.ts';
import { describeApis, finish } from '../../src/engine/sessions/control-api.ts';
import { givenFor } from '../../src/shop/given/given.ts';
import { put } from '../support/checkout-steps.ts';
import { checkAgainst } from '../support/document.ts';
import { caller, openOffice, type Call } from '../support/office.ts';
import { openServer } from '../support/server.ts';
import { everyUuid, uuidShop } from '../support/uuid-api.ts';

const uuid = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;

const document = finish(describeApis(everyUuid, '0'));

test('with UUIDs of all records, each example is answered as the document says, and all links lead to a record', async () => {
  const check = checkAgainst(JSON.parse(JSON.stringify(document)));
  const office = createBackOffice({ api: everyUuid });
  const call = caller((url, init) => office.fetch(url, init));
  const wrong: string[] = [];
  const followed = new Set<string>();
  for (const { method, status, example } of everyUuid.endpoints) {
    office.reset();
    const line = `${method} ${example.url}`;
    const answer = await call(line, example.body);
    if (answer.status !== status) wrong.push(`${line}: ${answer.status}`);
    wrong.push(...[check(line, answer) ?? []].flat());
    const links = [...JSON.stringify(answer.body ?? {}).matchAll(/"href":"([^"]+)"/g)];
    const { location } = answer.headers;
    for (const href of new Set([...links.map(([, found = '']) => found), location ?? ''])) {
      if (href === '') continue;
      followed.add(href);
      const { status: there } = await call(`GET ${href}`);
      if (there !== 200 || /\/\d+(\/|$)/.test(href)) wrong.push(`${line}: ${href} ${there}`);
    }
  }
  expect(wrong).toEqual([]);
  expect(followed.size).toBeGreaterThan(100);
});

interface Operation {
  readonly parameters: readonly object[];
}

test('documents say which parameters are UUIDs, and mark them', () => {
  const { get } = document.paths['/api/orders/{order_id}'] as Readonly<Record<string, Operation>>;
  const [parameter] = get?.parameters ?? [];
  expect(parameter).toMatchObject({
    name: 'order_id',
    schema: { type: 'string', format: 'uuid' },
    'x-backlot-extension': true,
    examples: { getOrder: { value: expect.stringMatching(uuid) } },
  });
  const { schemas } = document.components as never;
  const id = { type: 'string', format: 'uuid', 'x-backlot-extension': true };
  expect(schemas['Order']).toMatchObject({ properties: { id } });
  expect(schemas['Gadget']).toMatchObject({ properties: { id, ref: id, refs: { items: id } } });
  expect(schemas['CreateOrderBody']).toMatchObject({ properties: { user: id, channel: id } });
  const kept = JSON.stringify(
    finish(describeApis(uuidShop, '0')).paths['/api/products/{product_id}'],
  );
  expect(kept).not.toContain('uuid');
});

const first = async (call: Call, list: string): Promise<{ readonly id: string }> =>
  (await call(`GET ${list}?limit=1`)).body._embedded.items[0];

test('a reset gives the same UUIDs, and another seed others', async () => {
  const { call, reset } = openOffice({ api: uuidShop });
  const before = await first(call, '/api/orders/');
  expect(before.id).toMatch(uuid);
  await call('POST /api/orders/', { channel: 1, user: before.id, currency: 'EUR' });
  reset();
  expect(await first(call, '/api/orders/')).toEqual(before);
  reset('default', { seed: 7 });
  const other = await first(call, '/api/orders/');
  expect(other.id).toMatch(uuid);
  expect(other.id).not.toBe(before.id);
  expect((await call(`GET /api/orders/${before.id}`)).status).toBe(404);
  expect((await call(`GET /api/orders/${other.id}`)).body.id).toBe(other.id);
});

const userError = (message: string): object => ({
  errors: { children: { user: { errors: [message] } } },
});

test('an integer, another text or a UUID of no record is answered as an unknown id', async () => {
  const { call, uuidOf } = openOffice({ api: uuidShop });
  const order = uuidOf('orders', 107);
  const user = uuidOf('users', 1);
  for (const id of ['1', 'x', user, uuidOf('orders', 99_999), `${order}0`])
    expect(await call(`GET /api/orders/${id}`)).toMatchObject({
      status: 404,
      body: { message: `Requested order does not exist with these criteria: {"id":"${id}"}.` },
    });
  expect((await call(`GET /api/orders/${order.toUpperCase()}`)).body.id).toBe(order);
  const open = async (sent: unknown) =>
    (await call('POST /api/orders/', { channel: 1, user: sent, currency: 'EUR' })).body;
  for (const wrong of [1, '1', 'x', order, uuidOf('users', 99_999), [user]])
    expect(await open(wrong)).toMatchObject(userError('This value is not valid.'));
  for (const blank of ['', null, undefined])
    expect(await open(blank)).toMatchObject(userError('This value should not be blank.'));
  expect(await open(user)).toMatchObject({ user: { id: user } });
  const placed = uuidOf('orders', 1);
  expect((await call(`GET /api/checkouts/${placed}`)).body.id).toBe(placed);
  const { body } = await put(call, order, { paymentMethod: 1 });
  expect(body.message).toMatch(/^Order 107 is in state cart/);
});

test('filters, sorting and pages know UUIDs', async () => {
  const { call, uuidOf } = openOffice({ api: everyUuid });
  const store = openOffice();
  for (const [list, table] of [
    ['/api/products/', 'channels'],
    ['/api/shipments/', 'channels'],
  ] as const) {
    const shown = await call(`GET ${list}?criteria[channel]=${uuidOf(table, 1)}&limit=2`);
    const plain = await store.call(`GET ${list}?criteria[channel]=1&limit=2`);
    expect(shown.body.total).toBe(plain.body.total);
    expect(shown.body._links.next.href).toContain(uuidOf(table, 1));
  }
  expect((await call(`GET /api/products/?criteria[channel]=1`)).status).toBe(400);
  const gadgets = `/api/gadgets/?criteria[ref]=${uuidOf('users', 1)}&criteria[refs]=${uuidOf('variants', 7)}`;
  expect((await call(`GET ${gadgets}`)).body.total).toBe(1);
  const sorted = await call('GET /api/orders/?sorting[id]=desc&limit=2');
  const ids = sorted.body._embedded.items.map(({ id }: { id: string }) => id);
  const last = store.db.orders.all().filter(({ state }) => state !== 'cart');
  expect(ids).toEqual(
    last
      .slice(-2)
      .toReversed()
      .map(({ id }) => uuidOf('orders', id)),
  );
});

test('db, given, checkout and explanations accept UUIDs, and have integers inside', async () => {
  const office = openOffice({ api: everyUuid });
  const { call, db, uuidOf, idOf } = office;
  const given = givenFor(office);
  const { id } = given.anOrder({ awaits: 'payment', user: uuidOf('users', 3) as never });
  expect(id).toMatch(uuid);
  const order = db.orders.get(id)!;
  expect(order).toMatchObject({ id: idOf('orders', String(id)), user_id: 3 });
  expect(uuidOf('orders', order.id)).toBe(id);
  expect(db.orders.findFirst((one) => one.where({ id: order.id }))).toBe(order);
  expect(office.checkout.awaited(id)).toBe('payment');
  expect(office.explain.order(id).order).toBe(order.id);
  const gadget = given as object as { aGadget(values: object): { readonly ref: string } };
  expect(gadget.aGadget({ ref: uuidOf('users', 5) }).ref).toBe(uuidOf('users', 5));
  given.aProduct({ stock: 3 });
  await call(`DELETE /api/orders/${id}`);
  expect(db.orders.get(id)).toBeUndefined();
  expect(() => idOf('orders', 'x')).toThrow('No record of orders has the UUID x.');
  expect(() => idOf('orders', uuidOf('users', 1))).toThrow('No record of orders has the UUID');
  expect(() => uuidOf('tokens' as never, 1)).toThrow(/no UUIDs of tokens/);
});

test('`given`, `checkout` and `explain` accept UUIDs, and the compiler knows it', async () => {
  const office = createListening({ api: uuidShop });
  const user = office.uuidOf('users', 3);
  const order = office.given.anOrder({ awaits: 'payment', user });
  expectTypeOf(order.id).toBeString();
  expect(office.explain.order(order.id).order).toBe(office.idOf('orders', order.id));
  expect(office.explain.state('order', order.id).state).toBe('cart');
  office.checkout.submit(order.id, 'payment');
  expect(office.checkout.awaited(order.id)).toBe('confirm');
  const made = office.checkout.createOrder({ channel_id: 1, user_id: user, currency: 'EUR' });
  expect(made.user_id).toBe(3);
  office.checkout.addItem(order.id, { variant_id: 7, quantity: 1, unit_price: 100 });
  // @ts-expect-error -- entries of the history have numbers
  expect(() => office.explain.entry(order.id)).toThrow();
  // @ts-expect-error -- the price is no id
  expect(() => office.given.anOrder({ items: [{ variant: 7, unitPrice: 'x' }] })).toThrow();
  // @ts-expect-error -- without UUIDs, an id is a number
  expect(() => createListening().explain.order(order.id)).toThrow();
});

test('a UUID of another table opens no record on the control API, nor by functions', () => {
  const office = openServer({ api: everyUuid });
  const { call } = office;
  const { explain, checkout, db, uuidOf } = createBackOffice({ api: everyUuid });
  const tables = Object.keys(everyUuid.kinds ?? {});
  const places: readonly (readonly [table: string, path: (id: string | number) => string])[] = [
    ['orders', (id) => `GET /_backlot/orders/${id}`],
    ['orders', (id) => `GET /_backlot/orders/${id}/view`],
    ['orders', (id) => `GET /_backlot/orders/${id}/next`],
    ['orders', (id) => `GET /_backlot/orders/${id}/why`],
    ['variants', (id) => `GET /_backlot/stock/${id}/why`],
    ['orders', (id) => `GET /_backlot/transitions/order/${id}`],
    ['shipments', (id) => `GET /_backlot/transitions/shipment/${id}/why`],
    ['users', (id) => `GET /_backlot/tables/users/${id}`],
    ['orderItems', (id) => `GET /_backlot/tables/order_items/${id}/history`],
  ];
  const found = tables.flatMap((table) =>
    places.flatMap(([own, path]) => {
      const { status } = call(path(uuidOf(table as 'orders', 2)));
      return (status === 200) === (table === own) ? [] : [`${path(table)}: ${status}`];
    }),
  );
  expect(found).toEqual([]);
  const order = uuidOf('orders', 109);
  for (const table of tables.filter((one) => one !== 'orders')) {
    const other = uuidOf(table as 'orders', 109) as never;
    expect(() => explain.order(other), table).toThrow();
    expect(() => explain.state('order', other), table).toThrow();
    expect(() => checkout.awaited(other), table).toThrow();
    expect(db.orders.get(other), table).toBeUndefined();
    const rule = { on: 'purchase', match: { order: other }, outcome: 'declined' };
    expect(call('POST /_backlot/script', rule).status, table).toBe(400);
    if (table !== 'users')
      expect(call('POST /_backlot/given/anOrder', { user: other }).status, table).toBe(400);
  }
  expect(checkout.awaited(order as never)).toBe('payment');
});

test('a text that is the UUID of a record stays a text', () => {
  const { call } = openServer({ api: everyUuid });
  const text = call('GET /api/users/?limit=1').body._embedded.items[0].id;
  expect(call('POST /_backlot/given/aChannel', { name: text }).body).toMatchObject({ name: text });
});

test('an extension of an extension, its rules and its endpoints have integers inside', async () => {
  const seen: unknown[] = [];
  const api = extendApi(uuidShop, {
    fields: { orders: { note: field.text({ optional: true, filter: true }) } },
    resources: {
      reviews: resource({
        singular: 'review',
        fields: { order: field.ref('orders', { filter: true, onDelete: 'delete' }) },
        endpoints: {
          'POST /:id/order': {
            summary: 'The order of a review',
            status: 200,
            answer: 'Order',
            handle: ({ record, db }) => db.orders.get(record.order),
          },
        },
      }),
    },
    rules: {
      'DELETE /api/orders/:order_id': {
        body: {},
        check({ params }) {
          seen.push(params);
          return [];
        },
      },
    },
    ids: { reviews: 'uuid' },
  });
  const { call, db, uuidOf } = openOffice({ api });
  db.reviews.add({ order: 1 });
  const order = uuidOf('orders', 1);
  const review = await first(call, '/api/reviews/');
  expect(review).toMatchObject({ id: expect.stringMatching(uuid), order });
  expect(review).toMatchObject({ _links: { order: { href: `/api/orders/${order}` } } });
  expect((await call(`POST /api/reviews/${review.id}/order`)).body.id).toBe(order);
  const made = await call('POST /api/reviews/', { order: uuidOf('orders', 2) });
  expect(made).toMatchObject({
    status: 201,
    headers: { location: `/api/reviews/${made.body.id}` },
  });
  expect((await call(`GET /api/reviews/?criteria[order]=${order}`)).body.total).toBe(1);
  expect((await call(`DELETE /api/orders/${order}`)).status).toBe(204);
  expect(seen).toEqual([{ order_id: '1' }]);
  expect((await call(`GET /api/reviews/${review.id}`)).status).toBe(404);
  expect((await call('GET /api/products/1')).body.id).toBe(1);
});

test('a file of a definition with UUIDs is one of the API without them', async () => {
  const { call, export: exported, uuidOf } = openOffice({ api: uuidShop });
  await call(`DELETE /api/orders/${uuidOf('orders', 2)}`);
  const store = createBackOffice({ api: storeApi });
  store.import(exported());
  expect(store.db.orders.get(2)).toBeUndefined();
});
