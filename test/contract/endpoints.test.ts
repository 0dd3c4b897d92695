import { expect, test } from 'vitest';
import { contract } from '../../src/shop/resources/index.ts';
import { collections } from '../support/collections.ts';
import { endpointsBeside, readOnlyExtras, specifiedEndpoints } from '../support/specification.ts';

const rows = contract.filter(({ path }) => path.startsWith('/api/'));

test('the contract has exactly the endpoints of the specification and of the original system, with their statuses', () => {
  const said = [...specifiedEndpoints, ...endpointsBeside].map((row) => row.join(' '));
  const has = rows.filter(({ isExtra = false }) => !isExtra).map(lineOf);
  expect([...new Set(has)].toSorted()).toEqual(said.toSorted());
});

test('the contract marks the read-only extras', () => {
  const extras = rows.filter(({ isExtra = false }) => isExtra);
  expect(extras.map(lineOf).toSorted()).toEqual(
    readOnlyExtras.map((row) => row.join(' ')).toSorted(),
  );
  expect(extras.filter(({ method }) => method !== 'GET')).toEqual([]);
});

test.each([
  ['POST /api/promotion/:promotion_id/coupons/', ['code', 'usageLimit']],
  ['POST /api/promotions/:promotion_id/coupons/', ['code', 'usageLimit']],
  ['POST /api/users/', ['firstName', 'lastName', 'email', 'plainPassword', 'enabled?']],
  ['PUT /api/users/:user_id', ['firstName', 'lastName', 'email', 'plainPassword?', 'enabled?']],
  ['POST /api/password-resetting-requests/', ['username']],
  ['POST /api/orders/', ['channel', 'user', 'currency']],
  ['POST /api/orders/:order_id/items/', ['variant', 'unitPrice', 'quantity']],
  ['POST /api/stock-locations/', ['code', 'name', 'enabled?', 'address?']],
  ['PUT /api/stock-locations/:id', ['code', 'name', 'enabled?', 'address?']],
  [
    'POST /api/channels/',
    [
      'code',
      'name?',
      'type?',
      'color',
      'enabled?',
      'locales?',
      'currencies?',
      'paymentMethods?',
      'shippingMethods?',
    ],
  ],
  [
    'PUT /api/channels/:id',
    [
      'code',
      'name?',
      'type?',
      'color',
      'enabled?',
      'locales?',
      'currencies?',
      'paymentMethods?',
      'shippingMethods?',
    ],
  ],
  ['POST /api/products/', ['name', 'description', 'price', 'shortDescription?', 'sku?']],
  ['PUT /api/products/:product_id', ['name', 'description', 'price', 'shortDescription?', 'sku?']],
])('%s has the parameters %j', (line, parameters) => {
  const row = rows.find(({ method, path }) => `${method} ${path}` === line);
  expect(parametersOf(row).toSorted()).toEqual(parameters.toSorted());
});

test('PATCH has the parameters of PUT, all of them optional', () => {
  const patches = rows.filter(({ method }) => method === 'PATCH');
  expect(patches.length).toBe(4);
  for (const patch of patches) {
    const put = rows.find(({ method, path }) => method === 'PUT' && path === patch.path);
    const names = parametersOf(put).map((name) => `${name.replace('?', '')}?`);
    expect(parametersOf(patch).toSorted()).toEqual(names.toSorted());
  }
});

test.each([
  ['shippingAddress', ['shippingAddress', 'billingAddress?']],
  ['shipments', ['shipments']],
  ['paymentMethod', ['paymentMethod']],
  ['type', ['type', 'cardholderName', 'number', 'securityCode', 'expiryMonth', 'expiryYear']],
])('the checkout step chosen by %s has the parameters %j', (name, parameters) => {
  const row = rows.find(({ chosenBy }) => chosenBy?.includes(name));
  expect(parametersOf(row)).toEqual(parameters);
});

test('every collection has the optional parameters page, limit, criteria and sorting', () => {
  const queries = rows.filter(({ query }) => query !== undefined);
  expect(queries.length).toBe(collections.length);
  for (const { query } of queries) {
    expect(Object.keys(query?.children ?? {})).toEqual(['page', 'limit', 'criteria', 'sorting']);
    expect(query?.schema.safeParse({}).success).toBe(true);
  }
});

test.each(rows.map((row) => ({ name: `${row.method} ${row.path}: ${row.summary}`, row })))(
  '$name has a summary of one line, and an example with its own path',
  ({ row }) => {
    expect(row.summary).toMatch(/^[A-Z].{5,100}[^.]$/);
    const pattern = row.path.replace(/\/$/, '').replaceAll(/:\w+/g, String.raw`\d+`);
    expect(row.example.url.replace(/\?.*/, '')).toMatch(new RegExp(`^${pattern}/?$`));
  },
);

/** `GET /api/users/:id 200` */
function lineOf({ method, path, status }: (typeof contract)[number]): string {
  return [method, path.replace(/\/$/, '').replaceAll(/:\w+/g, ':id'), status].join(' ');
}

/** `['code', 'enabled?']` */
function parametersOf(row: (typeof contract)[number] | undefined): string[] {
  return Object.entries(row?.body?.schema.shape ?? {}).map(([name, field]) =>
    field.safeParse(undefined).success ? `${name}?` : name,
  );
}
