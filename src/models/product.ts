import * as z from 'zod';
import { Id, stamps } from './fields.ts';
import type { RowOf } from '../store/row.ts';
import { defineTable } from '../store/table-definition.ts';

export const ProductAttribute = z.object({
  id: Id,
  name: z.string(),
  presentation: z.string(),
  value: z.string(),
});

export const ProductOption = z.object({ id: Id, name: z.string(), presentation: z.string() });

export const Product = z.object({
  id: Id,
  name: z.string(),
  description: z.string(),
  short_description: z.string().optional(),
  attributes: z.array(ProductAttribute),
  options: z.array(ProductOption),
  channels: z.array(Id).describe('The channels that sell it'),
  taxons: z.array(Id),
  tax_category_id: Id.optional(),
  shipping_category_id: Id.optional(),
  ...stamps,
});
export type Product = RowOf<typeof Product>;

export const products = defineTable({
  name: 'products',
  singular: 'product',
  schema: Product,
  references: {
    channels: 'channels',
    taxons: 'taxons',
    tax_category_id: 'taxCategories',
    shipping_category_id: 'shippingCategories',
  },
  indexes: { recent: (row) => [row.created_at] },
  softDelete: true,
});
