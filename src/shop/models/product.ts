import * as z from 'zod';
import { baseFields } from '../../engine/extend/base-fields.ts';
import { textField } from '../../engine/extend/field.ts';
import { lazyObject } from '../../engine/lib/lazy-object.ts';
import { Id, stamps, Money, Timestamp } from '../../engine/lib/fields.ts';
import type { RowOf } from '../../engine/store/row.ts';
import { defineTable } from '../../engine/store/table-definition.ts';

export const ProductAttribute = lazyObject(() => ({
  id: Id,
  name: z.string(),
  presentation: z.string(),
  value: z.string(),
}));

export const ProductOption = z.object({ id: Id, name: z.string(), presentation: z.string() });

/** The fields that clients send and get as they are stored. */
export const productFields = baseFields({
  name: textField({
    label: 'Product name',
    min: 2,
    description: 'Name of the product: 2 to 255 characters',
    filter: true,
  }),
  description: textField({
    label: 'Product description',
    min: 3,
    max: Infinity,
    description: 'Description of the product, at least 3 characters',
  }),
  shortDescription: textField({
    max: Infinity,
    optional: true,
    description: 'Short description of the product. `null` or a blank text removes it.',
  }),
});

export const Product = lazyObject(() => ({
  id: Id,
  ...productFields.record(),
  attributes: z.array(ProductAttribute),
  options: z.array(ProductOption),
  channels: z.array(Id).describe('Channels that sell it'),
  taxons: z.array(Id),
  tax_category_id: Id.optional(),
  shipping_category_id: Id.optional(),
  ...stamps,
}));
export type Product = RowOf<typeof Product>;

export const products = defineTable({
  name: 'products',
  singular: 'product',
  schema: Product,
  texts: {
    name: 'public',
    description: 'public',
    short_description: 'public',
    attributes: 'public',
    options: 'public',
  },
  references: {
    channels: 'channels',
    taxons: 'taxons',
    tax_category_id: 'taxCategories',
    shipping_category_id: 'shippingCategories',
  },
  indexes: { recent: (row) => [row.created_at] },
  softDelete: true,
});

export const VariantOption = z.object({ id: Id, value: z.string() });

export const Variant = lazyObject(() => ({
  id: Id,
  product_id: Id,
  master: z.boolean(),
  sku: z.string().optional(),
  price: Money.min(0),
  available_on: Timestamp,
  options: z.array(VariantOption),
  weight: z.number().min(0).optional().describe('Used by the calculator `weight_rate`'),
  volume: z.number().min(0).optional().describe('Used by the calculator `volume_rate`'),
  ...stamps,
}));
export type Variant = RowOf<typeof Variant>;

export const variants = defineTable({
  name: 'variants',
  singular: 'variant',
  schema: Variant,
  texts: { sku: 'code', options: 'public' },
  references: { product_id: 'products' },
  indexes: {
    product: (row) => [row.product_id, row.master ? 0 : 1],
  },
});
