import { truncate } from '../lib/problem.ts';
import type { Method } from '../rest/endpoint.ts';

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
}

/** Returns the fact that a condition is not met. */
export function unmet(wanted: string, actual: unknown): Fact {
  const text = typeof actual === 'string' ? actual : (JSON.stringify(actual) ?? 'none');
  return { wanted, actual: truncate(text), met: false };
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
  /** The reasons for which the clock made it. */
  readonly because: readonly Fact[];
}

/** A request that does what an explanation says can be done. */
export interface NextRequest {
  readonly method: Method;
  /** Without the address of the server, and the path of a session: `/_backlot/transitions/shipment/4`. */
  readonly url: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** A transition of a record, and the request that applies it, or why it is not possible. */
export interface NextTransition {
  readonly transition: string;
  readonly to: string;
  readonly possible: boolean;
  readonly request?: NextRequest | undefined;
  readonly reason?: string | undefined;
}

/** Explains the state of a record. */
export interface StateExplanation {
  readonly machine: string;
  readonly id: number;
  readonly state: string;
  /** Id of the first entry whose changes are kept; 1 if no change is lost. */
  readonly changesFrom: number;
  /** The way to the state since then. */
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

/** Explains the refusal of a field, with a value that would be accepted, by the data of now. */
export interface RefusedField {
  /** `['address', 'city']`; empty for the request as a whole. */
  readonly path: readonly string[];
  readonly message: string;
  /** Absent if it was not sent. */
  readonly sent?: unknown;
  /** `required`, `at least 2 characters`, `unique`. */
  readonly rule: string;
  /** In words: `an email address`, or `a whole number, if the rule allows it`. */
  readonly accepts: string;
  /** A value that is accepted in its place. Without it and `omit`, the message says what decides. */
  readonly example?: unknown;
  /** The field is accepted if it is left out. */
  readonly omit?: true | undefined;
  /** The place in the OpenAPI document of the API. */
  readonly spec: string;
}

/**
 * Explains which faults and rules of the script applied to a request. The rules are those before it, or those of now if the
 * history does not keep the state.
 */
export interface EntryExplanation<Changed = unknown> {
  readonly entry: number;
  /** Id of the first entry whose changes are kept. The state before an earlier one is not kept. */
  readonly changesFrom: number;
  readonly title: string;
  readonly outcome: string;
  readonly reason?: string | undefined;
  /** Empty if the request was accepted, or failed by a fault. */
  readonly refused: readonly RefusedField[];
  readonly faults: readonly TriedRule[];
  readonly script: readonly TriedRule[];
  /** Explanations of at most 20 records that it changed, as they were after it. Empty if that state is lost. */
  readonly orders: readonly Changed[];
}

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
