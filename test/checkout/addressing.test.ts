import { expect, test } from 'vitest';
import {
  address,
  canada,
  germany,
  ontario,
  openCart,
  openShop,
  problemOf,
  quebec,
  shopWithCart,
  takeStep,
} from '../support/checkout.ts';

test('an empty order cannot be addressed', () => {
  const shop = openShop();
  expect(problemOf(() => takeStep(shop, openCart(shop), 'addressing'))).toMatchObject({
    kind: 'refused',
    message: 'Order cannot be empty!',
  });
});

test('the billing address defaults to a copy of the shipping address', () => {
  const { shop, order } = shopWithCart();
  const { shipping_address_id, billing_address_id } = takeStep(shop, order, 'addressing');
  expect([shipping_address_id, billing_address_id]).toEqual([1, 2]);
  expect(shop.db.addresses.get(2)).toEqual({ ...shop.db.addresses.get(1), id: 2 });
});

test('a billing address in the input is stored as a second address', () => {
  const { shop, order } = shopWithCart();
  const billing = { ...address, city: 'Ottawa', country_id: canada, province_id: ontario };
  const { billing_address_id } = shop.checkout.addressing(order.id, { shipping: address, billing });
  expect(shop.db.addresses.get(billing_address_id!)).toMatchObject(billing);
});

test.each([
  [{ country_id: 99 }, ['shippingAddress', 'country'], 'This value is not valid.'],
  [{ country_id: canada }, ['shippingAddress', 'province'], 'Please select proper province.'],
  [
    { country_id: canada, province_id: 99 },
    ['shippingAddress', 'province'],
    'Please select proper province.',
  ],
  [
    { country_id: germany, province_id: quebec },
    ['shippingAddress', 'province'],
    'Please select proper province.',
  ],
])('an address with %j is invalid at %j', (wrong, path, message) => {
  const { shop, order } = shopWithCart();
  const take = () => shop.checkout.addressing(order.id, { shipping: { ...address, ...wrong } });
  expect(problemOf(take)?.fields).toEqual([{ path, message }]);
});

test('the shipping and the billing address are both validated', () => {
  const { shop, order } = shopWithCart();
  const wrong = { ...address, country_id: canada };
  const take = () => shop.checkout.addressing(order.id, { shipping: wrong, billing: wrong });
  expect(problemOf(take)?.fields.map(({ path }) => path)).toEqual([
    ['shippingAddress', 'province'],
    ['billingAddress', 'province'],
  ]);
});
