import { expect, test } from 'vitest';
import { openSmallShop } from '../support/small-shop.ts';

const login = {
  client_id: 'demo_client',
  client_secret: 'secret_demo_client',
  grant_type: 'password',
  username: 'api@example.com',
  password: 'api',
};

test('every error of the token endpoint has `error` and `error_description`', async () => {
  const office = openSmallShop({ settings: { maxBodyBytes: 1000 } });
  const json = { 'content-type': 'application/json' };
  const requests: readonly (readonly [number, string, string, Record<string, string>])[] = [
    [400, 'POST', JSON.stringify({ ...login, grant_type: ['password'] }), json],
    [400, 'POST', '{', json],
    [400, 'POST', 'null', json],
    [400, 'POST', '[]', json],
    [413, 'POST', 'x'.repeat(1001), json],
    [415, 'POST', 'grant_type=password', { 'content-type': 'text/plain' }],
    [405, 'DELETE', '', {}],
  ];
  for (const [expected, method, sent, headers] of requests) {
    const { status, body } = await office.call(`${method} /oauth/v2/token`, sent, headers);
    expect({ sent, status, error: body.error }).toEqual({
      sent,
      status: expected,
      error: 'invalid_request',
    });
    expect(Object.keys(body)).toEqual(['error', 'error_description']);
  }
  const many = await office.call(`GET /oauth/v2/token?${'a=1&'.repeat(1001)}`);
  expect(many).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
  const { body } = await office.call('POST /oauth/v2/token', { ...login, grant_type: [] });
  expect(body.error_description).toBe('grant_type: This value is not valid.');
});

test.each([
  ['of a client', 'demo_client:secret_demo_client', true],
  ['with both parts URL-encoded', 'demo%5Fclient:secret%5Fdemo_client', true],
  ['with a wrong secret', 'demo_client:guess', false],
  ['without a secret', 'demo_client', false],
  ['with more after the secret', 'demo_client:secret_demo_client:more', false],
  ['with an empty secret', 'demo_client:', false],
  ['with an invalid encoding', 'demo_client:100%', false],
  ['of an empty text', '', false],
])('HTTP Basic %s (%s) is valid: %s', async (_name, credentials, isValid) => {
  const office = openSmallShop();
  const { client_id: _id, client_secret: _secret, ...grant } = login;
  const headers = { authorization: `Basic ${btoa(credentials)}` };
  const query = new URLSearchParams(grant);
  for (const [line, sent] of [
    ['POST /oauth/v2/token', grant],
    [`GET /oauth/v2/token?${query}`, undefined],
    // The header is first, whatever the parameters are.
    ['POST /oauth/v2/token', isValid ? { ...login, client_secret: 'guess' } : login],
  ] as const) {
    const { status, body } = await office.call(line, sent, headers);
    expect({ line, status, error: body.error }).toEqual({
      line,
      status: isValid ? 200 : 400,
      error: isValid ? undefined : 'invalid_client',
    });
  }
});

test('a Basic header that is not Base64 is invalid, and one of another scheme is ignored', async () => {
  const office = openSmallShop();
  const token = (authorization: string) =>
    office.call('POST /oauth/v2/token', login, { authorization });
  expect((await token('Basic ***')).body.error).toBe('invalid_client');
  expect((await token('Bearer abc')).status).toBe(200);
});

test('unknown parameters of a token request are ignored, whatever `unknownParameters` is', async () => {
  for (const unknownParameters of ['reject', 'ignore'] as const) {
    const { call } = openSmallShop({ settings: { unknownParameters } });
    const sent = { ...login, redirect_uri: 'https://admin.example', auth_location: 'body' };
    expect((await call('POST /oauth/v2/token', { ...sent, a: { b: 1 } })).status).toBe(200);
    expect((await call(`GET /oauth/v2/token?${new URLSearchParams(sent)}`)).status).toBe(200);
  }
});
