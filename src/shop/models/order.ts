import * as z from 'zod';
import { lazyObject } from '../../engine/lib/lazy-object.ts';
import { Id, Money, stamps, Timestamp } from '../../engine/lib/fields.ts';
import { CurrencyCode } from './currency-code.ts';
import type { RowOf } from '../../engine/store/row.ts';
import { defineTable } from '../../engine/store/table-definition.ts';

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

/** The names of the step that makes a cart an order, and of the one that pays it. */
export const confirming = 'confirm';
export const paying = 'purchase';

/**
 * The steps of the checkout, in order: the `checkout_state` that a step starts from, and the one that it leads to, and what it
 * does to an order.
 * `resources/checkout.ts` has the request of each step, and what it does.
 */
export const checkoutSteps = [
  { name: 'addressing', from: 'cart', to: 'addressing', verb: ['address', 'addressed'] },
  {
    name: 'shipping',
    from: 'addressing',
    to: 'shipping',
    verb: ['choose shipping for', 'chose shipping for'],
  },
  {
    name: 'payment',
    from: 'shipping',
    to: 'payment',
    verb: ['choose payment for', 'chose payment for'],
  },
  { name: confirming, from: 'payment', to: 'finalize', verb: ['place', 'placed'] },
  {
    name: paying,
    from: 'finalize',
    to: 'completed',
    verb: ['pay', 'paid'],
    failedWhen: { table: 'payments', states: ['failed', 'cancelled', 'unknown'] },
  },
] as const;
export type StepName = (typeof checkoutSteps)[number]['name'];

/** The names of the steps, in order. */
export const stepNames: readonly StepName[] = checkoutSteps.map(({ name }) => name);

export const CheckoutState = z.enum(['cart', ...checkoutSteps.map(({ to }) => to)]);
export type CheckoutState = z.output<typeof CheckoutState>;

export const Order = lazyObject(() => ({
  id: Id,
  number: z.string().optional().describe('Nine digits, assigned at confirm'),
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
  promotion_ids: z.array(Id).describe('Promotions that apply to the order'),
  shipping_address_id: Id.optional(),
  billing_address_id: Id.optional(),
  expires_at: Timestamp,
  completed_at: Timestamp.optional().describe('When it was confirmed'),
  ...stamps,
}));
export type Order = RowOf<typeof Order>;

export const orders = defineTable({
  name: 'orders',
  singular: 'order',
  schema: Order,
  texts: { number: 'code', currency: 'code', email: 'e-mails' },
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
    placedBy: (row) => [row.user_id, row.completed_at],
    // Carts have no payments or shipments.
    begun: (row) => (row.checkout_state === 'cart' ? undefined : [row.channel_id]),
    paid: (row) => (row.checkout_state === 'completed' ? [row.user_id] : undefined),
    expiring: (row) => (row.state === 'cart' ? [row.expires_at] : undefined),
    pending: (row) => (row.state === 'pending' ? [row.completed_at ?? row.created_at] : undefined),
  },
  softDelete: true,
});

export const OrderItem = lazyObject(() => ({
  id: Id,
  order_id: Id,
  variant_id: Id,
  quantity: z.int().min(1),
  unit_price: Money.min(0),
  total: Money.min(0),
  adjustments_total: Money,
  immutable: z.boolean(),
  promotion_id: Id.optional().describe('The promotion that added it'),
  ...stamps,
}));
export type OrderItem = RowOf<typeof OrderItem>;

export const orderItems = defineTable({
  name: 'order_items',
  singular: 'order item',
  schema: OrderItem,
  references: { order_id: 'orders', variant_id: 'variants' },
  indexes: { order: (row) => [row.order_id] },
});

/**
 * A charge or a discount on an order, or on one item of it.
 *
 * Neutral adjustments are not part of totals. Locked adjustments are kept when the order is recalculated.
 */
export const Adjustment = lazyObject(() => ({
  id: Id,
  order_id: Id,
  order_item_id: Id.optional().describe('Set if it applies to one item, not to the order'),
  shipment_id: Id.optional().describe('Shipment that it is the charge for'),
  promotion_id: Id.optional().describe('Promotion that it comes from'),
  label: z.string().describe('`tax`, `shipping`, `promotion`'),
  description: z.string(),
  amount: Money.describe('Negative for discounts'),
  neutral: z.boolean(),
  locked: z.boolean(),
  ...stamps,
}));
export type Adjustment = RowOf<typeof Adjustment>;

export const adjustments = defineTable({
  name: 'adjustments',
  singular: 'adjustment',
  schema: Adjustment,
  texts: { label: 'public', description: 'public' },
  references: { order_id: 'orders', order_item_id: 'orderItems', shipment_id: 'shipments' },
  indexes: {
    order: (row) => (row.order_item_id === undefined ? [row.order_id] : undefined),
    item: (row) => [row.order_item_id],
    itemsOf: (row) => (row.order_item_id === undefined ? undefined : [row.order_id]),
  },
});

export const InventoryState = z.enum(['checkout', 'onhold', 'sold', 'backordered', 'returned']);
export type InventoryState = z.output<typeof InventoryState>;

/** One unit of the quantity of an order item. */
export const InventoryUnit = lazyObject(() => ({
  id: Id,
  order_id: Id,
  order_item_id: Id,
  variant_id: Id,
  shipment_id: Id.optional(),
  stock_location_id: Id.optional().describe('Location of its stock'),
  inventory_state: InventoryState,
  ...stamps,
}));
export type InventoryUnit = RowOf<typeof InventoryUnit>;

export const inventoryUnits = defineTable({
  name: 'inventory_units',
  singular: 'inventory unit',
  schema: InventoryUnit,
  references: {
    order_id: 'orders',
    order_item_id: 'orderItems',
    variant_id: 'variants',
    shipment_id: 'shipments',
    stock_location_id: 'stockLocations',
  },
  indexes: {
    item: (row) => [row.order_item_id],
    order: (row) => [row.order_id],
    shipment: (row) => [row.shipment_id],
    backordered: (row) => (row.inventory_state === 'backordered' ? [row.variant_id] : undefined),
  },
});

/** Order numbers have nine digits. */
export const maxOrderNumber = 999_999_999;

/** Counters that never decrease, such as that of order numbers. */
export const sequences = defineTable({
  name: 'sequences',
  singular: 'sequence',
  schema: lazyObject(() => ({
    id: Id,
    name: z.string(),
    value: z.int().min(0).max(maxOrderNumber),
  })),
  unique: { name: (row) => row.name },
});
