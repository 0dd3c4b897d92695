import { truncate } from '../lib/problem.ts';

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
  /** If it is not met: a date-time at which it is. */
  readonly at?: string | undefined;
  /** If it is not met: the code of a coupon that the order can have, so that it is. */
  readonly coupon?: string | undefined;
}

/** Returns the fact that a condition is not met. */
export function unmet(wanted: string, actual: unknown): Fact {
  const text = typeof actual === 'string' ? actual : (JSON.stringify(actual) ?? 'none');
  return { wanted, actual: truncate(text), met: false };
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
  /** Before the first move that the history has. */
  readonly began: { readonly on_hand: number; readonly on_hold: number };
  readonly moves: readonly StockMove[];
}

/** Why a variant has its stock. */
export interface StockExplanation {
  readonly variant: number;
  readonly label: string;
  readonly lines: readonly StockLine[];
  /** The orders that wait for stock. */
  readonly backordered: readonly OrderUnits[];
}

/** A state that a record has moved to. */
export interface StateMove {
  readonly from?: string | undefined;
  readonly to: string;
  /** Absent if the state was set otherwise. */
  readonly transition?: string | undefined;
  /** The entry of the history that made it. */
  readonly entry: number;
  readonly at: string;
  readonly by: string;
  readonly title: string;
  /** The moves before it in the same entry, from which it followed. */
  readonly after: readonly {
    readonly machine: string;
    readonly to: string;
    readonly transition?: string | undefined;
    readonly ids: readonly number[];
  }[];
  /** Why the clock made it. */
  readonly because: readonly Fact[];
}

/** A transition of a record, and why it is not possible. */
export interface NextTransition {
  readonly transition: string;
  readonly to: string;
  readonly possible: boolean;
  readonly reason?: string | undefined;
}

/** Why a record is in its state. */
export interface StateExplanation {
  readonly machine: string;
  readonly id: number;
  readonly state: string;
  /** The way to the state, as far as the history knows it. */
  readonly moves: readonly StateMove[];
  readonly next: readonly NextTransition[];
}

/** A rule that was compared with a request. */
export interface TriedRule {
  readonly rule: number;
  readonly applied: boolean;
  /** The first condition that was not met, or all conditions of a rule that applied. */
  readonly because: readonly Fact[];
}

/** Why a field of a request was refused, and what would be accepted in its place, by the data of now. */
export interface RefusedField {
  /** `['shippingAddress', 'city']`; empty for the request as a whole. */
  readonly path: readonly string[];
  readonly message: string;
  /** Absent if it was not sent. */
  readonly sent?: unknown;
  /** `required`, `at least 2 characters`, `unique`. */
  readonly rule: string;
  /** In words: `an e-mail address`. */
  readonly accepts: string;
  /** A value that is accepted in its place. Without it and `omit`, no value is. */
  readonly example?: unknown;
  /** The field is accepted if it is left out. */
  readonly omit?: true | undefined;
  /** The place in the OpenAPI document of the API. */
  readonly spec: string;
}

/**
 * Why faults and rules of the script applied to a request, or not. The rules are those before it, or those of now if the
 * history does not keep the state.
 */
export interface EntryExplanation {
  readonly entry: number;
  readonly title: string;
  readonly outcome: string;
  readonly reason?: string | undefined;
  /** Empty if the request was accepted, or failed by a fault. */
  readonly refused: readonly RefusedField[];
  readonly faults: readonly TriedRule[];
  readonly script: readonly TriedRule[];
  /** Why the orders that it changed, at most 20, had their totals after it. Empty if the history does not keep the state. */
  readonly orders: readonly OrderExplanation[];
}

/** What the history knows of records: `office.history`. */
export interface KnownHistory {
  of(
    table: string,
    id: number,
  ): readonly {
    readonly id: number;
    readonly at: string;
    readonly by: string;
    readonly title: string;
    readonly change: {
      readonly fields: readonly {
        readonly field: string;
        readonly before?: unknown;
        readonly after?: unknown;
      }[];
    };
  }[];
  entry(id: number): {
    readonly moves: readonly {
      readonly machine: string;
      readonly id: number;
      readonly from?: string | undefined;
      readonly to: string;
      readonly transition?: string | undefined;
    }[];
  };
}

/** What rules of the script are compared with. */
export interface TriedRequest {
  readonly step?: string | undefined;
  readonly url: string;
  readonly request: { readonly body?: unknown };
  /** The rules that applied. */
  readonly script: readonly number[];
}
