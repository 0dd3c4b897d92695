import type { Adjustment } from '../models/adjustment.ts';
import type { Database } from '../models/database.ts';

export type Label = 'tax' | 'shipping' | 'promotion';

/** The fields of a new adjustment of an order. */
export interface Charge {
  readonly description: string;
  /** Minor units, negative for discounts. */
  readonly amount: number;
  readonly neutral: boolean;
  readonly shipment_id?: number | undefined;
  readonly promotion_id?: number | undefined;
}

/**
 * Replaces the adjustments of one label by new rows, with new ids. Locked adjustments stay. The rows of an order are
 * taxes first, then shipping, then promotions: a caller that replaces one of these also replaces those after it.
 *
 * @param present the adjustments of the order, if they have been read already
 */
export function replaceAdjustments(
  { adjustments }: Database,
  { id: order_id }: { readonly id: number },
  label: Label,
  charges: readonly Charge[],
  present: readonly Adjustment[] = adjustments.by('order', order_id),
): void {
  for (const row of unlocked(present, label)) adjustments.remove(row.id);
  for (const fields of charges) adjustments.add({ ...fields, order_id, label, locked: false });
}

/** The adjustments of one label that a recalculation replaces, as the fields of new ones. */
export function chargesOf(present: readonly Adjustment[], label: Label): Charge[] {
  return unlocked(present, label).map(
    ({ description, amount, neutral, shipment_id, promotion_id }) => ({
      description,
      amount,
      neutral,
      shipment_id,
      promotion_id,
    }),
  );
}

/** What counts of an adjustment. */
export interface Amount {
  readonly amount: number;
  readonly neutral: boolean;
}

/** Returns the sum of adjustments. Neutral ones are shown, not counted. */
export function sumOf(adjustments: readonly Amount[]): number {
  return adjustments.reduce((sum, { amount, neutral }) => (neutral ? sum : sum + amount), 0);
}

function unlocked(present: readonly Adjustment[], label: Label): Adjustment[] {
  return present.filter((row) => row.label === label && !row.locked);
}
