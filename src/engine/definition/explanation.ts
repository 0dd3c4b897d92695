import type * as z from 'zod';
import { truncate } from '../lib/problem.ts';
import type {
  entryExplanationView,
  FactView,
  NextTransitionView,
  RecordView,
  RefusedFieldView,
  RequestView,
  stateExplanationView,
} from './explanation-view.ts';

/** A record, by the name of its table in an export. */
export type RecordRef = z.output<typeof RecordView>;

/** A condition that was decided: `items over 300.00`, which are `163.90`. */
export type Fact = z.output<typeof FactView>;

/** Returns the fact that a condition is not met. */
export function unmet(wanted: string, actual: unknown): Fact {
  const text = typeof actual === 'string' ? actual : (JSON.stringify(actual) ?? 'none');
  return { wanted, actual: truncate(text), met: false };
}

/** A request that does what an explanation says can be done. */
export type NextRequest = z.output<typeof RequestView>;

/** A transition of a record, and the request that applies it, or why it is not possible. */
export type NextTransition = z.output<typeof NextTransitionView>;

/** Explains the state of a record. */
export type StateExplanation = z.output<ReturnType<typeof stateExplanationView<typeof FactView>>>;

/** A state that a record has moved to. */
export type StateMove = StateExplanation['moves'][number];

/** Explains the refusal of a field, with a value that would be accepted, by the data of now. */
export type RefusedField = z.output<typeof RefusedFieldView>;

/**
 * Explains which faults and rules of the script applied to a request. The rules are those before it, or those of now if the
 * history does not keep the state.
 */
export type EntryExplanation<Changed = unknown> = z.output<
  ReturnType<typeof entryExplanationView<typeof FactView, z.ZodType<Changed>>>
>;

/** A rule that was compared with a request. */
export type TriedRule = EntryExplanation['faults'][number];

/** The part of the history about records: `office.history`. */
export interface KnownHistory {
  readonly reach: { readonly changesFrom: number };
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

/** The part of a request with which rules of the script are compared. */
export interface TriedRequest {
  readonly step?: string | undefined;
  readonly url: string;
  readonly request: { readonly body?: unknown };
  /** The rules that applied. */
  readonly script: readonly number[];
}
