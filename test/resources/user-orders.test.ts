import { expect, test } from 'vitest';
import { submitStep } from '../support/checkout-steps.ts';
import { openOffice } from '../support/office.ts';
import { at, openSmallShop } from '../support/small-shop.ts';

type Item = Readonly<Record<string, number | string>> & { readonly user: { readonly id: number } };

test('GET /api/users/:user_id/orders/ lists the orders of each user as GET /api/orders/ does', async () => {
  const { call } = openOffice();
  const all: Item[] = (await call('GET /api/orders/?limit=1000')).body._embedded.items;
  const users: Item[] = (await call('GET /api/users/?limit=1000')).body._embedded.items;
  for (const { id } of users) {
    const { status, body } = await call(`GET /api/users/${id}/orders/?limit=1000`);
    expect(status).toBe(200);
    expect(body._embedded.items).toEqual(all.filter(({ user }) => user.id === id));
  }
  expect(all.length).toBeGreaterThan(50);
});

test('the orders of a user have pages, whose links keep the sorting', async () => {
  const { call } = openOffice();
  const path = '/api/users/3/orders/';
  const sorting = 'sorting%5BcreatedAt%5D=asc';
  const { body } = await call(`GET ${path}?${sorting}&limit=1&page=2`);
  const { body: all } = await call(`GET ${path}?${sorting}&limit=1000`);
  const href = (page: number) => ({ href: `${path}?${sorting}&page=${page}&limit=1` });
  expect(body).toMatchObject({ page: 2, limit: 1, pages: all.total, total: all.total });
  expect(body._links).toMatchObject({ self: href(2), first: href(1), last: href(all.total) });
  const created = all._embedded.items.map((order: Item) => order['created_at']);
  expect(created).toEqual(created.toSorted());
  expect(created.length).toBeGreaterThan(1);
  expect(body._embedded.items).toEqual([all._embedded.items[1]]);
});

test('an order of a user is listed once it is confirmed, and until it is deleted', async () => {
  const { call } = openSmallShop({ settings: { listCarts: true } });
  const ids = async (): Promise<number[]> => {
    const { body } = await call('GET /api/users/1/orders');
    return body._embedded.items.map(({ id }: Item) => id);
  };
  expect(await ids()).toEqual([at.confirmed]);
  await submitStep(call, at.payment, 'confirm');
  expect(await ids()).toEqual([at.payment, at.confirmed]);
  await call(`DELETE /api/orders/${at.confirmed}`);
  expect(await ids()).toEqual([at.payment]);
});

test('the orders of a deleted user are not listed', async () => {
  const { call } = openSmallShop();
  await call('DELETE /api/users/1');
  expect(await call('GET /api/users/1/orders/')).toMatchObject({
    status: 404,
    body: { message: 'Requested user does not exist with these criteria: {"id":"1"}.' },
  });
});
