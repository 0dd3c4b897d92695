import { expect, test } from 'vitest';
import type { Office } from '../support/office.ts';
import { openSmallShop } from '../support/small-shop.ts';

const client = { client_id: 'demo_client', client_secret: 'secret_demo_client' };
const login = { ...client, grant_type: 'password', username: 'api@example.com', password: 'api' };

function bearer(token: string) {
  return { authorization: `Bearer ${token}` };
}

async function logIn(office: Office, form: object = login) {
  return (await office.call('POST /oauth/v2/token', form)).body;
}

const ada = {
  firstName: 'Ada',
  lastName: 'Byron',
  email: 'ada@example.net',
  plainPassword: 'x-1',
};
const adaLogin = { ...login, username: ada.email, password: ada.plainPassword };

async function openWithAda() {
  const office = openSmallShop({ settings: { auth: 'oauth2' } });
  const api = bearer((await logIn(office)).access_token);
  const { body: user } = await office.call('POST /api/users/', ada, api);
  const body = await logIn(office, adaLogin);
  const refresh = { ...client, grant_type: 'refresh_token', refresh_token: body.refresh_token };
  return { office, api, id: Number(user.id), own: bearer(body.access_token), refresh };
}

test.each<[string, (office: Office, id: number, api: Record<string, string>) => unknown]>([
  ['disabled', (office, id, api) => office.call(`PATCH /api/users/${id}`, { enabled: false }, api)],
  ['deleted', (office, id, api) => office.call(`DELETE /api/users/${id}`, undefined, api)],
  [
    'deleted and made anew under the same e-mail',
    async (office, id, api) => {
      await office.call(`DELETE /api/users/${id}`, undefined, api);
      await office.call('POST /api/users/', { ...ada, plainPassword: 'x-2' }, api);
    },
  ],
  ['locked', ({ db }, id) => db.users.change(id, { locked: true })],
  ['expired', ({ db }, id) => db.users.change(id, { expired: true })],
])('if a user is %s, the password and both tokens of that user are rejected', async (_, end) => {
  const { office, api, id, own, refresh } = await openWithAda();
  expect((await office.call('GET /api/users/1', undefined, own)).status).toBe(200);
  await end(office, id, api);
  const denied = await office.call('GET /api/users/1', undefined, own);
  expect(denied.status).toBe(401);
  expect(denied.headers['www-authenticate']).toContain('error="invalid_grant"');
  expect(denied.body).toEqual({
    error: 'invalid_grant',
    error_description: 'The access token provided is invalid.',
  });
  for (const [form, error_description] of [
    [refresh, 'Invalid refresh token'],
    [adaLogin, 'Invalid username and password combination'],
  ]) {
    const { status, body } = await office.call('POST /oauth/v2/token', form);
    expect({ status, body }).toEqual({
      status: 400,
      body: { error: 'invalid_grant', error_description },
    });
  }
  expect((await office.call('GET /api/users/1', undefined, api)).status).toBe(200);
});

test('the tokens of a user are valid again after re-enabling, and stay valid after a change of e-mail', async () => {
  const { office, api, id, own, refresh } = await openWithAda();
  await office.call(`PATCH /api/users/${id}`, { enabled: false }, api);
  await office.call(`PATCH /api/users/${id}`, { enabled: true, email: 'ada@example.org' }, api);
  expect((await office.call('GET /api/users/1', undefined, own)).status).toBe(200);
  expect((await office.call('POST /oauth/v2/token', refresh)).status).toBe(200);
});

test('expired tokens are removed when the next one is issued', async () => {
  const office = openSmallShop({ settings: { auth: 'oauth2' } });
  for (let time = 0; time < 5; time++) await logIn(office);
  expect(office.export().tables['tokens']?.rows).toHaveLength(10);
  office.clock.advance('PT2H');
  await logIn(office);
  expect(office.db.tokens.all().map(({ kind }) => kind)).toEqual([
    ...Array.from({ length: 5 }, () => 'refresh'),
    'access',
    'refresh',
  ]);
  office.clock.advance('P15D');
  await logIn(office);
  expect(office.db.tokens.count()).toBe(2);
});
