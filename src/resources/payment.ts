import * as z from 'zod';
import type { Database } from '../models/database.ts';
import { Timestamp } from '../models/fields.ts';
import { PaymentState, type Payment } from '../models/payment.ts';
import { anyText } from '../rest/field.ts';
import { Link, Page, pageForm } from '../rest/page.ts';
import { endpoint, findOrThrow, pageOf } from './endpoint.ts';
import { listing, type ListOrder } from './listing.ts';
import { dateIssues, filterByOrder, orderCriteria } from './order-criteria.ts';
import { PaymentMethodView, paymentMethodView } from './payment-method.ts';
import { shareView } from '../rest/json-text.ts';
import { linkTo, views } from './view.ts';

export const PaymentView = z
  .strictObject({
    id: z.int(),
    amount: z.int(),
    currency: z.string(),
    state: PaymentState,
    method: PaymentMethodView.optional(),
    created_at: Timestamp,
    updated_at: Timestamp,
    _links: z.strictObject({ order: Link, 'payment-method': Link.optional(), self: Link }),
  })
  .register(views, { id: 'Payment' });
export type PaymentView = z.output<typeof PaymentView>;

const order: ListOrder<Payment, never> = { fields: [['id', 'asc']] };

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
      const { criteria, sorting } = call.query;
      const only = filterByOrder(
        db,
        db.payments,
        criteria,
        'billing_address_id',
        criteria?.billingAddress,
      );
      return pageOf(
        listing(db.payments, order, { ...only, sorting }),
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
