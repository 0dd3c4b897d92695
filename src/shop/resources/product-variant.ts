import type * as z from 'zod';
import type { Variant } from '../models/product.ts';
import { findOrThrow } from '../../engine/definition/records.ts';
import { endpoint, views } from './endpoint.ts';
import { ProductInOrderView, productInOrderView, VariantView, variantView } from './product.ts';

/** A variant in an order item: with its product. */
export const VariantInOrderView = VariantView.extend({ object: ProductInOrderView }).register(
  views,
  { id: 'VariantInOrder' },
);
export type VariantInOrderView = z.output<typeof VariantInOrderView>;

export const productVariantEndpoints = [
  endpoint({
    method: 'GET',
    path: '/api/products/:product_id/variants/:variant_id',
    summary: 'Read a variant with its product',
    isExtra: true,
    status: 200,
    answer: VariantInOrderView,
    errors: ['missing'],
    example: { url: '/api/products/1/variants/1' },
    handle({ shop: { db }, params }) {
      const product = findOrThrow(db.products, params.product_id);
      const variant = findOrThrow(
        db.variants,
        params.variant_id,
        ({ product_id }) => product_id === product.id,
      );
      return variantInOrderView(variant, productInOrderView(db, product));
    },
  }),
];

export function variantInOrderView(
  variant: Variant,
  object: ProductInOrderView,
): VariantInOrderView {
  const { created_at, updated_at, ...shown } = variantView(variant);
  return { ...shown, object, created_at, updated_at };
}
