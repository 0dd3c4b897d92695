import type { ExplainApi } from '../../engine/office/explain-api.ts';
import type {
  EntryExplanation as AnyEntryExplanation,
  Fact,
  RecordRef,
} from '../../engine/definition/explanation.ts';

/** A condition that was decided, of an order. */
export interface OrderFact extends Fact {
  /** If it is not met: the code of a coupon that the order can have, so that it is. */
  readonly coupon?: string | undefined;
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
  /** The calculation of the amount: `2 × 24.90`. */
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
  readonly because: readonly OrderFact[];
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
  readonly because: readonly OrderFact[];
}

/** Explains the total of an order. */
export interface OrderExplanation extends TotalLines {
  readonly order: number;
  readonly state: string;
  readonly currency: string;
  /** The lines if the order was calculated now. Absent if they are the same. */
  readonly now?: (TotalLines & { readonly changes: readonly ChangedLine[] }) | undefined;
}

/** Units of an order. */
export interface OrderUnits {
  readonly order: number;
  readonly units: number;
}

/** A change of the stock at one location. */
export interface StockMove {
  /** The entry of the history that made it. */
  readonly entry: number;
  readonly at: string;
  readonly title: string;
  /** Added to the pieces on hand and on hold; negative if taken away. */
  readonly on_hand: number;
  readonly on_hold: number;
  /** The units of orders that moved with it: `sell`, `hold`. None if the stock was set. */
  readonly units: readonly (OrderUnits & { readonly transition: string })[];
}

/** The stock of a variant at one location. Where it began and its moves sum to what is there. */
export interface StockLine {
  readonly stock_location: number;
  readonly label: string;
  /** Whether it can be sold from there. */
  readonly enabled: boolean;
  readonly on_hand: number;
  readonly on_hold: number;
  /** The orders that its pieces on hold are for. */
  readonly held: readonly OrderUnits[];
  /** Before `changesFrom`. */
  readonly began: { readonly on_hand: number; readonly on_hold: number };
  readonly moves: readonly StockMove[];
}

/** Explains the stock of a variant. */
export interface StockExplanation {
  readonly variant: number;
  readonly label: string;
  /** Id of the first entry whose changes are kept; 1 if no change is lost. */
  readonly changesFrom: number;
  readonly lines: readonly StockLine[];
  /** The orders that wait for stock. */
  readonly backordered: readonly OrderUnits[];
}

/**
 * Explains which faults and rules of the script applied to a request, and the totals of the orders that it changed after
 * it.
 */
export type EntryExplanation = AnyEntryExplanation<OrderExplanation>;

/** Says why, from the code that decides. Secrets are masked. */
export interface StoreExplainApi extends Omit<ExplainApi, 'entry'> {
  /**
   * Returns why an order has its total: its lines, and every promotion, applied or not, with the facts that decided it.
   *
   * @param at the entry of the history after which it had it (default: the present)
   * @throws Problem `missing`, or `refused` if the history does not keep the state after the entry
   */
  order(id: number, at?: number): OrderExplanation;
  /**
   * Returns why a variant has its stock: the orders that hold it, and what moved it, as far as the history knows.
   *
   * @throws Problem `missing`
   */
  stock(variant: number): StockExplanation;
  /**
   * Returns which fields of a request were refused and what is accepted in their place, which faults and rules of the
   * script it was compared with, and the first thing that did not match, and why the orders that it changed had their
   * totals after it.
   *
   * @throws Problem `missing`
   */
  entry(id: number): EntryExplanation;
}
