import { expect, test } from 'vitest';
import { address, put, submitStep } from '../support/checkout-steps.ts';
import { at, openSmallShop } from '../support/small-shop.ts';

test('without a billing address, the shipping address is copied to a second record', async () => {
  const { call } = openSmallShop();
  const { shipping_address, billing_address } = (await submitStep(call, at.cart, 'addressing'))
    .body;
  const { id, ...copy } = billing_address;
  expect({ id: shipping_address.id, ...copy }).toEqual(shipping_address);
  expect(id).not.toBe(shipping_address.id);
  expect(shipping_address).toEqual({
    id: expect.any(Number),
    first_name: 'Ada',
    last_name: 'Novak',
    city: 'Galway',
    postcode: 'H91 AB1',
    street: 'Long Lane 4',
    created_at: '2026-03-02T09:00:00+0000',
    updated_at: '2026-03-02T09:00:00+0000',
    _links: { country: { href: '/api/countries/1' } },
  });
});

test('a billing address is stored separately', async () => {
  const { call } = openSmallShop();
  const billingAddress = { ...address, firstName: 'Bill', country: 2, province: 1 };
  const { body } = await submitStep(call, at.cart, 'addressing', { billingAddress });
  expect(body).toMatchObject({
    shipping_address: { first_name: 'Ada' },
    billing_address: { first_name: 'Bill', _links: { country: { href: '/api/countries/2' } } },
  });
});

const addressErrors = {
  firstName: { errors: ['Please enter first name.'] },
  lastName: { errors: ['Please enter last name.'] },
  city: { errors: ['Please enter city.'] },
  postcode: { errors: ['Please enter postcode.'] },
  street: { errors: ['Please enter street.'] },
  country: { errors: ['Please select country.'] },
  province: [],
};
const addressFine = Object.fromEntries(Object.keys(addressErrors).map((name) => [name, []]));

test.each(['', '{}', '{"firstName":" "}'])(
  'missing parameters of the address %j are reported',
  async (sent) => {
    const { call } = openSmallShop();
    const shippingAddress = sent === '' ? '' : JSON.parse(sent);
    const { status, body } = await put(call, at.cart, { shippingAddress });
    expect(status).toBe(400);
    expect(body).toEqual({
      code: 400,
      message: 'Validation Failed',
      errors: {
        children: {
          shippingAddress: { children: addressErrors },
          billingAddress: { children: addressFine },
        },
      },
    });
  },
);

test('a billing address without a shipping address is rejected', async () => {
  const { call } = openSmallShop();
  const { status, body } = await put(call, at.cart, { billingAddress: { street: '' } });
  expect(status).toBe(400);
  expect(body.errors.children).toEqual({
    shippingAddress: { children: addressErrors },
    billingAddress: { children: addressErrors },
  });
});

test.each([
  ['country', { country: 99 }, 'This value is not valid.'],
  ['country', { country: 'Ireland' }, 'This value is not valid.'],
  ['province', { country: 2 }, 'Please select proper province.'],
  ['province', { country: 2, province: 99 }, 'Please select proper province.'],
  ['province', { country: 1, province: 1 }, 'Please select proper province.'],
  ['province', { province: 'x' }, 'This value is not valid.'],
  ['firstName', { firstName: 'A' }, expect.any(String)],
  ['firstName', { firstName: 'a'.repeat(256) }, expect.any(String)],
  ['lastName', { lastName: 'N' }, expect.any(String)],
  ['street', { street: 'L' }, expect.any(String)],
  ['city', { city: 'G' }, expect.any(String)],
  ['postcode', { postcode: 'H' }, expect.any(String)],
  ['postcode', { postcode: {} }, 'This value is not valid.'],
])('%s is reported in both addresses if they contain %j', async (name, part, message) => {
  const { call } = openSmallShop();
  const wrong = { ...address, ...part };
  const errors = { children: { ...addressFine, [name]: { errors: [message] } } };
  const fine = { children: addressFine };
  const asShipping = await put(call, at.cart, { shippingAddress: wrong });
  expect(asShipping).toMatchObject({ status: 400, body: { message: 'Validation Failed' } });
  expect(asShipping.body.errors.children).toEqual({
    shippingAddress: errors,
    billingAddress: fine,
  });
  const asBilling = await submitStep(call, at.cart, 'addressing', { billingAddress: wrong });
  expect(asBilling.status).toBe(400);
  expect(asBilling.body.errors.children).toEqual({ shippingAddress: fine, billingAddress: errors });
});

test('the texts of an address can have 2 to 255 characters', async () => {
  const { call } = openSmallShop();
  const names = ['firstName', 'lastName', 'city', 'postcode', 'street'];
  const all = (text: string) => Object.fromEntries(names.map((name) => [name, text]));
  const answer = await put(call, at.cart, {
    shippingAddress: { ...all('ab'), country: 1 },
    billingAddress: { ...all('b'.repeat(255)), country: 1 },
  });
  expect(answer.status).toBe(200);
});

test('addressing of an empty order is rejected', async () => {
  const { call } = openSmallShop();
  expect(await submitStep(call, at.empty, 'addressing')).toMatchObject({
    status: 400,
    body: { code: 400, message: 'Order cannot be empty!' },
  });
});

test('an unknown country and a missing province are reported together with all other issues', async () => {
  const { call } = openSmallShop();
  const shippingAddress = { ...address, country: 99, street: '' };
  const billingAddress = { ...address, country: 2, city: 'X' };
  const { status, body } = await put(call, at.cart, { shippingAddress, billingAddress });
  expect(status).toBe(400);
  expect(body.errors.children.shippingAddress.children).toMatchObject({
    street: { errors: ['Please enter street.'] },
    country: { errors: ['This value is not valid.'] },
    province: [],
  });
  expect(body.errors.children.billingAddress.children).toMatchObject({
    city: { errors: ['City must be at least 2 characters long.'] },
    country: [],
    province: { errors: ['Please select proper province.'] },
  });
});

test('a province that is not a number has one issue', async () => {
  const { call } = openSmallShop();
  const shippingAddress = { ...address, country: 2, province: 'x' };
  const { body } = await put(call, at.cart, { shippingAddress });
  expect(body.errors.children.shippingAddress.children.province).toEqual({
    errors: ['This value is not valid.'],
  });
});
