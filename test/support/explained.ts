import { expect } from 'vitest';
import type { OrderExplanation } from '../../src/index.ts';
import type { BackOffice } from './checkout.ts';

type Lines = OrderExplanation['lines'];

/** Expects the lines of an order to be its stored total, item by item and adjustment by adjustment. */
export function expectExplained(shop: BackOffice, id: number): OrderExplanation {
  const { db, explain } = shop;
  const explained = explain.order(id);
  const { lines, now } = explained;
  const { total, promotion_ids } = db.orders.get(id)!;
  const adjustments = [...db.adjustments.by('order', id), ...db.adjustments.by('itemsOf', id)];
  const missing = [
    ...adjustments.filter((row) => !has(lines, 'adjustments', row.id, row.amount, !row.neutral)),
    ...db.orderItems
      .by('order', id)
      .filter((row) => !has(lines, 'order_items', row.id, row.quantity * row.unit_price)),
  ];
  const promotions = db.promotions.all().filter((row) => !shows((now ?? explained).lines, row.id));
  // One comparison, because it is made for many orders.
  expect({
    id,
    total: explained.total,
    sum: sumOf(lines),
    now: sumOf(now?.lines ?? []),
    missing,
    promotions,
    applied: appliedTo(lines).toSorted((one, other) => one - other),
    contradictions: [...contradictions(shop, lines), ...contradictions(shop, now?.lines ?? [])],
  }).toEqual({
    id,
    total,
    sum: total,
    now: now?.total ?? 0,
    missing: [],
    promotions: [],
    applied: promotion_ids.toSorted((one, other) => one - other),
    contradictions: [],
  });
  return explained;
}

function has(lines: Lines, table: string, id: number, amount: number, counts?: boolean): boolean {
  return lines.some(
    (line) =>
      line.record?.table === table &&
      line.record.id === id &&
      line.amount === amount &&
      (counts === undefined || line.counts === counts),
  );
}

function shows(lines: Lines, promotion: number): boolean {
  return lines.some((line) => line.promotion === promotion);
}

/** Returns the sum of the lines that count, or NaN if they do not lead to it one by one. */
function sumOf(lines: Lines): number {
  let sum = 0;
  for (const line of lines) {
    if (line.counts) sum += line.amount;
    if (line.running !== sum || line.kind === 'other') return Number.NaN;
  }
  return sum;
}

function appliedTo(lines: Lines): number[] {
  const ids = lines.flatMap(({ applied, promotion }) => (applied ? (promotion ?? []) : []));
  return [...new Set(ids)];
}

/** A promotion applies exactly if its facts are met. An exclusive one that applies is one of the facts of the others. */
function contradictions({ db }: BackOffice, lines: Lines): Lines {
  const applied = appliedTo(lines);
  const alone = applied.find((id) => db.promotions.get(id)?.exclusive === true);
  return lines.filter(({ promotion, applied: isApplied, because }) => {
    if (promotion === undefined) return false;
    const { id } = because.find(({ wanted }) => wanted === 'no exclusive promotion')?.record ?? {};
    return isApplied !== because.every(({ met }) => met) || (!isApplied && id !== alone);
  });
}
