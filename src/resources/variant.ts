import * as z from 'zod';
import { Timestamp } from '../models/fields.ts';
import { VariantOption, type Variant } from '../models/product.ts';
import { memoizeView, views } from './view.ts';

export const VariantView = z
  .strictObject({
    id: z.int(),
    master: z.boolean(),
    sku: z.string().optional(),
    available_on: Timestamp,
    options: z.array(VariantOption),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .register(views, { id: 'Variant' });
export type VariantView = z.output<typeof VariantView>;

/** Returns the view of a master variant, with its fields in the order of the specification. */
export function masterVariantView(variant: Variant): VariantView {
  const { id, master, sku, available_on, options, created_at, updated_at } = variantView(variant);
  const named = sku === undefined ? {} : { sku };
  return { id, master, options, available_on, ...named, created_at, updated_at };
}

const memoizedView = memoizeView<VariantView>();

export function variantView(variant: Variant): VariantView {
  return memoizedView(variant, [], () => ({
    id: variant.id,
    master: variant.master,
    ...(variant.sku !== undefined && { sku: variant.sku }),
    available_on: variant.available_on,
    options: variant.options.map(({ id, value }) => ({ id, value })),
    created_at: variant.created_at,
    updated_at: variant.updated_at,
  }));
}
