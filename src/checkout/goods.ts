import type { Database } from '../models/database.ts';
import type { Product } from '../models/product.ts';

/** The product of a variant, even if it is no longer sold: orders keep what they have. */
export function productOf(db: Database, variant_id: number): Product | undefined {
  const variant = db.variants.getWithDeleted(variant_id);
  return variant && db.products.getWithDeleted(variant.product_id);
}
