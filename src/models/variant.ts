import * as z from 'zod';
import { Id, Money, stamps, Timestamp } from './fields.ts';
import type { RowOf } from '../store/row.ts';
import { defineTable } from '../store/table-definition.ts';

export const VariantOption = z.object({ id: Id, value: z.string() });

export const Variant = z.object({
  id: Id,
  product_id: Id,
  master: z.boolean(),
  sku: z.string().optional(),
  price: Money.min(0),
  available_on: Timestamp,
  options: z.array(VariantOption),
  weight: z.number().min(0).optional().describe('What a `weight_rate` counts'),
  volume: z.number().min(0).optional().describe('What a `volume_rate` counts'),
  ...stamps,
});
export type Variant = RowOf<typeof Variant>;

export const variants = defineTable({
  name: 'variants',
  singular: 'variant',
  schema: Variant,
  references: { product_id: 'products' },
  indexes: {
    product: (row) => [row.product_id, row.master ? 0 : 1],
  },
});
