import { expect, test } from 'vitest';
import { openSmallShop } from '../support/small-shop.ts';

const good = {
  firstName: 'Eve',
  lastName: 'Stone',
  email: 'Eve.Stone@Example.com',
  plainPassword: 'correct horse',
};

test('a user cannot have the e-mail of another user', async () => {
  const { call } = openSmallShop();
  const taken = { errors: { children: { email: { errors: ['This value is already used.'] } } } };
  const email = 'BELA@example.com';
  expect((await call('POST /api/users/', { ...good, email })).body).toMatchObject(taken);
  expect((await call('PUT /api/users/1', { ...good, email })).body).toMatchObject(taken);
  expect((await call('PATCH /api/users/1', { email })).body).toMatchObject(taken);
  expect(await call('PUT /api/users/2', { ...good, email })).toMatchObject({ status: 204 });
});

test('a user cannot have the username of another user as e-mail', async () => {
  const { call, db } = openSmallShop();
  const email = 'Old.Chi@example.com';
  db.users.change(3, { username: email, username_canonical: email.toLowerCase() });
  for (const [request, status] of [
    ['POST /api/users/', 400],
    ['PUT /api/users/1', 400],
    ['PUT /api/users/3', 204],
  ] as const) {
    expect(await call(request, { ...good, email })).toMatchObject({ status });
  }
});

test('a long invalid e-mail is rejected as fast as a short one', async () => {
  const email = `a@${'.'.repeat(200_000)}@`;
  const { status, body } = await openSmallShop().call('POST /api/users/', { ...good, email });
  expect(status).toBe(400);
  expect(body.errors.children.email).toEqual({
    errors: ['This value is too long. It should have 255 characters or less.'],
  });
});

test('the e-mail of a deleted user can be used by a new user', async () => {
  const { call } = openSmallShop();
  await call('DELETE /api/users/3');
  const again = await call('POST /api/users/', { ...good, email: 'customer@example.com' });
  expect(again).toMatchObject({ status: 201, body: { id: 4 } });
});
