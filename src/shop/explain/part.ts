import type { Shop } from '../checkout/shop.ts';
import type { Fact, RecordRef } from '../../engine/definition/explanation.ts';
import type { Label } from '../checkout/order-rows.ts';
import type { Line } from './explanation.ts';
import type { Adjustment } from '../models/order.ts';

/** A line before it is summed up. Those of the stored total and of one that is calculated now have the same keys. */
export interface Part extends Omit<Line, 'running'> {
  readonly key: string;
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
  const record: RecordRef = { table: 'adjustments', id };
  return {
    ...plain,
    key: `adjustment ${id}`,
    kind: calculatedKind(row) ?? 'adjustment',
    label: db.promotions.getWithDeleted(promotion_id)?.name ?? description,
    ...(locked && { detail: 'locked' }),
    amount,
    counts: !neutral,
    record,
  };
}

/** Returns the part that a sum below 0 lacks. */
export function limitPart(key: string, label: string, sum: number): Part | undefined {
  if (sum >= 0) return undefined;
  return { ...plain, key, kind: 'limit', label, amount: -sum };
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

export function taxKey(description: string, neutral: boolean): string {
  return `tax ${description} ${neutral}`;
}

export function shippingKey({ id, shipment_id }: Adjustment): string {
  return shipment_id === undefined ? `adjustment ${id}` : `shipping ${shipment_id}`;
}

/** The discounts of a promotion are told apart by their order. */
export function discountKey(promotion_id: number, at: number): string {
  return `promotion ${promotion_id} ${at}`;
}

export function giftKey(item: {
  readonly promotion_id?: number | undefined;
  readonly variant_id: number;
}): string {
  return `gift ${item.promotion_id} ${item.variant_id}`;
}
