import { expect, test } from 'vitest';
import { contract } from '../../src/shop/resources/index.ts';
import { checkoutOf, put } from '../support/checkout-steps.ts';
import { contents } from '../support/office.ts';
import { at, openSmallShop } from '../support/small-shop.ts';

const office = openSmallShop();
const writes = contract.filter(({ method }) => method !== 'GET');

test.each(writes)('$method $path ($summary) responds to [] as to {}', async (row) => {
  const { method, path } = row;
  const url = path.replaceAll(/:\w+/g, path.includes('checkouts') ? String(at.payment) : '1');
  office.reset();
  const answer = await office.call(`${method} ${url}`, '{}');
  office.reset();
  expect(await office.call(`${method} ${url}`, '[]')).toEqual(answer);
  expect(JSON.stringify(answer)).not.toContain('json message');
});

test('PUT with [] confirms an order that awaits it', async () => {
  office.reset();
  const { status, body } = await put(office.call, at.payment, '[]');
  expect({ status, step: body.checkout_state }).toEqual({ status: 200, step: 'finalize' });
});

test.each(['/api/users/1', '/api/products/1', '/api/channels/1', '/api/stock-locations/1'])(
  'PATCH %s with [] changes nothing',
  async (url) => {
    office.reset();
    const before = await fieldsOf(url);
    expect((await office.call(`PATCH ${url}`, '[]')).status).toBe(204);
    expect(await fieldsOf(url)).toBe(before);
  },
);

test('a block sent as [] is asked for each of its required parameters', async () => {
  office.reset();
  const { status, body } = await put(office.call, at.cart, {
    shippingAddress: [],
    billingAddress: [],
  });
  expect(status).toBe(400);
  const blank = {
    firstName: { errors: ['Please enter first name.'] },
    lastName: { errors: ['Please enter last name.'] },
    city: { errors: ['Please enter city.'] },
    postcode: { errors: ['Please enter postcode.'] },
    street: { errors: ['Please enter street.'] },
    country: { errors: ['Please select country.'] },
    province: [],
  };
  expect(body.errors.children).toEqual({
    shippingAddress: { children: blank },
    billingAddress: { children: blank },
  });
});

test.each([[[]], [[[]]], [{ 0: [] }]])('shipments sent as %j miss a method', async (shipments) => {
  office.reset();
  const before = contents(office);
  const { status, body } = await put(office.call, at.addressing, { shipments });
  expect(status).toBe(400);
  expect(JSON.stringify(body.errors)).toContain('Please select shipping method.');
  expect(contents(office)).toBe(before);
});

test.each(['null', '"[]"', '0', 'true', '[1]', '[[]]', '[{}]', '[', '[],'])(
  'the JSON body %s is rejected',
  async (sent) => {
    for (const line of [checkoutOf(at.payment), 'PATCH /api/users/1']) {
      expect(await office.call(line, sent)).toMatchObject({
        status: 400,
        body: { code: 400, message: 'Invalid json message received' },
      });
    }
  },
);

test.each([[1], 'text', 5, true])('an address sent as %j is not valid', async (shippingAddress) => {
  const { status, body } = await put(office.call, at.cart, { shippingAddress });
  expect(status).toBe(400);
  expect(body.errors.children.shippingAddress.errors).toEqual(['This value is not valid.']);
});

/** Returns a record as text, without the stamps of its last change. */
async function fieldsOf(url: string): Promise<string> {
  const { body } = await office.call(`GET ${url}`);
  return JSON.stringify(body).replaceAll(/"updated_at":"[^"]+"/g, '');
}
