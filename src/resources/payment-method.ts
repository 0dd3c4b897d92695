import * as z from 'zod';
import { Timestamp } from '../models/fields.ts';
import type { PaymentMethod } from '../models/payment.ts';
import { Link, Page, pageForm } from '../rest/page.ts';
import { endpoint, findOrThrow, pageOf } from './endpoint.ts';
import { listing, type ListOrder } from './listing.ts';
import { linkTo, views } from './view.ts';

export const PaymentMethodView = z
  .strictObject({
    id: z.int(),
    name: z.string(),
    created_at: Timestamp,
    updated_at: Timestamp,
    _links: z.strictObject({ self: Link }),
  })
  .register(views, { id: 'PaymentMethod' });
export type PaymentMethodView = z.output<typeof PaymentMethodView>;

const order: ListOrder<PaymentMethod, never> = { fields: [['id', 'asc']] };

export const paymentMethodEndpoints = [
  endpoint({
    method: 'GET',
    path: '/api/payment-methods/',
    summary: 'List payment methods',
    isExtra: true,
    query: pageForm({ sorting: ['id', 'name', 'created_at', 'updated_at'] }),
    status: 200,
    answer: Page(PaymentMethodView),
    errors: ['invalid'],
    example: { url: '/api/payment-methods/' },
    handle(call) {
      const methods = listing(call.shop.db.paymentMethods, order, { sorting: call.query.sorting });
      return pageOf(methods, paymentMethodView, call);
    },
  }),
  endpoint({
    method: 'GET',
    path: '/api/payment-methods/:id',
    summary: 'Read a payment method',
    isExtra: true,
    status: 200,
    answer: PaymentMethodView,
    errors: ['missing'],
    example: { url: '/api/payment-methods/1' },
    handle: ({ shop, params }) => paymentMethodView(findOrThrow(shop.db.paymentMethods, params.id)),
  }),
];

export function paymentMethodView(method: PaymentMethod): PaymentMethodView {
  return {
    id: method.id,
    name: method.name,
    created_at: method.created_at,
    updated_at: method.updated_at,
    _links: { self: linkTo('payment-methods', method.id) },
  };
}
