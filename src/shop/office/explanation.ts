import type * as z from 'zod';
import type { ExplainApi } from '../../engine/office/explain-api.ts';
import type { EntryExplanation as AnyEntryExplanation } from '../../engine/definition/explanation.ts';
import type {
  FactView,
  LineView,
  OrderExplanationView,
  StockExplanationView,
} from './explanation-view.ts';

/** A condition that was decided, of an order. */
export type OrderFact = z.output<typeof FactView>;

/** A part of the total of an order, or a promotion that does not apply to it. */
export type Line = z.output<typeof LineView>;

/** Explains the total of an order. */
export type OrderExplanation = z.output<typeof OrderExplanationView>;

/** The lines of a total. Those that count sum to it. */
export type TotalLines = Pick<OrderExplanation, 'total' | 'lines'>;

/** A part of a total that would have another amount now. */
export type ChangedLine = NonNullable<OrderExplanation['now']>['changes'][number];

/** Explains the stock of a variant. */
export type StockExplanation = z.output<typeof StockExplanationView>;

/** The stock of a variant at one location. Where it began and its moves sum to what is there. */
export type StockLine = StockExplanation['lines'][number];

/** A change of the stock at one location. */
export type StockMove = StockLine['moves'][number];

/** Units of an order. */
export type OrderUnits = StockLine['held'][number];

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
