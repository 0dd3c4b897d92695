/** What totals know of an adjustment. */
export interface Amount {
  readonly amount: number;
  readonly neutral: boolean;
}

/** What totals know of an order item. Its price is in minor units. */
export interface Line {
  readonly quantity: number;
  readonly unit_price: number;
  /** None, if not given. */
  readonly adjustments?: readonly Amount[];
}

export interface LineTotals {
  readonly adjustments_total: number;
  readonly total: number;
}

export interface OrderTotals {
  readonly items_total: number;
  readonly adjustments_total: number;
  readonly total: number;
}

export interface Totals extends OrderTotals {
  /** One for each line, in their order. */
  readonly lines: readonly LineTotals[];
}

/**
 * The totals of an order and of its items, from nothing but items and adjustments: neutral adjustments are shown and
 * not counted, and a total never falls below 0.
 */
export function totalsOf(lines: readonly Line[], adjustments: readonly Amount[]): Totals {
  const each = lines.map(lineTotals);
  const items_total = each.reduce((sum, line) => sum + line.total, 0);
  const adjustments_total = counted(adjustments);
  return {
    lines: each,
    items_total,
    adjustments_total,
    total: Math.max(0, items_total + adjustments_total),
  };
}

/** What adjustments come to. */
export function counted(adjustments: readonly Amount[]): number {
  return adjustments.reduce((sum, { amount, neutral }) => (neutral ? sum : sum + amount), 0);
}

function lineTotals({ quantity, unit_price, adjustments }: Line): LineTotals {
  const adjustments_total = adjustments === undefined ? 0 : counted(adjustments);
  return { adjustments_total, total: Math.max(0, quantity * unit_price + adjustments_total) };
}
