/** A record, by the name of its table in an export. */
export interface RecordRef {
  readonly table: string;
  readonly id: number;
}

/** A condition that was decided: `items over 300.00`, which are `163.90`. */
export interface Fact {
  readonly wanted: string;
  readonly actual: string;
  readonly met: boolean;
  /** The record that decided it. */
  readonly record?: RecordRef | undefined;
}

/** A part of the total of an order, or a promotion that does not apply to it. */
export interface Line {
  /** `limit`: what a total below 0 lacks. `other`: what its parts do not explain, such as a total that a scenario states. */
  readonly kind:
    | 'item'
    | 'gift'
    | 'tax'
    | 'shipping'
    | 'promotion'
    | 'adjustment'
    | 'limit'
    | 'other';
  readonly label: string;
  /** How the amount was calculated: `2 × 24.90`. */
  readonly detail?: string | undefined;
  /** Minor units, negative for discounts. */
  readonly amount: number;
  /** Whether it is part of the total. A tax that prices include is not. */
  readonly counts: boolean;
  /** The sum of this line and of those before it that count. */
  readonly running: number;
  /** Whether the order has it. If not, one of its facts is not met. */
  readonly applied: boolean;
  /** Id of the promotion that it comes from. */
  readonly promotion?: number | undefined;
  readonly record?: RecordRef | undefined;
  readonly because: readonly Fact[];
}

/** The lines of a total. Those that count sum to it. */
export interface TotalLines {
  /** Minor units. */
  readonly total: number;
  readonly lines: readonly Line[];
}

/** A part of a total that would have another amount now. */
export interface ChangedLine {
  readonly kind: Line['kind'];
  readonly label: string;
  /** The stored amount; absent if the order does not have the line. */
  readonly was?: number | undefined;
  /** The amount if the order was calculated now; absent if it would not have the line. */
  readonly now?: number | undefined;
  readonly because: readonly Fact[];
}

/** Why an order has its total. */
export interface OrderExplanation extends TotalLines {
  readonly order: number;
  readonly state: string;
  readonly currency: string;
  /** The lines if the order was calculated now. Absent if they are the same. */
  readonly now?: (TotalLines & { readonly changes: readonly ChangedLine[] }) | undefined;
}
