import type { Database } from '../models/database.ts';
import { productOf } from './goods.ts';
import { availableOf, isTracked } from './stock.ts';

/** Says that a variant is not there so often; undefined if it is, or if its stock is not counted. */
export function shortage(db: Database, variant_id: number, requested: number): string | undefined {
  if (!isTracked(db, variant_id)) return undefined;
  const on_hand = availableOf(db, variant_id);
  if (requested <= on_hand) return undefined;
  const name = productOf(db, variant_id)?.name;
  return `Only ${on_hand} ${name}(s) on hand, ${requested} requested.`;
}

/** The first shortage that an order, not yet promised anything, would meet. */
export function shortageOf(db: Database, order: { readonly id: number }): string | undefined {
  const units = db.inventoryUnits.by('order', order.id);
  for (const [variant, wanted] of Map.groupBy(units, ({ variant_id }) => variant_id)) {
    const reason = shortage(db, variant, wanted.length);
    if (reason !== undefined) return reason;
  }
  return undefined;
}
