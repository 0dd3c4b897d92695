import { expect, expectTypeOf, test } from 'vitest';
import {
  contract,
  pathOf,
  type AddressView,
  type AnswerOf,
  type BodyOf,
  type Call,
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

type Checkout = BodyOf<'PUT /api/checkouts/:order_id'>;

test('the compiler names what is wrong in a body of one of several steps', () => {
  const bodies: Checkout[] = [
    {},
    { paymentMethod: 1 },
    { shipments: { 0: { method: 1 } } },
    // @ts-expect-error -- Type 'string' is not assignable to type 'number'.
    { paymentMethod: 'one' },
    // @ts-expect-error -- 'paymentmethod' does not exist.
    { paymentmethod: 1 },
    {
      // @ts-expect-error -- 'firstNam' does not exist. Did you mean to write 'firstName'?
      shippingAddress: { firstNam: 'Ada' },
    },
  ];
  expect(bodies).toHaveLength(6);
  expectTypeOf<BodyOf<'DELETE /api/orders/:order_id'>>().toEqualTypeOf<undefined>();
});

test('the queries of lists have filters only if the list has some', () => {
  expectTypeOf<QueryOf<'GET /api/products/'>>().toHaveProperty('criteria');
  expectTypeOf<QueryOf<'GET /api/orders/'>>().not.toHaveProperty('criteria');
  expectTypeOf<QueryOf<'GET /api/countries/'>>().not.toHaveProperty('criteria');
  expectTypeOf<QueryOf<'GET /api/orders/'>>().toHaveProperty('sorting');
});

test('the issues of a parameter are read without a test of its type', () => {
  const body: ErrorBody = {
    code: 400,
    message: 'Validation Failed',
    errors: { children: { email: { errors: ['Please enter your email.'] }, name: {} } },
  };
  expect(body.errors?.children?.['email']?.errors).toEqual(['Please enter your email.']);
  expectTypeOf(body.errors?.children?.['name']?.children).not.toBeAny();
});

const call: Call = async (name, { path, query }) => pathOf(name, path, query) as never;

test('a request to an endpoint without parameters in its path needs no `path`', () => {
  const sent = [
    call('GET /api/orders/', { query: { page: 2 } }),
    call('GET /api/orders/:order_id', { path: { order_id: 3 } }),
    // @ts-expect-error -- 'path' is missing
    call('GET /api/orders/:order_id', {}).catch((error: unknown) => (error as Error).message),
  ];
  return expect(Promise.all(sent)).resolves.toEqual([
    '/api/orders/?page=2',
    '/api/orders/3',
    'GET /api/orders/:order_id requires the parameter order_id',
  ]);
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
  expect(pathOf('GET /api/orders/', undefined, query as QueryOf<'GET /api/orders/'>)).toBe(
    '/api/orders/?page=2&criteria%5Bstate%5D=cart+%26+more',
  );
  expect(() => pathOf('GET /api/orders/:order_id', undefined)).toThrow(
    'GET /api/orders/:order_id requires the parameter order_id',
  );
  expect(contract.length).toBeGreaterThan(45);
});
