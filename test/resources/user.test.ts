import { expect, test } from 'vitest';
import { outline } from '../support/outline.ts';
import { at, openSmallShop } from '../support/small-shop.ts';
import { collection, user, userInOrder } from '../support/specification.ts';

const good = {
  firstName: 'Eve',
  lastName: 'Stone',
  email: 'Eve.Stone@Example.com',
  plainPassword: 'correct horse',
};
const blank = { errors: ['This value should not be blank.'] };

test('GET of a user returns the fields of the specification', async () => {
  const { call } = openSmallShop();
  const { status, body } = await call('GET /api/users/2');
  expect(status).toBe(200);
  expect(outline(body)).toBe(user);
  expect(body).toEqual({
    id: 2,
    username: 'Bela@Example.com',
    username_canonical: 'bela@example.com',
    email: 'Bela@Example.com',
    email_canonical: 'bela@example.com',
    enabled: true,
    locked: false,
    expired: false,
    credentials_expired: false,
    groups: [],
    roles: [],
    password: 'password 2',
    salt: 'salt 2',
  });
});

test('users are listed newest first', async () => {
  const { call } = openSmallShop();
  const { status, body } = await call('GET /api/users/');
  expect(status).toBe(200);
  expect(outline(body)).toBe(collection(user));
  expect(ids(body)).toEqual([3, 2, 1]);
});

test.each([
  ['ada', [3, 1]],
  ['NOVAK', [1]],
  ['bela@ex', [2]],
  ['kov%C3%A1cs', [2]],
  ['BÉLA', [2]],
  ['ada novak', [1]],
  ['a@EXAMPLE', [2, 1]],
  ['@', [3, 2, 1]],
  ['nobody', []],
  ['', [3, 2, 1]],
])(
  'the filter `query` finds users by e-mail or names, case-insensitive: %s',
  async (query, found) => {
    const { call } = openSmallShop();
    const { body } = await call(`GET /api/users/?criteria[query]=${query.replaceAll(' ', '+')}`);
    expect(ids(body)).toEqual(found);
    expect(body.total).toBe(found.length);
  },
);

test('a new user has its e-mail as username and no roles', async () => {
  const { call } = openSmallShop();
  const { status, body } = await call('POST /api/users/', good);
  expect(status).toBe(201);
  expect(outline(body)).toBe(user);
  expect(body).toMatchObject({
    id: 4,
    username: 'Eve.Stone@Example.com',
    username_canonical: 'eve.stone@example.com',
    email: 'Eve.Stone@Example.com',
    email_canonical: 'eve.stone@example.com',
    enabled: true,
    locked: false,
    expired: false,
    credentials_expired: false,
    groups: [],
    roles: [],
  });
  expect((await call('GET /api/users/4')).body).toEqual(body);
  expect(ids((await call('GET /api/users/?criteria[query]=eve+stone')).body)).toEqual([4]);
});

test('passwords are stored only as hashes, which depend on the seed', async () => {
  const answers = await Promise.all(
    [1, 1, 2].map((seed) => openSmallShop({ seed }).call('POST /api/users/', good)),
  );
  const [one, same, other] = answers.map(({ body }) => body);
  expect(atob(one.password)).toHaveLength(64);
  expect(one.password).toHaveLength(88);
  expect(one.salt).toMatch(/^[\da-z]{31}$/);
  expect(same).toEqual(one);
  expect(other.password).not.toBe(one.password);
  expect(other.salt).not.toBe(one.salt);
  const { call, db } = openSmallShop();
  await call('POST /api/users/', good);
  await call('PATCH /api/users/4', { plainPassword: 'battery staple' });
  expect(JSON.stringify(db.users.all())).not.toMatch(/correct horse|battery staple/);
});

test.each([
  [{ enabled: false }, false],
  [{ enabled: true }, true],
  [{ enabled: '0' }, false],
  [{ enabled: 'false' }, false],
  [{ enabled: '' }, false],
  [{ enabled: 'on' }, true],
  [{ enabled: '1' }, true],
  [{ enabled: null }, true],
  [{}, true],
])('a user created with %j has `enabled: %s`', async (sent, enabled) => {
  const { call } = openSmallShop();
  expect((await call('POST /api/users/', { ...good, ...sent })).body).toMatchObject({ enabled });
});

test('missing parameters of a user are reported', async () => {
  const { call } = openSmallShop();
  const children = {
    firstName: { errors: ['Please enter your first name.'] },
    lastName: { errors: ['Please enter your last name.'] },
    email: blank,
    enabled: [],
    plainPassword: blank,
  };
  const refused = { code: 400, message: 'Validation Failed', errors: { children } };
  expect(await call('POST /api/users/', {})).toMatchObject({ status: 400, body: refused });
  const put = await call('PUT /api/users/1', {});
  expect(put.status).toBe(400);
  expect(put.body).toEqual({
    ...refused,
    errors: { children: { ...children, plainPassword: [] } },
  });
});

