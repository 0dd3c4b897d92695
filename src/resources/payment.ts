import * as z from 'zod';
import { Timestamp } from '../lib/fields.ts';
import { type PaymentMethod, PaymentState, type Payment } from '../models/payment.ts';
import { Link, Page, pageForm } from '../rest/page.ts';
import { findOrThrow, pageOf } from '../definition/records.ts';
import { endpoint, linkTo, defineView } from './endpoint.ts';
import { byId, listing } from '../definition/listing.ts';
import type { Database } from '../models/database.ts';
import { anyText } from '../rest/field.ts';
import { dateIssues, filterByOrder, orderCriteria } from './order-criteria.ts';
import { shareView } from '../rest/json.ts';

export const PaymentMethodView = defineView('PaymentMethod', () => ({
  id: z.int(),
  name: z.string(),
  created_at: Timestamp,
  updated_at: Timestamp,
  _links: z.strictObject({ self: Link }),
}));
export type PaymentMethodView = z.output<typeof PaymentMethodView>;

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
      const methods = listing(call.shop.db.paymentMethods, byId, call);
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

export const PaymentView = defineView('Payment', () => ({
  id: z.int(),
  amount: z.int(),
  currency: z.string(),
  state: PaymentState,
  method: PaymentMethodView.optional(),
  created_at: Timestamp,
  updated_at: Timestamp,
  _links: z.strictObject({ order: Link, 'payment-method': Link.optional(), self: Link }),
}));
export type PaymentView = z.output<typeof PaymentView>;

export const paymentEndpoints = [
  endpoint({
    method: 'GET',
    path: '/api/payments/',
    summary: 'List payments',
    query: pageForm({
      criteria: { ...orderCriteria, billingAddress: anyText().optional() },
      sorting: ['id', 'amount', 'currency', 'state', 'created_at', 'updated_at'],
    }),
    status: 200,
    answer: Page(PaymentView),
    errors: ['invalid'],
    example: { url: '/api/payments/?criteria[billingAddress]=an&limit=2' },
    check: ({ query }) => dateIssues(query.criteria),
    handle(call) {
      const { db } = call.shop;
      const { criteria } = call.query;
      const only = filterByOrder(
        db,
        db.payments,
        criteria,
        'billing_address_id',
        criteria?.billingAddress,
      );
      return pageOf(
        listing(db.payments, byId, call, only),
        (payment) => paymentView(db, payment),
        call,
      );
    },
  }),
  endpoint({
    method: 'GET',
    path: '/api/payments/:payment_id',
    summary: 'Read a payment',
    status: 200,
    answer: PaymentView,
    errors: ['missing'],
    example: { url: '/api/payments/1' },
    handle: ({ shop, params }) =>
      paymentView(shop.db, findOrThrow(shop.db.payments, params.payment_id)),
  }),
  endpoint({
    method: 'DELETE',
    path: '/api/payments/:payment_id',
    summary: 'Delete a payment',
    status: 204,
    answer: undefined,
    errors: ['missing'],
    example: { url: '/api/payments/2' },
    handle({ shop: { db }, params }) {
      const { id } = findOrThrow(db.payments, params.payment_id);
      for (const due of db.settlements.by('payment', id)) db.settlements.remove(due.id);
      db.payments.remove(id);
    },
  }),
];

const shareMethod = shareView<PaymentMethodView>();

export function paymentView(db: Database, payment: Payment): PaymentView {
  const method = db.paymentMethods.getWithDeleted(payment.method_id);
  return {
    id: payment.id,
    amount: payment.amount,
    currency: payment.currency,
    state: payment.state,
    ...(method !== undefined && {
      method: shareMethod(method, [], () => paymentMethodView(method)),
    }),
    created_at: payment.created_at,
    updated_at: payment.updated_at,
    _links: {
      order: linkTo('orders', payment.order_id),
      ...(method !== undefined && { 'payment-method': linkTo('payment-methods', method.id) }),
      self: linkTo('payments', payment.id),
    },
  };
}
