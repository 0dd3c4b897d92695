import { expect, expectTypeOf } from 'vitest';
import type { AnswerOf } from 'backlot/client';
import { test } from 'backlot/vitest';
import { call } from './client.ts';

const shop = 'https://shop.test';

test('the typed client of the docs calls endpoints by name', async ({ office }) => {
  const { id: order_id, ...order } = office.given.anOrder({ awaits: 'confirm' });
  const path = { order_id };
  expect(await call(shop, 'GET /api/orders/:order_id/', { path })).toEqual({
    id: order_id,
    ...order,
  });
  const page = await call(shop, 'GET /api/orders/', {
    path: {},
    query: { limit: 2, sorting: { total: 'desc' } },
  });
  expectTypeOf(page).toEqualTypeOf<AnswerOf<'GET /api/orders'>>();
  expect(page._embedded.items).toHaveLength(2);
  const confirmed = await call(shop, 'PUT /api/checkouts/:order_id', { path, body: {} });
  expect(confirmed).toMatchObject({ checkout_state: 'finalize' });
  expect(await call(shop, 'DELETE /api/orders/:order_id', { path })).toBeUndefined();
  await expect(call(shop, 'GET /api/orders/:order_id', { path })).rejects.toThrow(
    'GET /api/orders/:order_id returned 404: {',
  );
});
