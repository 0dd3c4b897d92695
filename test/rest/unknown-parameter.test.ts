import { expect, test } from 'vitest';
import { contract } from '../../src/shop/resources/index.ts';
import { oauthEndpoints } from '../../src/shop/resources/oauth.ts';
import { address } from '../support/checkout-steps.ts';
import { openOffice } from '../support/office.ts';
import { openSmallShop } from '../support/small-shop.ts';

const extra = 'This form should not contain extra fields.';
const strict = openOffice();
const lenient = openOffice({ settings: { unknownParameters: 'ignore' } });
const forms = contract.filter(({ body }) => body !== undefined);
const without = contract.filter(
  ({ body, method, chosenBy }) => body === undefined && method !== 'GET' && chosenBy === undefined,
);

test.each(forms)(
  '$method $path ($summary) rejects an unknown parameter',
  async ({ method, example }) => {
    strict.reset();
    const sent = { ...example.body, nothing: '1' };
    const { status, body } = await strict.call(`${method} ${example.url}`, sent);
    expect(status).toBe(400);
    expect(body).toMatchObject({ code: 400, message: 'Validation Failed' });
    expect(body.errors.errors).toEqual([extra]);
    expect(JSON.stringify(body.errors.children)).not.toContain('errors');
  },
);

test.each(forms)(
  '$method $path ($summary) ignores an unknown parameter if unknownParameters is ignore',
  async ({ method, example, status }) => {
    lenient.reset();
    const sent = { ...example.body, nothing: '1' };
    const odd = await lenient.call(`${method} ${example.url}`, sent);
    lenient.reset();
    expect(odd).toEqual(await lenient.call(`${method} ${example.url}`, example.body));
    expect(odd.status).toBe(status);
  },
);

test.each(without)('$method $path rejects any body parameter', async ({ method, example }) => {
  strict.reset();
  expect(await strict.call(`${method} ${example.url}`, { nothing: 1 })).toMatchObject({
    status: 400,
    body: { message: 'Validation Failed', errors: { errors: [extra] } },
  });
});

test('an unknown parameter in a block is an issue of the form', async () => {
  const { call } = openSmallShop();
  const onMars = { ...address, planet: 'Mars' };
  for (const sent of [{ address: onMars }, { 'address[planet]': 'Mars' }]) {
    const { status, body } = await call('PATCH /api/stock-locations/1', sent);
    expect(status).toBe(400);
    expect(body.errors.errors).toEqual([extra]);
  }
});

test.each([...contract, ...oauthEndpoints])(
  '$method $path ($summary) ignores an unknown parameter of the query and names it in a header',
  async ({ method, example, status }) => {
    for (const office of [strict, lenient]) {
      office.reset();
      const plain = await office.call(`${method} ${example.url}`, example.body);
      office.reset();
      const url = `${example.url}${example.url.includes('?') ? '&' : '?'}_=123&a[b]=2`;
      const busted = await office.call(`${method} ${url}`, example.body);
      const { 'x-backlot-notice': notice, ...headers } = busted.headers;
      expect(notice).toBe('Ignored unknown query parameters: _, a.');
      expect({ ...busted, headers }).toEqual(plain);
      if (plain.status !== 404) expect(plain.status).toBe(status);
    }
  },
);

test('a response without unknown parameters has no notice', async () => {
  for (const url of ['/api/users/?page=1&criteria[query]=a&sorting[id]=asc', '/api/users/1']) {
    expect((await strict.call(`GET ${url}`)).headers).not.toHaveProperty('x-backlot-notice');
  }
});

test('an error response names the unknown query parameters', async () => {
  const { call } = openSmallShop();
  for (const url of ['/api/users/?page=0&_=1', '/api/users/99?_=1']) {
    expect((await call(`GET ${url}`)).headers['x-backlot-notice']).toBe(
      'Ignored unknown query parameters: _.',
    );
  }
});

test('criteria and sorting are unknown parameters of a single record', async () => {
  const { status, headers } = await openSmallShop().call('GET /api/users/1?criteria[query]=a');
  expect(status).toBe(200);
  expect(headers['x-backlot-notice']).toBe('Ignored unknown query parameters: criteria.');
});

test('a notice with many and long parameter names fits into a header', async () => {
  const { call } = openSmallShop();
  const names = ['é\r\nSet-Cookie: a=b', '__proto__', '😀'.repeat(100)];
  const long = `GET /api/users/1?${new URLSearchParams(names.map((name) => [name, '1']))}`;
  expect((await call(long)).headers['x-backlot-notice']).toBe(
    `Ignored unknown query parameters: %C3%A9%0D%0ASet-Cookie%3A%20a%3Db, __proto__, ${'%F0%9F%98%80'.repeat(5)}.`,
  );
  const many = Array.from({ length: 13 }, (_, at) => `a${at}=1`).join('&');
  expect((await call(`GET /api/users/1?${many}`)).headers['x-backlot-notice']).toBe(
    'Ignored unknown query parameters: a0, a1, a2, a3, a4, a5, a6, a7, a8, a9 and 3 more.',
  );
});

test('a filter named __proto__ is an unknown parameter', async () => {
  const { call } = openSmallShop();
  for (const query of ['criteria[__proto__]=1', 'criteria[__proto__][query]=1']) {
    const { status, body } = await call(`GET /api/users/?${query}`);
    expect([status, body.errors?.errors]).toEqual([400, [extra]]);
  }
});

test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])(
  'a parameter named %s changes no property of Object.prototype',
  async (name) => {
    const { call } = openSmallShop();
    const json = `{"username":"customer@example.com","${name}":{"polluted":"yes"}}`;
    const answers = [
      await call('POST /api/password-resetting-requests/', json),
      await call(
        'POST /api/password-resetting-requests/',
        `username=customer%40example.com&${name}[polluted]=yes`,
        { 'content-type': 'application/x-www-form-urlencoded' },
      ),
    ];
    for (const { status } of answers) expect(status).toBeLessThan(500);
    expect(Object.prototype).not.toHaveProperty('polluted');
  },
);
