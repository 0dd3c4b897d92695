import type { Adjustment } from '../models/adjustment.ts';
import type { Database } from '../models/database.ts';

export type Label = 'tax' | 'shipping' | 'promotion';

/** An adjustment to be, on the order as a whole. */
export interface Charge {
  readonly description: string;
  /** Minor units, negative for discounts. */
  readonly amount: number;
  readonly neutral: boolean;
  readonly shipment_id?: number | undefined;
  readonly promotion_id?: number | undefined;
}

/**
 * Removes the adjustments of one label that a former calculation gave and writes new rows, with new ids. Locked
 * adjustments stay. An order has its taxes first, then shipping, then promotions: a caller that writes one of these anew
 * then writes those after it anew.
 *
 * @param all the adjustments of the order, if they have been read already
 */
export function replaceAdjustments(
  { adjustments }: Database,
  { id: order_id }: { readonly id: number },
  label: Label,
  charges: readonly Charge[],
  all: readonly Adjustment[] = adjustments.by('order', order_id),
): void {
  for (const row of all) if (row.label === label && !row.locked) adjustments.remove(row.id);
  for (const fields of charges) adjustments.add({ ...fields, order_id, label, locked: false });
}

/** Writes the adjustments of one label anew as they are, so that they follow others that were. */
export function renew(
  db: Database,
  order: { readonly id: number },
  label: Label,
  all: readonly Adjustment[],
): void {
  const given = all.filter((row) => row.label === label && !row.locked);
  if (given.length > 0) replaceAdjustments(db, order, label, given.map(chargeOf), given);
}

function chargeOf({ description, amount, neutral, shipment_id, promotion_id }: Adjustment): Charge {
  return { description, amount, neutral, shipment_id, promotion_id };
}
