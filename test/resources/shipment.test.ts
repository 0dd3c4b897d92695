import { expect, test } from 'vitest';
import { outline } from '../support/outline.ts';
import { openOffice } from '../support/office.ts';
import { at, openSmallShop } from '../support/small-shop.ts';
import { collection, flexibleRate, shipment } from '../support/specification.ts';

test('GET of a shipment returns the fields of the specification, with its method', async () => {
  const { call } = openSmallShop();
  const { status, body } = await call('GET /api/shipments/1');
  expect(status).toBe(200);
  expect(outline(body)).toBe(shipment(flexibleRate));
  expect(body).toEqual({
    id: 1,
    state: 'checkout',
    method: {
      id: 1,
      name: 'Method 1',
      enabled: true,
      calculator: 'flexible_rate',
      category_requirement: 0,
      configuration: {
        first_item_cost: 400,
        additional_item_cost: 100,
        additional_item_limit: 2,
      },
      created_at: '2025-01-04T08:00:00+0000',
      updated_at: '2025-01-04T09:30:00+0000',
      _links: { self: { href: '/api/shipping-methods/1' }, zone: { href: '/api/zones/1' } },
    },
    created_at: '2026-03-02T08:02:00+0000',
    updated_at: '2026-03-02T08:02:00+0000',
    _links: {
      method: { href: '/api/shipping-methods/1' },
      order: { href: `/api/orders/${at.shipping}` },
      self: { href: '/api/shipments/1' },
    },
  });
  expect((await call(`GET /api/orders/${at.shipping}`)).body.shipments).toEqual([body]);
});

test('a shipment without a method has neither `method` nor a link to one', async () => {
  const { call, db } = openSmallShop();
  const { id } = db.shipments.add({ order_id: at.cart, state: 'checkout' });
  const { body } = await call(`GET /api/shipments/${id}`);
  expect(outline(body)).toBe('{id state created_at updated_at _links:{order:{href} self:{href}}}');
});

test('shipments are listed newest first', async () => {
  const { call } = openSmallShop();
  const { status, body } = await call('GET /api/shipments/');
  expect(status).toBe(200);
  expect(outline(body)).toBe(collection(shipment(flexibleRate)));
  expect(body._embedded.items.map(({ id }: { id: number }) => id)).toEqual([4, 3, 2, 1]);
});

test.each([
  ['channel=1', [at.confirmed, at.payment, at.shipping]],
  ['channel=2', [at.paid]],
  ['channel=3', []],
  ['stockLocation=1', []],
  ['number=000000002', [at.paid]],
  ['number=2', []],
  ['shippingAddress=quill', [at.payment]],
  ['shippingAddress=ENZO', [at.shipping]],
  ['shippingAddress=enzobill', []],
  ['shippingAddress=galway', []],
  ['createdAtFrom=2026-03-02T08:22:00', [at.paid, at.confirmed, at.payment, at.shipping]],
  ['createdAtFrom=2026-03-03', []],
  ['createdAtTo=2026-03-02T08:12:00Z', [at.paid, at.confirmed, at.payment, at.shipping]],
  ['createdAtTo=2026-03-01', []],
  ['channel=1&criteria[shippingAddress]=o', [at.confirmed, at.shipping]],
])('criteria[%s] selects the shipments of the orders %j', async (criteria, orders) => {
  const { call } = openSmallShop();
  const { body } = await call(`GET /api/shipments/?criteria[${criteria.replace('=', ']=')}`);
  expect(body.total).toBe(orders.length);
  expect(body._embedded.items.map(orderOf)).toEqual(orders);
});

test('the filter `stockLocation` selects the shipments from that location', async () => {
  const { call, db } = openOffice();
  const all = db.shipments.all();
  for (const { id } of db.stockLocations.all()) {
    const { body } = await call(`GET /api/shipments/?criteria[stockLocation]=${id}&limit=1000`);
    const expected = all.filter((row) => row.stock_location_id === id).map((row) => row.id);
    const ids: number[] = body._embedded.items.map((item: { id: number }) => item.id);
    expect(ids.toSorted((a, b) => a - b)).toEqual(expected);
    const first = `GET /api/shipments/?criteria[stockLocation]=${id}&criteria[channel]=1&limit=1000`;
    const both = (await call(first)).body._embedded.items.map(orderOf);
    expect(both.every((order: number) => db.orders.get(order)?.channel_id === 1)).toBe(true);
    expect(both).toHaveLength(
      all.filter(
        (row) => row.stock_location_id === id && db.orders.get(row.order_id)?.channel_id === 1,
      ).length,
    );
  }
});

test('a deleted shipment is missing, and the checkout of its order continues', async () => {
  const { call } = openSmallShop();
  expect(await call('DELETE /api/shipments/3')).toMatchObject({ status: 204, body: undefined });
  const message = 'Requested shipment does not exist with these criteria: {"id":"3"}.';
  expect(await call('GET /api/shipments/3')).toMatchObject({ status: 404, body: { message } });
  expect(await call('DELETE /api/shipments/3')).toMatchObject({ status: 404 });
  const order = await call(`GET /api/orders/${at.confirmed}`);
  expect(order.body.shipments).toEqual([]);
  expect(order.body.items[0].inventory_units).toHaveLength(2);
});

function orderOf({ _links }: { _links: { order: { href: string } } }): number {
  return Number(_links.order.href.split('/').at(-1));
}
