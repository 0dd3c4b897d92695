import { expect } from 'vitest';
import { test } from 'backlot/vitest';
import { call } from './client.ts';

test('the typed client of README calls endpoints by name', async ({ office }) => {
  const order = office.given.anOrder();
  const read = await call('https://shop.test', 'GET /api/orders/:order_id/', {
    order_id: order.id,
  });
  expect(read).toEqual(order);
});
