import { expect, test } from 'vitest';
import { outline } from '../support/outline.ts';
import { openOffice } from '../support/office.ts';
import { openServer } from '../support/server.ts';
import { openSmallShop } from '../support/small-shop.ts';
import {
  collection,
  country,
  countryWithProvinces,
  coupon,
  flatRate,
  flexibleRate,
  paymentMethod,
  province,
  variant,
  zone,
} from '../support/specification.ts';

const { call } = openSmallShop();

test('a country contains its provinces, each with links to itself and to its country', async () => {
  const { status, body } = await call('GET /api/countries/2');
  expect(status).toBe(200);
  expect(outline(body)).toBe(countryWithProvinces);
  const self = { href: '/api/countries/2' };
  expect(body).toEqual({
    id: 2,
    name: 'Canada',
    iso_name: 'CA',
    provinces: [
      {
        id: 1,
        name: 'Ontario',
        _links: { self: { href: '/api/countries/2/provinces/1' }, country: self },
      },
    ],
    _links: { self },
  });
  expect(outline((await call('GET /api/countries/1')).body)).toBe(country);
});

test('GET of a province returns the same as its country', async () => {
  const { body } = await call('GET /api/countries/2');
  expect((await call('GET /api/countries/2/provinces/1')).body).toEqual(body.provinces[0]);
});

test('a zone has its type and the ids of its members', async () => {
  const { body } = await call('GET /api/zones/2');
  expect(body).toEqual({
    id: 2,
    name: 'Canada',
    type: 'country',
    members: [2],
    _links: { self: { href: '/api/zones/2' } },
  });
});

test('GET of a payment or shipping method returns the same as its channel', async () => {
  const { body } = await call('GET /api/channels/1');
  for (const method of [...body.payment_methods, ...body.shipping_methods]) {
    expect((await call(`GET ${method._links.self.href}`)).body).toEqual(method);
  }
  expect(body.payment_methods.length + body.shipping_methods.length).toBe(4);
});

test('disabled methods can be read and are listed', async () => {
  expect((await call('GET /api/payment-methods/3')).body).toMatchObject({ name: 'Cheque' });
  expect((await call('GET /api/shipping-methods/3')).body).toMatchObject({ enabled: false });
  expect((await call('GET /api/payment-methods/')).body.total).toBe(3);
  expect((await call('GET /api/shipping-methods/')).body.total).toBe(4);
});

test('GET of a variant returns the same as an order item', async () => {
  const { body } = await call('GET /api/orders/1/items/');
  const read = await call(`GET ${body[0]._links.variant.href}`);
  expect(JSON.stringify(read.body)).toBe(JSON.stringify(body[0].variant));
  expect(outline(read.body)).toBe(variant);
});

test('GET of a coupon returns the same as the list of its promotion', async () => {
  const { body } = await call('GET /api/promotions/1/coupons');
  const read = await call('GET /api/promotions/1/coupons/1');
  expect(read.body).toEqual(body._embedded.items[0]);
  expect(outline(read.body)).toBe(coupon);
});

test.each([
  ['/api/countries/', `${countryWithProvinces} | ${country}`],
  ['/api/countries/16/provinces/', province],
  ['/api/zones/', zone],
  ['/api/payment-methods/', paymentMethod],
])('GET %s lists pages of records by id', async (path, item) => {
  const office = openOffice();
  const first = (await office.call(`GET ${path}?limit=1`)).body;
  expect(first).toMatchObject({ page: 1, limit: 1, _embedded: { items: [{ id: 1 }] } });
  const all = (await office.call(`GET ${path}?limit=1000`)).body;
  const ids = all._embedded.items.map(({ id }: { id: number }) => id);
  expect(ids).toEqual(ids.toSorted((a: number, b: number) => a - b));
  expect(ids.length).toBe(all.total);
  const outlines = new Set<string>(all._embedded.items.map(outline));
  expect([...outlines].toSorted()).toEqual(item.split(' | ').toSorted());
});

test('shipping methods are listed in the format of channels', async () => {
  const { body } = await call('GET /api/shipping-methods/');
  expect(outline(body)).toBe(collection(`${flexibleRate} | ${flatRate}`));
});

test('the provinces of a country can be sorted by name', async () => {
  const office = openOffice();
  const path = '/api/countries/16/provinces/?limit=100&sorting[name]=desc';
  const { body } = await office.call(`GET ${path}`);
  const names = body._embedded.items.map(({ name }: { name: string }) => name);
  expect(names.length).toBeGreaterThan(5);
  expect(names).toEqual(names.toSorted().toReversed());
});

test.each([
  ['/api/countries/99', 'country', '99'],
  ['/api/countries/99/provinces/', 'country', '99'],
  ['/api/countries/99/provinces/1', 'country', '99'],
  ['/api/countries/2/provinces/7', 'province', '7'],
  ['/api/countries/1/provinces/1', 'province', '1'],
  ['/api/zones/x', 'zone', 'x'],
  ['/api/shipping-methods/99', 'shipping method', '99'],
  ['/api/payment-methods/0', 'payment method', '0'],
  ['/api/users/99/orders/', 'user', '99'],
  ['/api/users/x/orders/', 'user', 'x'],
  ['/api/products/99/variants/1', 'product', '99'],
  ['/api/products/1/variants/99', 'variant', '99'],
  ['/api/products/2/variants/1', 'variant', '1'],
  ['/api/promotions/99/coupons/1', 'promotion', '99'],
  ['/api/promotions/1/coupons/99', 'coupon', '99'],
  ['/api/promotions/1/coupons/3', 'coupon', '3'],
])('GET %s is 404, since that %s does not exist there', async (path, singular, id) => {
  expect(await call(`GET ${path}`)).toMatchObject({
    status: 404,
    body: {
      code: 404,
      message: `Requested ${singular} does not exist with these criteria: {"id":"${id}"}.`,
    },
  });
});

test.each(['/api/countries/1', '/api/zones/', '/api/products/1/variants/1'])(
  '%s is read-only and responds with 405 to other methods',
  async (path) => {
    const { status, headers } = await call(`PUT ${path}`, {});
    expect({ status, allow: headers['allow'] }).toEqual({
      status: 405,
      allow: 'GET, HEAD, OPTIONS',
    });
    const head = openServer().call(`HEAD ${path}`);
    expect(head).toMatchObject({ status: 200, body: undefined });
  },
);

test('the OpenAPI document marks only the read-only extras as such', () => {
  const { paths } = openServer().call('GET /_backlot/openapi.json').body;
  const extras = Object.entries<Record<string, { description?: string }>>(paths).flatMap(
    ([path, methods]) =>
      Object.entries(methods)
        .filter(([, { description = '' }]) => description.includes('A read-only extra'))
        .map(([method]) => `${method} ${path}`),
  );
  expect(extras.toSorted()).toEqual([
    'get /api/countries/',
    'get /api/countries/{country_id}',
    'get /api/countries/{country_id}/provinces/',
    'get /api/countries/{country_id}/provinces/{province_id}',
    'get /api/payment-methods/',
    'get /api/payment-methods/{id}',
    'get /api/products/{product_id}/variants/{variant_id}',
    'get /api/promotions/{promotion_id}/coupons/{coupon_id}',
    'get /api/shipping-methods/',
    'get /api/shipping-methods/{id}',
    'get /api/users/{user_id}/orders/',
    'get /api/zones/',
    'get /api/zones/{zone_id}',
  ]);
});
