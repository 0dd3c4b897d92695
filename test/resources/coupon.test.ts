import { expect, test } from 'vitest';
import { outline } from '../support/outline.ts';
import { openSmallShop } from '../support/small-shop.ts';
import { collection, coupon } from '../support/specification.ts';

const good = { code: 'NEW', usageLimit: 5 };
/** A branch of the error tree. */
function errors(list: string[]) {
  return list.length === 0 ? [] : { errors: list };
}

const paths = ['/api/promotion/1/coupons/', '/api/promotions/1/coupons/'];

test('coupons are listed by promotion, and every link has `page` and `limit`', async () => {
  const { call } = openSmallShop();
  const { status, body } = await call('GET /api/promotions/1/coupons?limit=1');
  expect(status).toBe(200);
  expect(outline(body)).toBe(collection(coupon, { next: true }));
  expect(body).toMatchObject({ page: 1, limit: 1, pages: 2, total: 2 });
  expect(body._links).toEqual({
    self: { href: '/api/promotions/1/coupons/?page=1&limit=1' },
    first: { href: '/api/promotions/1/coupons/?page=1&limit=1' },
    last: { href: '/api/promotions/1/coupons/?page=2&limit=1' },
    next: { href: '/api/promotions/1/coupons/?page=2&limit=1' },
  });
  expect(body._embedded.items).toEqual([
    {
      id: 1,
      code: 'SAVE5',
      usage_limit: 10,
      used: 2,
      _links: {
        promotion: { href: '/api/promotions/1' },
        self: { href: '/api/promotions/1/coupons/1' },
      },
    },
  ]);
});

test('a coupon without a usage limit has no `usage_limit`', async () => {
  const { call } = openSmallShop();
  const { body } = await call('GET /api/promotions/1/coupons?page=2&limit=1');
  expect(Object.keys(body._embedded.items[0])).toEqual(['id', 'code', 'used', '_links']);
});

test.each(paths)('POST %s adds a coupon whose links use the plural', async (path) => {
  const { call } = openSmallShop();
  const { status, body } = await call(`POST ${path}`, good);
  expect(status).toBe(201);
  expect(body).toEqual({
    id: 4,
    code: 'NEW',
    usage_limit: 5,
    used: 0,
    _links: {
      promotion: { href: '/api/promotions/1' },
      self: { href: '/api/promotions/1/coupons/4' },
    },
  });
  expect(outline(body)).toBe(coupon);
  expect((await call('GET /api/promotions/1/coupons')).body.total).toBe(3);
});

test.each([
  [{}, ['Please enter coupon code.'], ['This value should not be blank.']],
  [
    { code: ' ', usageLimit: ' ' },
    ['Please enter coupon code.'],
    ['This value should not be blank.'],
  ],
  [{ ...good, usageLimit: 0 }, [], ['Coupon usage limit must be at least 1.']],
  [{ ...good, usageLimit: -3 }, [], ['Coupon usage limit must be at least 1.']],
  [{ ...good, usageLimit: 'many' }, [], ['This value is not valid.']],
  [{ ...good, usageLimit: 1.5 }, [], ['This value is not valid.']],
  [{ ...good, code: 'SAVE5' }, ['This coupon already exists.'], []],
  [{ ...good, code: 'LOUD' }, ['This coupon already exists.'], []],
  [{ ...good, code: ['a'] }, ['This value is not valid.'], []],
])('a coupon with %j is rejected', async (sent, code, usageLimit) => {
  const { call } = openSmallShop();
  for (const path of paths) {
    expect(await call(`POST ${path}`, sent)).toMatchObject({
      status: 400,
      body: {
        code: 400,
        message: 'Validation Failed',
        errors: { children: { code: errors(code), usageLimit: errors(usageLimit) } },
      },
    });
  }
});

test.each([
  [1, 400],
  [2, 201],
  [255, 201],
  [256, 400],
])('a coupon code of %i characters responds with %i', async (length, status) => {
  const { call } = openSmallShop();
  const code = 'c'.repeat(length);
  expect(await call('POST /api/promotions/1/coupons/', { ...good, code })).toMatchObject({
    status,
  });
});

test.each(['GET', 'POST'])(
  '%s of the coupons of a missing promotion responds with 404',
  async (method) => {
    const { call } = openSmallShop();
    const body = method === 'POST' ? { code: '' } : undefined;
    expect(await call(`${method} /api/promotions/99/coupons/`, body)).toMatchObject({
      status: 404,
      body: { message: 'Requested promotion does not exist with these criteria: {"id":"99"}.' },
    });
  },
);
