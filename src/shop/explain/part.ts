import type { Shop } from '../checkout/shop.ts';
import type { Fact } from '../../engine/definition/explanation.ts';
import type { Label, NewItem } from '../checkout/order-rows.ts';
import type { Line } from '../office/explanation.ts';
import type { Adjustment } from '../models/order.ts';
import { money, variantName } from './words.ts';

/** A line before it is summed up. */
export interface Part extends Omit<Line, 'running'> {
  /** The row that the order has for it, or else what it is of. The stored part and the one of now have the same. */
  readonly of?: object | undefined;
}

/** The fields that most parts share. */
export const plain = { counts: true, applied: true, because: [] } as const;

export const noAddress: Fact = { wanted: 'an address', actual: 'none', met: false };

const calculated: readonly Label[] = ['tax', 'shipping', 'promotion'];

/** Returns the kind of an adjustment that a calculation replaces; undefined for others. */
export function calculatedKind({ label }: Adjustment): Label | undefined {
  return calculated.find((one) => one === label);
}

/** Returns the sum of the parts that count. */
export function sumOf(parts: readonly Part[]): number {
  return parts.reduce((sum, { amount, counts }) => (counts ? sum + amount : sum), 0);
}

/** An adjustment as it is stored. That of a promotion has the name of the promotion, as all of its lines have. */
export function adjustmentPart({ db }: Shop, row: Adjustment): Part {
  const { id, description, promotion_id = 0, amount, neutral, locked } = row;
  const kind = calculatedKind(row) ?? 'adjustment';
  return {
    ...plain,
    of: row,
    kind,
    label: db.promotions.getWithDeleted(promotion_id)?.name ?? description,
    ...(locked && { detail: 'locked' }),
    amount,
    counts: !neutral,
    record: { table: 'adjustments', id },
    ...(kind === 'promotion' && promotion_id > 0 && !locked && { promotion: promotion_id }),
  };
}

/** Returns the fields of the part of an item. */
export function piecesOf(
  shop: Shop,
  { variant_id, quantity, unit_price }: Omit<NewItem, 'promotion_id'>,
) {
  return {
    label: variantName(shop, variant_id),
    detail: `${quantity} × ${money(unit_price)}`,
    amount: quantity * unit_price,
  };
}

/** Returns the part that a sum below 0 lacks. */
export function limitPart(label: string, sum: number, of?: object): Part[] {
  return sum >= 0 ? [] : [{ ...plain, of, kind: 'limit', label, amount: -sum }];
}

const ranks: readonly Line['kind'][] = ['gift', 'tax', 'shipping', 'promotion', 'adjustment'];

/** Sorts by kind; promotions that do not apply come last. */
export function byRank(parts: readonly Part[]): Part[] {
  return parts.toSorted(
    (one, other) =>
      Number(other.applied) - Number(one.applied) ||
      ranks.indexOf(one.kind) - ranks.indexOf(other.kind),
  );
}
