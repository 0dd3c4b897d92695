import { expect, test } from 'vitest';
import { outline } from '../support/outline.ts';
import { openSmallShop } from '../support/small-shop.ts';
import { userAfterReset } from '../support/specification.ts';

const line = 'POST /api/password-resetting-requests/';
const ada = { username: 'ada@example.com' };
const waiting = { status: 404, body: { code: 404, message: 'Password token not expired!' } };

test('a password reset returns the user, a token and the time of the request, without password and salt', async () => {
  const { call } = openSmallShop();
  const { status, body } = await call(line, ada);
  expect(status).toBe(200);
  expect(outline(body)).toBe(userAfterReset);
  expect(body).toMatchObject({
    id: 1,
    last_login: '2026-02-27T18:00:00+0000',
    confirmation_token: expect.stringMatching(/^[\w-]{43}$/),
    password_requested_at: '2026-03-02T09:00:00+0000',
  });
});

test('a user without a login has no `last_login`', async () => {
  const { call } = openSmallShop();
  const { body } = await call(line, { username: 'customer@example.com' });
  expect(outline(body)).toBe(userAfterReset.replace(' last_login', ''));
});

test.each(['bela@example.com', 'BELA@EXAMPLE.COM', ' Bela@Example.com '])(
  'a password reset finds the user by username or e-mail, case-insensitive: %j',
  async (username) => {
    const { call } = openSmallShop();
    expect(await call(line, { username })).toMatchObject({ status: 200, body: { id: 2 } });
  },
);

test.each(['chi', 'Chi', 'customer@example.com'])(
  'a password reset finds a user whose username differs from the e-mail: %j',
  async (username) => {
    const { call, db } = openSmallShop();
    db.users.change(3, { username: 'Chi', username_canonical: 'chi' });
    expect(await call(line, { username })).toMatchObject({
      status: 200,
      body: { id: 3, username: 'Chi' },
    });
  },
);

test('reset tokens depend on the seed, the user and the time', async () => {
  const first = await tokens(1);
  expect(new Set(first).size).toBe(3);
  expect(await tokens(1)).toEqual(first);
  expect(await tokens(2)).not.toEqual(first);
});

test('a second password reset is rejected for 24 hours', async () => {
  const { call, clock } = openSmallShop();
  await call(line, ada);
  expect(await call(line, ada)).toMatchObject(waiting);
  clock.advance('PT23H59M59S');
  expect(await call(line, ada)).toMatchObject(waiting);
  clock.advance('PT1S');
  expect(await call(line, ada)).toMatchObject({
    status: 200,
    body: { password_requested_at: '2026-03-03T09:00:00+0000' },
  });
});

test('a password reset of an unknown user responds with 404', async () => {
  const { call } = openSmallShop();
  expect(await call(line, { username: 'nobody@example.com' })).toMatchObject({
    status: 404,
    body: { code: 404, message: 'User not found!' },
  });
});

test('a password reset without a username is rejected', async () => {
  const { call } = openSmallShop();
  expect(await call(line, {})).toMatchObject({
    status: 400,
    body: { errors: { children: { username: { errors: ['This value should not be blank.'] } } } },
  });
});

test('a password reset changes no other response', async () => {
  const { call } = openSmallShop();
  const before = await call('GET /api/users/1');
  await call(line, ada);
  expect(await call('GET /api/users/1')).toEqual(before);
});

async function tokens(seed: number): Promise<string[]> {
  const { call, clock } = openSmallShop({ seed });
  const one = await call(line, ada);
  const other = await call(line, { username: 'customer@example.com' });
  clock.advance('P2D');
  const later = await call(line, ada);
  return [one, other, later].map(({ body }) => body.confirmation_token);
}
