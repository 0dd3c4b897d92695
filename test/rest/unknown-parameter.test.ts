import { expect, test } from 'vitest';
import { contract } from '../../src/resources/index.ts';
import { openOffice } from '../support/office.ts';
import { openSmallShop, sentAddress } from '../support/small-shop.ts';

const extra = 'This form should not contain extra fields.';
const strict = openOffice();
const lenient = openOffice({ settings: { unknownParameters: 'ignore' } });
const forms = contract.filter(({ body }) => body !== undefined);
const without = contract.filter(
  ({ body, method, chosenBy }) => body === undefined && method !== 'GET' && chosenBy === undefined,
);

test.each(forms)(
  '$method $path ($summary) refuses a parameter that it does not know',
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
  '$method $path ($summary) passes it over where the settings say so',
  async ({ method, example, status }) => {
    lenient.reset();
    const sent = { ...example.body, nothing: '1' };
    const odd = await lenient.call(`${method} ${example.url}`, sent);
    lenient.reset();
    expect(odd).toEqual(await lenient.call(`${method} ${example.url}`, example.body));
    expect(odd.status).toBe(status);
  },
);

test.each(without)('$method $path takes no parameters', async ({ method, example }) => {
  strict.reset();
  expect(await strict.call(`${method} ${example.url}`, { nothing: 1 })).toMatchObject({
    status: 400,
    body: { message: 'Validation Failed', errors: { errors: [extra] } },
  });
});

test('an unknown parameter in a block counts as one of the form', async () => {
  const { call } = openSmallShop();
  const address = { ...sentAddress, planet: 'Mars' };
  for (const sent of [{ address }, { 'address[planet]': 'Mars' }]) {
    const { status, body } = await call('PATCH /api/stock-locations/1', sent);
    expect(status).toBe(400);
    expect(body.errors.errors).toEqual([extra]);
  }
});

test('an unknown parameter of a collection is refused, or passed over', async () => {
  const { status, body } = await openSmallShop().call('GET /api/users/?colour=red');
  expect(status).toBe(400);
  expect(body.errors.errors).toEqual([extra]);
  const { call } = openSmallShop({ settings: { unknownParameters: 'ignore' } });
  expect((await call('GET /api/users/?colour=red')).body.total).toBe(3);
});

test('a parameter named __proto__ is one that nobody knows, in a collection too', async () => {
  const { call } = openSmallShop();
  for (const query of ['__proto__=1', 'criteria[__proto__]=1', 'criteria[__proto__][query]=1']) {
    const { status, body } = await call(`GET /api/users/?${query}`);
    expect([status, body.errors?.errors]).toEqual([400, [extra]]);
  }
});

test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])(
  'a parameter named %s does no harm',
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