test.each([
  ['firstName', 'A'],
  ['firstName', 'a'.repeat(256)],
  ['lastName', 'B'],
  ['lastName', 'b'.repeat(256)],
  ['email', 'not an e-mail'],
  ['email', 'two@@example.com'],
  ['email', 'dot@.com'],
  ['email', 'dot@com.'],
  ['email', 'ada@example.com'],
  ['email', 'ADA@example.COM'],
  ['enabled', 'perhaps'],
  ['firstName', ['Ada']],
  ['plainPassword', { a: 1 }],
])('a user whose %s is %j is refused at that parameter alone', async (name, value) => {
  const { call } = openSmallShop();
  const { status, body } = await call('POST /api/users/', { ...good, [name]: value });
  expect(status).toBe(400);
  const { [name]: bad, ...others } = body.errors.children;
  expect(bad).toEqual({ errors: [expect.any(String)] });
  expect(Object.values(others)).toEqual([[], [], [], []]);
});

test.each([
  ['ab', 'bc'],
  ['a'.repeat(255), 'b'.repeat(255)],
])('the names of a user can have 2 to 255 characters', async (firstName, lastName) => {
  const { call } = openSmallShop();
  expect(await call('POST /api/users/', { ...good, firstName, lastName })).toMatchObject({
    status: 201,
  });
});

test('PUT of a user changes its parameters and keeps the omitted password, salt and `enabled`', async () => {
  const { call } = openSmallShop();
  await call('PATCH /api/users/2', { enabled: false });
  const { plainPassword: _, ...profile } = good;
  const answer = await call('PUT /api/users/2', profile);
  expect(answer).toMatchObject({ status: 204, body: undefined });
  expect((await call('GET /api/users/2')).body).toMatchObject({
    username: good.email,
    email: good.email,
    email_canonical: 'eve.stone@example.com',
    enabled: false,
    password: 'password 2',
    salt: 'salt 2',
  });
  expect(ids((await call('GET /api/users/?criteria[query]=eve+stone')).body)).toEqual([2]);
  expect(ids((await call('GET /api/users/?criteria[query]=kov')).body)).toEqual([]);
});

test('PATCH of a user keeps the fields of omitted parameters', async () => {
  const { call } = openSmallShop();
  const before = (await call('GET /api/users/1')).body;
  expect(await call('PATCH /api/users/1', {})).toMatchObject({ status: 204 });
  expect((await call('GET /api/users/1')).body).toEqual(before);
  expect(await call('PATCH /api/users/1', { lastName: 'Quist' })).toMatchObject({ status: 204 });
  expect((await call('GET /api/users/1')).body).toEqual(before);
  expect(ids((await call('GET /api/users/?criteria[query]=ada+quist')).body)).toEqual([1]);
  await call('PATCH /api/users/1', { plainPassword: 'battery staple' });
  const { body } = await call('GET /api/users/1');
  expect(body).toEqual({ ...before, password: expect.not.stringMatching(before.password) });
  expect(atob(body.password)).toHaveLength(64);
});

test.each([
  ['firstName', 'Please enter your first name.'],
  ['lastName', 'Please enter your last name.'],
  ['email', 'This value should not be blank.'],
  ['plainPassword', 'This value should not be blank.'],
])('PATCH of a user rejects a blank %s', async (name, message) => {
  const { call } = openSmallShop();
  const { status, body } = await call('PATCH /api/users/1', { [name]: '' });
  expect(status).toBe(400);
  expect(body.errors.children[name]).toEqual({ errors: [message] });
});

test('a deleted user is missing from lists and reads, and their orders still show them', async () => {
  const { call } = openSmallShop();
  const before = (await call('GET /api/users/1')).body;
  expect(await call('DELETE /api/users/1')).toMatchObject({ status: 204, body: undefined });
  const message = 'Requested user does not exist with these criteria: {"id":"1"}.';
  const gone = { status: 404, body: { code: 404, message } };
  expect(await call('GET /api/users/1')).toMatchObject(gone);
  expect(await call('PUT /api/users/1', {})).toMatchObject(gone);
  expect(await call('PATCH /api/users/1', {})).toMatchObject(gone);
  expect(await call('DELETE /api/users/1')).toMatchObject(gone);
  expect(ids((await call('GET /api/users/')).body)).toEqual([3, 2]);
  expect(ids((await call('GET /api/users/?criteria[query]=ada')).body)).toEqual([3]);
  const reset = { username: 'ada@example.com' };
  expect(await call('POST /api/password-resetting-requests/', reset)).toMatchObject({
    status: 404,
  });
  const { password: _, salt: __, ...shown } = before;
  const order = (await call(`GET /api/orders/${at.cart}`)).body;
  expect(order.user).toEqual(shown);
  expect(outline(order.user)).toBe(userInOrder);
});

function ids(body: { _embedded: { items: { id: number }[] } }): number[] {
  return body._embedded.items.map(({ id }) => id);
}
