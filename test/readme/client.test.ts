import { expect, expectTypeOf } from 'vitest';
import type { AnswerOf } from 'backlot/client';
import { test } from 'backlot/vitest';
import { call } from './client.ts';

test('the typed client of the docs calls endpoints by name', async ({ office }) => {
  const { id: order_id, ...order } = office.given.anOrder({ awaits: 'confirm' });
  const path = { order_id };
  expect(await call('GET /api/orders/:order_id/', { path })).toEqual({
    id: order_id,
    ...order,
  });
  const page = await call('GET /api/orders/', {
    path: {},
    query: { limit: 2, sorting: { total: 'desc' } },
  });
  expectTypeOf(page).toEqualTypeOf<AnswerOf<'GET /api/orders'>>();
  expect(page._embedded.items).toHaveLength(2);
  const confirmed = await call('PUT /api/checkouts/:order_id', { path, body: {} });
  expect(confirmed).toMatchObject({ checkout_state: 'finalize' });
  expect(await call('DELETE /api/orders/:order_id', { path })).toBeUndefined();
  const error: unknown = await call('GET /api/orders/:order_id', { path }).catch(String);
  expect(error).toMatch(
    /^ResponseError: GET \/api\/orders\/:order_id: 404 Requested order does not exist/,
  );
  const user = { email: 'ada', firstName: 'Ada', lastName: 'King', plainPassword: 'secret' };
  await expect(call('POST /api/users/', { body: user })).rejects.toMatchObject({
    status: 400,
    body: {
      errors: { children: { email: { errors: ['This value is not a valid email address.'] } } },
    },
  });
});
