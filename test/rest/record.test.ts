import { expect, test } from 'vitest';
import { contract } from '../../src/shop/resources/index.ts';
import { submitStep } from '../support/checkout-steps.ts';
import { openOffice, type Office } from '../support/office.ts';
import { at, openSmallShop } from '../support/small-shop.ts';

const office = openOffice({ settings: { listCarts: true } });
const answers = await everyBody(office);

test('no response contains null', () => {
  expect(leaves(answers).filter(([, value]) => value === null)).toEqual([]);
});

test('every date-time is a UTC timestamp in whole seconds', () => {
  const moments = leaves(answers).filter(([name]) => /(_at|_on|_login)$/.test(name));
  expect(moments.length).toBeGreaterThan(1000);
  const shape = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+0000$/;
  expect(moments.filter(([, value]) => !shape.test(String(value)))).toEqual([]);
});

test('every id and every amount is an integer', () => {
  const names =
    /^(id|amount|total|items_total|adjustments_total|unit_price|quantity|used|usage_limit)$/;
  const numbers = leaves(answers).filter(([name]) => names.test(name));
  expect(numbers.filter(([, value]) => !Number.isSafeInteger(value))).toEqual([]);
});

test('names are in snake case, except masterVariant and the link to a payment method', () => {
  const names = new Set(leaves(answers).map(([name]) => name));
  for (const name of fieldNames(answers)) names.add(name);
  const odd = [...names].filter((name) => !/^(_?[a-z]+(_[a-z]+)*|\d+)$/.test(name));
  expect(odd.toSorted()).toEqual(['masterVariant', 'payment-method']);
});

test('every link is a relative path that can be read', async () => {
  const hrefs = new Set(
    leaves(answers).flatMap(([name, value]) => (name === 'href' ? [String(value)] : [])),
  );
  const shapes = new Set(
    [...hrefs].map((href) => href.replace(/\?.*/, '').replaceAll(/\d+/g, 'N')),
  );
  expect([...shapes].toSorted()).toEqual([
    '/api/channels/',
    '/api/channels/N',
    '/api/countries/',
    '/api/countries/N',
    '/api/countries/N/provinces/',
    '/api/countries/N/provinces/N',
    '/api/orders/',
    '/api/orders/N',
    '/api/payment-methods/',
    '/api/payment-methods/N',
    '/api/payments/',
    '/api/payments/N',
    '/api/products/',
    '/api/products/N',
    '/api/products/N/variants/N',
    '/api/promotions/',
    '/api/promotions/N',
    '/api/promotions/N/coupons/',
    '/api/promotions/N/coupons/N',
    '/api/shipments/',
    '/api/shipments/N',
    '/api/shipping-methods/',
    '/api/shipping-methods/N',
    '/api/stock-locations/',
    '/api/stock-locations/N',
    '/api/users/',
    '/api/users/N/orders/',
    '/api/zones/',
    '/api/zones/N',
  ]);
  for (const href of hrefs) {
    expect({ href, status: (await office.call(`GET ${href}`)).status }).toEqual({
      href,
      status: 200,
    });
  }
});

test.each([
  [
    '/api/users/',
    { firstName: 'Eve', lastName: 'Stone', email: 'eve@example.com', plainPassword: 'x' },
  ],
  ['/api/channels/', { code: 'NEW', color: 'red' }],
  ['/api/stock-locations/', { code: 'NEW', name: 'New' }],
  ['/api/products/', { name: 'Stool', description: 'It has three legs.', price: 1 }],
  ['/api/orders/', { channel: 1, user: 1, currency: 'EUR' }],
  [`/api/orders/${at.empty}/items/`, { variant: 1, unitPrice: 1, quantity: 1 }],
])('ids of %s ascend and are not reused after a deletion', async (path, sent) => {
  const { call } = openSmallShop();
  const ids: number[] = [];
  for (let round = 0; round < 4; round++) {
    const { status, body } = await call(`POST ${path}`, sent);
    expect(status).toBe(201);
    ids.push(body.id);
    expect((await call(`DELETE ${path}${body.id}`)).status).toBe(204);
  }
  const [first = 0] = ids;
  expect(ids).toEqual([first, first + 1, first + 2, first + 3]);
});

test('records of checkout steps have new ids after a deletion', async () => {
  const { call } = openSmallShop();
  await call('DELETE /api/payments/3');
  await call('DELETE /api/shipments/4');
  await call('DELETE /api/promotions/3');
  const paid = await submitStep(call, at.shipping, 'payment');
  expect(paid.body.payments).toMatchObject([{ id: 4 }]);
  const shipped = await submitStep(call, at.addressing, 'shipping');
  expect(shipped.body.shipments).toMatchObject([{ id: 5 }]);
  const coupon = { code: 'NEW', usageLimit: 1 };
  expect((await call('POST /api/promotions/1/coupons/', coupon)).body.id).toBe(4);
});

/** Returns the response bodies of every GET of the contract, for every record. */
async function everyBody({ call }: Office): Promise<unknown[]> {
  const bodies: unknown[] = [];
  const reads = contract.filter(({ method }) => method === 'GET');
  for (const { path } of reads.filter((row) => !row.path.includes(':'))) {
    bodies.push((await call(`GET ${path}?limit=1000`)).body);
  }
  for (const { path } of reads.filter((row) => row.path.includes(':'))) {
    for (let id = 1; id <= 130; id++) {
      const { status, body } = await call(`GET ${path.replace(/:\w+/, String(id))}`);
      if (status === 200) bodies.push(body);
    }
  }
  return bodies;
}

/** Returns every value that is neither a list nor a block, with its name. */
function leaves(value: unknown, name = ''): (readonly [name: string, value: unknown])[] {
  if (typeof value !== 'object' || value === null) return [[name, value]];
  const entries = Array.isArray(value)
    ? value.map((one) => [name, one] as const)
    : Object.entries(value);
  return entries.flatMap(([key, inner]) => leaves(inner, key));
}

function fieldNames(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.flatMap(fieldNames);
  return Object.entries(value).flatMap(([name, inner]) => [name, ...fieldNames(inner)]);
}
