import { formatValue } from '../../format.ts';
import type { Row } from '../../rewind-effects.ts';

/** A line of what an order costs, in minor units. */
export interface MoneyLine {
  readonly title: string;
  readonly amount: number;
  /** Whether it is part of the sum: not so for taxes that prices include, and for what the totals of items contain. */
  readonly counts: boolean;
  /** Its source: `adjustments/7`, or the table of several records. */
  readonly record?: string;
}

/** Returns the lines of an order. The amounts of those that count add up to its total. @param names of promotions: `promotions/3` */
export function moneyLines(
  order: Row,
  adjustments: readonly Row[],
  names: Readonly<Record<string, string>> = {},
): readonly MoneyLine[] {
  const items = Number(order['items_total']);
  const others = adjustments.map(({ label, description, amount, ...row }) => ({
    title: `${formatValue(label)} ${names[`promotions/${String(row['promotion_id'])}`] ?? formatValue(description ?? '')}`,
    amount: Number(amount),
    counts: row['neutral'] !== true && row['order_item_id'] === undefined,
    record: `adjustments/${row.id}`,
  }));
  const lines = [{ title: 'Items', amount: items, counts: true, record: 'order_items' }, ...others];
  const sum = lines.reduce((all, { amount, counts }) => (counts ? all + amount : all), 0);
  const rest = Number(order['total']) - sum;
  if (rest === 0) return lines;
  // A discount never makes the total negative.
  return [...lines, { title: 'Discount beyond the price', amount: rest, counts: true }];
}
