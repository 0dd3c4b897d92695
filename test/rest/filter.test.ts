import { expect, test } from 'vitest';
import { collections } from '../support/collections.ts';
import { openOffice } from '../support/office.ts';
import { at, openSmallShop } from '../support/small-shop.ts';

const dates = [
  ['/api/payments/', 'createdAtFrom'],
  ['/api/payments/', 'createdAtTo'],
  ['/api/shipments/', 'createdAtFrom'],
  ['/api/shipments/', 'createdAtTo'],
] as const;

test('each collection has the filters of the specification', () => {
  const filters = Object.fromEntries(
    collections.map(({ path, criteria }) => [path, criteria.toSorted()]),
  );
  const order = ['channel', 'createdAtFrom', 'createdAtTo', 'number'];
  expect(filters).toEqual({
    '/api/promotions': [],
    '/api/promotions/1/coupons': [],
    '/api/payments': ['billingAddress', ...order],
    '/api/shipments': [...order, 'shippingAddress', 'stockLocation'],
    '/api/users': ['query'],
    '/api/users/1/orders': [],
    '/api/orders': [],
    '/api/stock-locations': [],
    '/api/channels': [],
    '/api/products': ['channel', 'name'],
    '/api/countries': [],
    '/api/countries/1/provinces': [],
    '/api/zones': [],
    '/api/shipping-methods': [],
    '/api/payment-methods': [],
  });
});

test.each(collections)(
  '$path rejects or ignores an unknown filter, as the settings say',
  async ({ path }) => {
    const strict = await openSmallShop().call(`GET ${path}?criteria[nothing]=1`);
    expect(strict).toMatchObject({
      status: 400,
      body: { errors: { errors: ['This form should not contain extra fields.'] } },
    });
    const { call } = openSmallShop({ settings: { unknownParameters: 'ignore' } });
    const { body } = await call(`GET ${path}?criteria[nothing]=1`);
    expect(body.total).toBe((await call(`GET ${path}`)).body.total);
  },
);

test.each(dates)('%s rejects an invalid date in %s', async (path, name) => {
  const { call } = openSmallShop();
  for (const date of [
    'yesterday',
    '2026-3-2',
    '2026-02-30',
    '2026-13-01',
    '02.03.2026',
    '2026-03-02T25:00:00',
    '2026-03-02 09:00:00',
    '1772438400',
    '2026-03-02T09:00:00 CET',
    '2026-03-02T09:00:00  0100',
    '2026-03-02T09:00:00+99:00',
    '2026-03-02 01:00',
    '0000-01-01T00:00:00+01:00',
    '9999-12-31T23:59:59-01:00',
  ]) {
    const { status, body } = await call(
      `GET ${path}?criteria[${name}]=${encodeURIComponent(date)}`,
    );
    expect({ date, status }).toEqual({ date, status: 400 });
    expect(body.errors.children.criteria.children[name]).toEqual({
      errors: ['This value is not valid.'],
    });
  }
});

test.each([
  ['/api/payments/', 'channel'],
  ['/api/shipments/', 'channel'],
  ['/api/shipments/', 'stockLocation'],
  ['/api/products/', 'channel'],
])('%s rejects an invalid id in %s', async (path, name) => {
  const { call } = openSmallShop();
  for (const id of ['x', '1.5', '1,2']) {
    const { status, body } = await call(`GET ${path}?criteria[${name}]=${id}`);
    expect(status).toBe(400);
    expect(body.errors.children.criteria.children[name]).toEqual({
      errors: ['This value is not valid.'],
    });
  }
});

test('criteria that are not a block are rejected', async () => {
  const { call } = openSmallShop();
  expect(await call('GET /api/users/?criteria=ada')).toMatchObject({
    status: 400,
    body: { errors: { children: { criteria: { errors: ['This value is not valid.'] } } } },
  });
});

test('a day includes its first and its last second', async () => {
  const { call, db } = openSmallShop();
  const made = [
    '2026-01-09T23:59:59',
    '2026-01-10T00:00:00',
    '2026-01-10T23:59:59',
    '2026-01-11T00:00:00',
  ];
  const madeIds = made.map(
    (time) =>
      db.payments.add({
        order_id: at.paid,
        method_id: 1,
        amount: 1,
        currency: 'EUR',
        state: 'new',
        created_at: `${time}+0000`,
      }).id,
  );
  const found = async (criteria: string) => {
    const { body } = await call(`GET /api/payments/?${criteria}&criteria[channel]=2`);
    return body._embedded.items.map(({ id }: { id: number }) => madeIds.indexOf(id));
  };
  const [from, to] = ['criteria[createdAtFrom]=', 'criteria[createdAtTo]='];
  expect(await found(`${from}2026-01-10&${to}2026-01-10`)).toEqual([1, 2]);
  expect(await found(`${to}2026-01-09`)).toEqual([0]);
  expect(await found(`${from}2026-01-10&${to}2026-01-11`)).toEqual([1, 2, 3]);
});

test.each([
  '2026-01-10T00:00:01',
  '2026-01-10T23:59',
  '2026-01-10T12:30:00.250Z',
  '2026-01-09T23:30:00-05:00',
  '2026-01-11T00:30:00%2B0100',
  '2026-01-11T00:30:00+0100',
  '2026-01-11T00:30:00+01:00',
])('a filter by the date-time %s uses its day in UTC', async (dateTime) => {
  const { call, db } = openSmallShop();
  for (const time of ['09T23:59:59', '10T00:00:00', '10T23:59:59', '11T00:00:00']) {
    const created_at = `2026-01-${time}+0000`;
    const payment = { order_id: at.paid, method_id: 1, amount: 1, currency: 'EUR' };
    db.payments.add({ ...payment, state: 'new', created_at });
  }
  const day = await call(
    'GET /api/payments/?criteria[createdAtFrom]=2026-01-10&criteria[createdAtTo]=2026-01-10',
  );
  const { status, body } = await call(
    `GET /api/payments/?criteria[createdAtFrom]=${dateTime}&criteria[createdAtTo]=${dateTime}`,
  );
  expect(status).toBe(200);
  expect(body._embedded.items).toHaveLength(2);
  expect(ids(body)).toEqual(ids(day.body));
});

test('filters of payments and shipments agree with their orders in the default scenario', async () => {
  const { call, db } = openOffice();
  const totals = { payments: 0, shipments: 0 };
  for (const { id } of db.channels.all()) {
    for (const name of ['payments', 'shipments'] as const) {
      const { body } = await call(`GET /api/${name}/?criteria[channel]=${id}&limit=1000`);
      const expected = db[name]
        .all()
        .filter((row) => db.orders.get(row.order_id)?.channel_id === id);
      expect(ids(body)).toEqual(new Set(expected.map((row) => row.id)));
      totals[name] += body.total;
    }
  }
  expect(totals).toEqual({ payments: db.payments.count(), shipments: db.shipments.count() });
  for (const { number, id } of db.orders.all().filter((order) => order.number !== undefined)) {
    for (const name of ['payments', 'shipments'] as const) {
      const { body } = await call(`GET /api/${name}/?criteria[number]=${number}`);
      expect(ids(body)).toEqual(new Set(db[name].by('order', id).map((row) => row.id)));
    }
  }
});

function ids(body: { _embedded: { items: { id: number }[] } }): Set<number> {
  return new Set(body._embedded.items.map(({ id }) => id));
}
