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
 * Makes the adjustments of one label what they should be now. Those that a former calculation gave are taken back,
 * locked ones stay whatever happens; a row that is right already is left as it is.
 *
 * @param all the adjustments of the order, if they have been read already
 */
export function charge(
  db: Database,
  order: { readonly id: number },
  label: Label,
  charges: readonly Charge[],
  all: readonly Adjustment[] = db.adjustments.by('order', order.id),
): void {
  const given = all.filter((row) => row.label === label && !row.locked);
  for (const [at, wanted] of charges.entries()) {
    const row = given[at];
    const fields = { ...blank, ...wanted };
    if (row === undefined) {
      db.adjustments.add({ ...fields, order_id: order.id, label, locked: false });
    } else if (!same(row, fields)) {
      db.adjustments.change(row.id, fields);
    }
  }
  for (const { id } of given.slice(charges.length)) db.adjustments.remove(id);
}

const blank = { shipment_id: undefined, promotion_id: undefined };

function same(row: Adjustment, wanted: Charge): boolean {
  return (
    row.amount === wanted.amount &&
    row.description === wanted.description &&
    row.neutral === wanted.neutral &&
    row.shipment_id === wanted.shipment_id &&
    row.promotion_id === wanted.promotion_id
  );
}
