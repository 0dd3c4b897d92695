import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openOffice, contents, type Office } from '../support/office.ts';
import { openSmallShop } from '../support/small-shop.ts';
import { runs } from '../support/runs.ts';

const client = { client_id: 'demo_client', client_secret: 'secret_demo_client' };
const login = { ...client, grant_type: 'password', username: 'api@example.com', password: 'api' };

function openGuarded(): Office {
  return openSmallShop({ settings: { auth: 'oauth2' } });
}

async function tokensOf(office: Office) {
  const { body } = await office.call('POST /oauth/v2/token', login);
  return { access: String(body.access_token), refresh: String(body.refresh_token) };
}

function bearer(token: string) {
  return { authorization: `Bearer ${token}` };
}

test('POST and GET with a password return an access token and a refresh token', async () => {
  const office = openGuarded();
  const posted = await office.call('POST /oauth/v2/token', login);
  expect(posted.status).toBe(200);
  expect(posted.body).toEqual({
    access_token: expect.stringMatching(/^[\w-]{43}$/),
    expires_in: 3600,
    token_type: 'bearer',
    scope: null,
    refresh_token: expect.stringMatching(/^[\w-]{43}$/),
  });
  const got = await office.call(`GET /oauth/v2/token?${new URLSearchParams(login)}`);
  expect(got.status).toBe(200);
  const { body } = await office.call('GET /api/users/', undefined, bearer(got.body.access_token));
  expect(body.total).toBe(3);
});

test('without a token, every path under /api responds with an OAuth error, unknown paths included', async () => {
  const office = openGuarded();
  for (const line of [
    'GET /api/users/',
    'POST /api/orders/',
    'GET /api/nowhere',
    'DELETE /api/users/',
  ]) {
    const { status, headers, body } = await office.call(line);
    expect(status, line).toBe(401);
    expect(body).toEqual({
      error: 'access_denied',
      error_description: 'OAuth2 authentication required',
    });
    expect(headers['www-authenticate']).toBe('Bearer realm="Service", error="access_denied"');
  }
  expect((await office.call('OPTIONS /api/users/')).status).toBe(204);
});

test('an unknown token and a refresh token are rejected as access tokens', async () => {
  const office = openGuarded();
  const { refresh } = await tokensOf(office);
  for (const token of ['nonsense', refresh]) {
    const { status, body } = await office.call('GET /api/users/1', undefined, bearer(token));
    expect(status).toBe(401);
    expect(body).toEqual({
      error: 'invalid_grant',
      error_description: 'The access token provided is invalid.',
    });
  }
});

test('an access token is valid for an hour of virtual time', async () => {
  const office = openGuarded();
  const { access } = await tokensOf(office);
  office.clock.advance('PT3600S');
  expect((await office.call('GET /api/users/1', undefined, bearer(access))).status).toBe(200);
  office.clock.advance('PT1S');
  const { status, body } = await office.call('GET /api/users/1', undefined, bearer(access));
  expect(status).toBe(401);
  expect(body.error_description).toBe('The access token provided has expired.');
});

test('a refresh token is valid once, for two weeks', async () => {
  const office = openGuarded();
  const { refresh } = await tokensOf(office);
  office.clock.advance('PT1209600S');
  const again = { ...client, grant_type: 'refresh_token', refresh_token: refresh };
  const { status, body } = await office.call('POST /oauth/v2/token', again);
  expect(status).toBe(200);
  expect((await office.call('POST /oauth/v2/token', again)).body).toEqual({
    error: 'invalid_grant',
    error_description: 'Invalid refresh token',
  });
  office.clock.advance('PT1209601S');
  const late = { ...again, refresh_token: body.refresh_token };
  const refused = await office.call('POST /oauth/v2/token', late);
  expect(refused.status).toBe(400);
  expect(refused.body.error_description).toBe('Refresh token has expired');
});

