import * as z from 'zod';
import { lazyObject } from '../../engine/lib/lazy-object.ts';
import { Id, stamps, Money, Timestamp } from '../../engine/lib/fields.ts';
import { CurrencyCode } from './currency-code.ts';
import type { RowOf } from '../../engine/store/row.ts';
import { defineTable } from '../../engine/store/table-definition.ts';
import { PaymentOutcome } from './script-rule.ts';

export const PaymentMethod = lazyObject(() => ({
  id: Id,
  name: z.string(),
  enabled: z.boolean(),
  ...stamps,
}));
export type PaymentMethod = RowOf<typeof PaymentMethod>;

export const paymentMethods = defineTable({
  name: 'payment_methods',
  singular: 'payment method',
  schema: PaymentMethod,
  texts: { name: 'public' },
});

export const PaymentState = z.enum([
  'new',
  'pending',
  'processing',
  'completed',
  'authorized',
  'failed',
  'cancelled',
  'void',
  'refunded',
  'unknown',
]);
export type PaymentState = z.output<typeof PaymentState>;

export const Payment = lazyObject(() => ({
  id: Id,
  order_id: Id,
  method_id: Id,
  amount: Money.min(0),
  currency: CurrencyCode,
  state: PaymentState,
  card: z.string().optional().describe('Last four digits of the card number'),
  reason: z.string().optional().describe('Why it was declined'),
  ...stamps,
}));
export type Payment = RowOf<typeof Payment>;

export const payments = defineTable({
  name: 'payments',
  singular: 'payment',
  schema: Payment,
  texts: { currency: 'code', card: 'card digits', reason: 'notes' },
  references: { order_id: 'orders', method_id: 'paymentMethods' },
  indexes: {
    order: (row) => [row.order_id],
    created: (row) => [row.created_at],
  },
});

/** A pending payment that the clock will settle. */
export const Settlement = lazyObject(() => ({
  id: Id,
  payment_id: Id,
  at: Timestamp,
  outcome: PaymentOutcome,
  reason: z.string().optional(),
}));
export type Settlement = RowOf<typeof Settlement>;

export const settlements = defineTable({
  name: 'settlements',
  singular: 'settlement',
  schema: Settlement,
  texts: { reason: 'notes' },
  references: { payment_id: 'payments' },
  indexes: { at: (row) => [row.at], payment: (row) => [row.payment_id] },
});
