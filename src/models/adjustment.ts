import * as z from 'zod';
import { Id, Money, stamps } from './fields.ts';
import type { RowOf } from '../store/row.ts';
import { defineTable } from '../store/table-definition.ts';

/**
 * A charge or a discount on an order, or on one item of it.
 *
 * Neutral ones are shown and not counted; locked ones outlive every recalculation.
 */
export const Adjustment = z.object({
  id: Id,
  order_id: Id,
  order_item_id: Id.optional().describe('Set when it stands on one item rather than on the order'),
  shipment_id: Id.optional().describe('The shipment whose charge it is'),
  promotion_id: Id.optional().describe('The promotion that gave it'),
  label: z.string().describe('`tax`, `shipping`, `promotion`'),
  description: z.string(),
  amount: Money.describe('Negative for discounts'),
  neutral: z.boolean(),
  locked: z.boolean(),
  ...stamps,
});
export type Adjustment = RowOf<typeof Adjustment>;

export const adjustments = defineTable({
  name: 'adjustments',
  singular: 'adjustment',
  schema: Adjustment,
  references: { order_id: 'orders', order_item_id: 'orderItems', shipment_id: 'shipments' },
  indexes: {
    order: (row) => (row.order_item_id === undefined ? [row.order_id] : undefined),
    item: (row) => (row.order_item_id === undefined ? undefined : [row.order_item_id]),
    itemsOf: (row) => (row.order_item_id === undefined ? undefined : [row.order_id]),
  },
});
