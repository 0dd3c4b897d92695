import { expect, expectTypeOf, test } from 'vitest';
import {
  contract,
  pathOf,
  type AddressView,
  type AnswerOf,
  type BodyOf,
  type CountryView,
  type EndpointName,
  type ErrorBody,
  type PathOf,
  type ProvinceView,
  type QueryOf,
  type PageView,
  type UserView,
  type OrderView,
  type ZoneView,
} from '../../src/contract.ts';

test('`EndpointName` accepts exactly the names of the endpoints, with and without a last slash', () => {
  expectTypeOf<'GET /api/users/:user_id'>().toExtend<EndpointName>();
  expectTypeOf<'PUT /api/checkouts/:order_id'>().toExtend<EndpointName>();
  expectTypeOf<'GET /api/users/:user_id/'>().toExtend<EndpointName>();
  expectTypeOf<'GET /api/users'>().toExtend<EndpointName>();
  expectTypeOf<AnswerOf<'GET /api/users'>>().toEqualTypeOf<AnswerOf<'GET /api/users/'>>();
  expectTypeOf<'GET /api/visitors/'>().not.toExtend<EndpointName>();
  expectTypeOf<'POST /api/users/:user_id'>().not.toExtend<EndpointName>();
});

test('the types of responses, bodies and queries match the endpoints', () => {
  expectTypeOf<AnswerOf<'GET /api/users/:user_id'>>().toEqualTypeOf<UserView>();
  expectTypeOf<AnswerOf<'DELETE /api/users/:user_id'>>().toEqualTypeOf<undefined>();
  expectTypeOf<AnswerOf<'POST /api/orders/'>>().toEqualTypeOf<OrderView>();
  expectTypeOf<AnswerOf<'GET /api/users/'>['_embedded']['items']>().toEqualTypeOf<UserView[]>();
  expectTypeOf<BodyOf<'POST /api/orders/'>>().toEqualTypeOf<{
    channel: number;
    user: number;
    currency: string;
  }>();
  expectTypeOf<QueryOf<'GET /api/users/:user_id'>>().toEqualTypeOf<undefined>();
  expectTypeOf<NonNullable<QueryOf<'GET /api/users/'>>['page']>().toEqualTypeOf<
    number | undefined
  >();
  expectTypeOf<{ paymentMethod: number }>().toExtend<BodyOf<'PUT /api/checkouts/:order_id'>>();
  expectTypeOf<Record<string, never>>().toExtend<BodyOf<'PUT /api/checkouts/:order_id'>>();
  // @ts-expect-error -- the endpoint has no such parameter
  expectTypeOf<{ paymentmethod: 1 }>().toExtend<BodyOf<'PUT /api/checkouts/:order_id'>>();
  expectTypeOf<PathOf<'DELETE /api/orders/:order_id/items/:item_id'>>().toEqualTypeOf<
    Readonly<Record<'order_id' | 'item_id', string | number>>
  >();
  expectTypeOf<ErrorBody['code']>().toBeNumber();
  expectTypeOf<PageView<UserView>>().toExtend<AnswerOf<'GET /api/users/'>>();
});

test('the responses of read-only extras have types', () => {
  expectTypeOf<AnswerOf<'GET /api/countries/:country_id'>>().toEqualTypeOf<CountryView>();
  expectTypeOf<CountryView['provinces']>().toEqualTypeOf<ProvinceView[]>();
  expectTypeOf<AnswerOf<'GET /api/users/:user_id/orders/'>>().toEqualTypeOf<
    AnswerOf<'GET /api/orders/'>
  >();
  expectTypeOf<AnswerOf<'GET /api/zones/:zone_id'>>().toEqualTypeOf<ZoneView>();
  expectTypeOf<AddressView['_links']['province']>().toEqualTypeOf<{ href: string } | undefined>();
  expectTypeOf<PathOf<'GET /api/products/:product_id/variants/:variant_id'>>().toEqualTypeOf<
    Readonly<Record<'product_id' | 'variant_id', string | number>>
  >();
  expect(contract.filter(({ isExtra = false }) => isExtra)).toHaveLength(13);
});

test('`pathOf` fills in the parameters of a path', () => {
  expect(
    pathOf('DELETE /api/orders/:order_id/items/:item_id', { order_id: 3, item_id: '4/5' }),
  ).toBe('/api/orders/3/items/4%2F5');
  const query = { page: 2, limit: undefined, criteria: { state: 'cart & more' } };
  expect(pathOf('GET /api/orders/', {}, query as QueryOf<'GET /api/orders/'>)).toBe(
    '/api/orders/?page=2&criteria%5Bstate%5D=cart+%26+more',
  );
  expect(contract.length).toBeGreaterThan(45);
});