test.each([
  [
    'a wrong secret',
    { client_secret: 'guess' },
    'invalid_client',
    'The client credentials are invalid',
  ],
  ['no client', { client_id: '' }, 'invalid_client', 'The client credentials are invalid'],
  [
    'a wrong password',
    { password: 'guess' },
    'invalid_grant',
    'Invalid username and password combination',
  ],
  [
    'an unknown user',
    { username: 'nobody@example.com' },
    'invalid_grant',
    'Invalid username and password combination',
  ],
  [
    'no grant type',
    { grant_type: '' },
    'invalid_request',
    'Invalid grant_type parameter or parameter missing',
  ],
  [
    'an odd grant type',
    { grant_type: 'magic' },
    'invalid_request',
    'Invalid grant_type parameter or parameter missing',
  ],
])(
  'a token request with %s is rejected and changes nothing',
  async (_name, wrong, error, error_description) => {
    const office = openGuarded();
    const before = contents(office);
    const { status, body } = await office.call('POST /oauth/v2/token', { ...login, ...wrong });
    expect({ status, body }).toEqual({ status: 400, body: { error, error_description } });
    expect(contents(office)).toBe(before);
  },
);

test('a user of the shop can log in with the password from its creation', async () => {
  const office = openGuarded();
  const { access } = await tokensOf(office);
  const ada = {
    firstName: 'Ada',
    lastName: 'Byron',
    email: 'Ada@Example.net',
    plainPassword: 'x-1',
  };
  await office.call('POST /api/users/', ada, bearer(access));
  const own = { ...login, username: 'ada@example.net', password: 'x-1' };
  expect((await office.call('POST /oauth/v2/token', own)).status).toBe(200);
});

test('with `auth: none`, tokens are issued but not required', async () => {
  const office = openSmallShop();
  const { access, refresh } = await tokensOf(office);
  const again = { ...client, grant_type: 'refresh_token', refresh_token: refresh };
  expect((await office.call('POST /oauth/v2/token', again)).status).toBe(200);
  expect((await office.call('GET /api/users/1')).status).toBe(200);
  expect((await office.call('GET /api/users/1', undefined, bearer(access))).status).toBe(200);
  expect((await office.call('GET /api/users/1', undefined, bearer('nonsense'))).status).toBe(200);
});

test('responses of the token endpoint and of a password reset have `Cache-Control: no-store`', async () => {
  const office = openSmallShop();
  const answers = [
    await office.call('POST /oauth/v2/token', login),
    await office.call(`GET /oauth/v2/token?${new URLSearchParams(login)}`),
    await office.call('POST /oauth/v2/token', { ...login, password: 'guess' }),
  ];
  for (const { headers } of answers) {
    expect(headers).toMatchObject({ 'cache-control': 'no-store', pragma: 'no-cache' });
  }
  const { username } = (await office.call('GET /api/users/1')).body;
  const reset = await office.call('POST /api/password-resetting-requests/', { username });
  expect(reset.status).toBe(200);
  expect(reset.headers['cache-control']).toBe('no-store');
});

test('a reset deletes tokens, and the same requests with the same seed return the same tokens', async () => {
  const office = openOffice({ scenario: 'authenticated' });
  const first = await tokensOf(office);
  office.reset();
  const denied = await office.call('GET /api/users/1', undefined, bearer(first.access));
  expect(denied.status).toBe(401);
  expect(await tokensOf(office)).toEqual(first);
  office.reset(undefined, { seed: 2 });
  expect((await tokensOf(office)).access).not.toBe(first.access);
});

test('with `auth: oauth2`, only an access token grants access', async () => {
  const office = openGuarded();
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'binary-ascii' }), async (text) => {
      const value = text.replaceAll(/[^\x20-\x7e]/g, '');
      const { status } = await office.call('GET /api/users/1', undefined, { authorization: value });
      expect(status).toBe(401);
    }),
    { numRuns: runs(50) },
  );
});
