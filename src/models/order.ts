import * as z from 'zod';
import { CurrencyCode, Id, Money, stamps, Timestamp } from './fields.ts';
import type { RowOf } from '../store/row.ts';
import { defineTable } from '../store/table-definition.ts';

export const OrderState = z.enum([
  'cart',
  'pending',
  'released',
  'confirmed',
  'shipped',
  'abandoned',
  'cancelled',
  'returned',
]);
export type OrderState = z.output<typeof OrderState>;

/**
 * The steps of the checkout, in order: the `checkout_state` that a step starts from, and the one that it leads to.
 * `checkout/steps.ts` says what each step does.
 */
export const checkoutSteps = [
  { name: 'addressing', from: 'cart', to: 'addressing' },
  { name: 'shipping', from: 'addressing', to: 'shipping' },
  { name: 'payment', from: 'shipping', to: 'payment' },
  { name: 'confirm', from: 'payment', to: 'finalize' },
  { name: 'purchase', from: 'finalize', to: 'completed' },
] as const;
export type StepName = (typeof checkoutSteps)[number]['name'];

/** The names of the steps, in order. */
export const stepNames: readonly StepName[] = checkoutSteps.map(({ name }) => name);

export const CheckoutState = z.enum(['cart', ...checkoutSteps.map(({ to }) => to)]);
export type CheckoutState = z.output<typeof CheckoutState>;

export const Order = z.object({
  id: Id,
  number: z.string().optional().describe('Nine digits, given at confirm'),
  channel_id: Id,
  user_id: Id,
  currency: CurrencyCode,
  email: z.string(),
  state: OrderState,
  checkout_state: CheckoutState,
  confirmed: z.boolean(),
  items_total: Money,
  adjustments_total: Money,
  total: Money.min(0),
  coupon_ids: z.array(Id),
  promotion_ids: z.array(Id).describe('The promotions applied to it now'),
  shipping_address_id: Id.optional(),
  billing_address_id: Id.optional(),
  expires_at: Timestamp,
  completed_at: Timestamp.optional().describe('When it was confirmed'),
  ...stamps,
});
export type Order = RowOf<typeof Order>;

export const orders = defineTable({
  name: 'orders',
  singular: 'order',
  schema: Order,
  references: {
    channel_id: 'channels',
    user_id: 'users',
    shipping_address_id: 'addresses',
    billing_address_id: 'addresses',
    coupon_ids: 'coupons',
  },
  unique: { number: (row) => row.number },
  indexes: {
    recent: (row) => [row.updated_at, row.created_at],
    placed: (row) =>
      row.completed_at === undefined ? undefined : [row.updated_at, row.created_at],
    // Of each channel those beyond the cart: only they can have payments and shipments.
    begun: (row) => (row.checkout_state === 'cart' ? undefined : [row.channel_id]),
    paid: (row) => (row.checkout_state === 'completed' ? [row.user_id] : undefined),
    expiring: (row) => (row.state === 'cart' ? [row.expires_at] : undefined),
    pending: (row) => (row.state === 'pending' ? [row.completed_at ?? row.created_at] : undefined),
  },
  softDelete: true,
});
