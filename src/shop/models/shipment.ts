import * as z from 'zod';
import { lazyObject } from '../../engine/lib/lazy-object.ts';
import { Configuration, Id, stamps } from '../../engine/lib/fields.ts';
import type { RowOf } from '../../engine/store/row.ts';
import { defineTable } from '../../engine/store/table-definition.ts';

export const Calculator = z.enum([
  'flat_rate',
  'per_item_rate',
  'flexible_rate',
  'weight_rate',
  'volume_rate',
]);
export type Calculator = z.output<typeof Calculator>;

export const ShippingMethod = lazyObject(() => ({
  id: Id,
  name: z.string(),
  enabled: z.boolean(),
  calculator: Calculator,
  category_id: Id.optional().describe('Shipping category (default: any)'),
  category_requirement: z
    .int()
    .min(0)
    .max(2)
    .describe('Products that must have the category: 0 none, 1 any, 2 all'),
  configuration: Configuration,
  zone_id: Id,
  ...stamps,
}));
export type ShippingMethod = RowOf<typeof ShippingMethod>;

export const shippingMethods = defineTable({
  name: 'shipping_methods',
  singular: 'shipping method',
  schema: ShippingMethod,
  texts: { name: 'public', configuration: 'public' },
  references: { zone_id: 'zones', category_id: 'shippingCategories' },
});

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

export const Shipment = lazyObject(() => ({
  id: Id,
  order_id: Id,
  method_id: Id.optional(),
  stock_location_id: Id.optional(),
  state: ShipmentState,
  ...stamps,
}));
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
    location: (row) => [row.stock_location_id],
  },
});
