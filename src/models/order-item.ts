import * as z from 'zod';
import { Id, Money, stamps } from './fields.ts';
import type { RowOf } from '../store/row.ts';
import { defineTable } from '../store/table-definition.ts';

export const OrderItem = z.object({
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
});
export type OrderItem = RowOf<typeof OrderItem>;

export const orderItems = defineTable({
  name: 'order_items',
  singular: 'order item',
  schema: OrderItem,
  references: { order_id: 'orders', variant_id: 'variants' },
  indexes: { order: (row) => [row.order_id] },
});
