import * as z from 'zod';
import { Id, stamps } from './fields.ts';
import type { RowOf } from '../store/row.ts';
import { defineTable } from '../store/table-definition.ts';

export const InventoryState = z.enum(['checkout', 'onhold', 'sold', 'backordered', 'returned']);
export type InventoryState = z.output<typeof InventoryState>;

/** One piece of one order item. */
export const InventoryUnit = z.object({
  id: Id,
  order_id: Id,
  order_item_id: Id,
  variant_id: Id,
  shipment_id: Id.optional(),
  stock_location_id: Id.optional().describe('Where its stock was taken from'),
  inventory_state: InventoryState,
  ...stamps,
});
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
    shipment: (row) => (row.shipment_id === undefined ? undefined : [row.shipment_id]),
    backordered: (row) => (row.inventory_state === 'backordered' ? [row.variant_id] : undefined),
  },
});
