import { expect, test } from 'vitest';
import { openServer } from '../support/server.ts';

test('one request gets an order with its records, names, next step, transitions and what changed them', () => {
  const { call } = openServer({ history: true });
  for (let step = 0; step < 5; step++) call('POST /_backlot/orders/119/next', {});
  call('POST /_backlot/orders/118/next', {});
  const { status, body } = call('GET /_backlot/orders/119/view');
  expect(status).toBe(200);
  const read = (path: string) => call(`GET /_backlot/${path}`).body;
  expect(body.order).toEqual(read('tables/orders/119'));
  for (const name of ['order_items', 'payments', 'shipments', 'inventory_units', 'adjustments'])
    expect(body.tables[name]).toEqual(read(`tables/${name}?where[order_id]=119&limit=200`).rows);
  expect(body.next).toEqual(read('orders/119/next'));
  const variant = body.tables.order_items[0].variant_id;
  expect(body.names[`variants/${variant}`]).toBe(read(`tables/variants/${variant}`).sku);
  const [shipment] = body.tables.shipments;
  expect(body.names[`stock_locations/${shipment.stock_location_id}`]).toBe(
    read(`tables/stock_locations/${shipment.stock_location_id}`).name,
  );
  const { user_id: user, shipping_address_id: address } = body.order;
  const { first_name: first, last_name: last } = read(`tables/users/${user}`);
  expect(body.names[`users/${user}`]).toBe(`${first} ${last}`);
  const { city, country_id: country } = read(`tables/addresses/${address}`);
  expect(body.names[`addresses/${address}`]).toBe(
    `${city}, ${read(`tables/countries/${country}`).name}`,
  );
  const listed = read(`transitions/shipment/${shipment.id}`).transitions;
  expect(body.transitions).toContainEqual({
    machine: 'shipment',
    id: shipment.id,
    possible: listed
      .filter(({ possible }: { possible: boolean }) => possible)
      .map(({ possible: _possible, ...one }: { possible: boolean }) => one),
  });
  expect(body.entries.map(({ id }: { id: number }) => id)).toEqual([1, 2, 3, 4, 5]);
  expect(body.moves).toEqual(read('orders/119').moves);
  expect(body.entries[4].records).toEqual(
    read('journal/5').changes.map(({ table, id }: { table: string; id: number }) => ({
      table,
      id,
    })),
  );
  expect(call('GET /_backlot/orders/99999/view').status).toBe(404);
});
