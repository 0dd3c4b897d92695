import { expect, test } from 'vitest';
import { address, checkoutOf, put } from '../support/checkout-steps.ts';
import { at, openSmallShop } from '../support/small-shop.ts';

const { call } = openSmallShop();
const addressing = checkoutOf(at.cart);
const forms: Readonly<Record<string, object>> = {
  'POST /api/users/': {
    firstName: 'Ada',
    lastName: 'Nova',
    email: 'x@example.com',
    plainPassword: 'horse',
  },
  'POST /api/promotions/1/coupons/': { code: 'SPRING', usageLimit: 1 },
  'POST /api/products/': { name: 'Mug', description: 'A mug.', price: 990 },
};

test.each([
  [addressing, 'shippingAddress.firstName', 'First name'],
  [addressing, 'shippingAddress.lastName', 'Last name'],
  [addressing, 'shippingAddress.city', 'City'],
  [addressing, 'shippingAddress.postcode', 'Postcode'],
  [addressing, 'shippingAddress.street', 'Street'],
  ['POST /api/users/', 'firstName', 'First name'],
  ['POST /api/users/', 'lastName', 'Last name'],
  ['POST /api/promotions/1/coupons/', 'code', 'Coupon code'],
  ['POST /api/products/', 'name', 'Product name'],
])(
  '%s: the errors for a %s of 1 and of 256 characters begin with "%s must"',
  async (line, name, label) => {
    expect(await errors(line, name, 'x')).toEqual([`${label} must be at least 2 characters long.`]);
    expect(await errors(line, name, 'x'.repeat(256))).toEqual([
      `${label} must not be longer than 255 characters.`,
    ]);
  },
);

test('a product description of 2 characters is too short', async () => {
  expect(await errors('POST /api/products/', 'description', 'Mu')).toEqual([
    'Product description must be at least 3 characters long.',
  ]);
});

test('a field for which the original has no text of its own has the general text', async () => {
  const { body } = await put(call, at.confirmed, { cardholderName: 'Ada' });
  expect(body.errors.children.cardholderName.errors).toEqual([
    'This value is too short. It should have 4 characters or more.',
  ]);
});

/** Sends a valid form in which one text differs. Returns the errors of that text. */
async function errors(line: string, name: string, text: string): Promise<unknown> {
  const [block = '', field] = name.split('.');
  const sent =
    field === undefined
      ? { ...forms[line], [block]: text }
      : { [block]: { ...address, [field]: text } };
  const { status, body } = await call(line, sent);
  expect(status).toBe(400);
  const { children } = body.errors;
  return (field === undefined ? children[block] : children[block].children[field]).errors;
}
