import { expect, expectTypeOf, test } from 'vitest';
import {
  contract,
  pathOf,
  type AnswerOf,
  type BodyOf,
  type EndpointName,
  type ErrorBody,
  type PathOf,
  type QueryOf,
  type PageView,
  type UserView,
  type OrderView,
} from '../../src/contract.ts';

test('every endpoint has a name, and no other text is one', () => {
  expectTypeOf<'GET /api/users/:user_id'>().toExtend<EndpointName>();
  expectTypeOf<'PUT /api/checkouts/:order_id'>().toExtend<EndpointName>();
  expectTypeOf<'GET /api/visitors/'>().not.toExtend<EndpointName>();
  expectTypeOf<'POST /api/users/:user_id'>().not.toExtend<EndpointName>();
});

test('answers, bodies and queries have the types that are sent', () => {
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
  expectTypeOf<PathOf<'DELETE /api/orders/:order_id/items/:item_id'>>().toEqualTypeOf<
    Readonly<Record<'order_id' | 'item_id', string | number>>
  >();
  expectTypeOf<ErrorBody['code']>().toBeNumber();
  expectTypeOf<PageView<UserView>>().toExtend<AnswerOf<'GET /api/users/'>>();
});

test('a path is filled with its parameters', () => {
  expect(
    pathOf('DELETE /api/orders/:order_id/items/:item_id', { order_id: 3, item_id: '4/5' }),
  ).toBe('/api/orders/3/items/4%2F5');
  expect(contract.length).toBeGreaterThan(45);
});
