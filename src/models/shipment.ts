import * as z from 'zod';
import { Id, stamps } from './fields.ts';
import type { RowOf } from '../store/row.ts';
import { defineTable } from '../store/table-definition.ts';

export const ShipmentState = z.enum([
  'checkout',
  'pending',
  'onhold',
  'ready',
  'backordered',
  'shipped',
  'cancelled',
  'returned',
]);
export type ShipmentState = z.output<typeof ShipmentState>;

export const Shipment = z.object({
  id: Id,
  order_id: Id,
  method_id: Id.optional(),
  stock_location_id: Id.optional(),
  state: ShipmentState,
  ...stamps,
});
export type Shipment = RowOf<typeof Shipment>;

export const shipments = defineTable({
  name: 'shipments',
  singular: 'shipment',
  schema: Shipment,
  references: {
    order_id: 'orders',
    method_id: 'shippingMethods',
    stock_location_id: 'stockLocations',
  },
  indexes: {
    order: (row) => [row.order_id],
    recent: (row) => [row.updated_at, row.created_at],
    created: (row) => [row.created_at],
    location: (row) => (row.stock_location_id === undefined ? undefined : [row.stock_location_id]),
  },
});
