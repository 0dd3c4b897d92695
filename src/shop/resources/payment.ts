import * as z from 'zod';
import { Timestamp } from '../../engine/lib/fields.ts';
import { type PaymentMethod, PaymentState, type Payment } from '../models/payment.ts';
import { Link, pageForm } from '../../engine/rest/page.ts';
import { deletableRows, linkTo, listedRows, defineView } from './endpoint.ts';
import { byId, listing } from '../../engine/definition/listing.ts';
import type { Database } from '../models/database.ts';
import { anyText } from '../../engine/rest/field.ts';
import { dateIssues, filterByOrder, orderCriteria } from './order-criteria.ts';

export const PaymentMethodView = defineView('PaymentMethod', () => ({
  id: z.int(),
  name: z.string(),
  created_at: Timestamp,
  updated_at: Timestamp,
  _links: z.strictObject({ self: Link }),
}));
export type PaymentMethodView = z.output<typeof PaymentMethodView>;

export const paymentMethodEndpoints = listedRows({
  path: '/api/payment-methods/',
  recordPath: '/api/payment-methods/:id',
  summary: { one: 'payment method' },
  isExtra: true,
  table: ({ db }) => db.paymentMethods,
  query: pageForm({ sorting: ['id', 'name', 'created_at', 'updated_at'] }),
  list: (call) => listing(call.shop.db.paymentMethods, byId, call),
  view: PaymentMethodView,
  show: paymentMethodView,
});

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

export const paymentEndpoints = deletableRows({
  path: '/api/payments/',
  recordPath: '/api/payments/:payment_id',
  summary: { one: 'payment' },
  example: { list: '?criteria[billingAddress]=an&limit=2', deleted: 2 },
  table: ({ db }) => db.payments,
  query: pageForm({
    criteria: { ...orderCriteria, billingAddress: anyText().optional() },
    sorting: ['id', 'amount', 'currency', 'state', 'created_at', 'updated_at'],
  }),
  checkQuery: ({ criteria }) => dateIssues(criteria),
  list(call) {
    const { db } = call.shop;
    const { criteria } = call.query;
    const name = criteria?.billingAddress;
    const only = filterByOrder(db, db.payments, criteria, 'billing_address_id', name);
    return listing(db.payments, byId, call, only);
  },
  view: PaymentView,
  show: (payment, { db }) => paymentView(db, payment),
  beforeDelete({ id }, { db }) {
    for (const due of db.settlements.by('payment', id)) db.settlements.remove(due.id);
  },
});

export function paymentView(db: Database, payment: Payment): PaymentView {
  const method = db.paymentMethods.getWithDeleted(payment.method_id);
  return {
    id: payment.id,
    amount: payment.amount,
    currency: payment.currency,
    state: payment.state,
    ...(method !== undefined && { method: paymentMethodView(method) }),
    created_at: payment.created_at,
    updated_at: payment.updated_at,
    _links: {
      order: linkTo('orders', payment.order_id),
      ...(method !== undefined && { 'payment-method': linkTo('payment-methods', method.id) }),
      self: linkTo('payments', payment.id),
    },
  };
}
