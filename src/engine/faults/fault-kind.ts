import type * as z from 'zod';
import type { EndpointRow } from '../rest/endpoint.ts';
import type { ApiResponse } from '../rest/message.ts';
import type { DatabaseOf } from '../store/database.ts';
import type { FieldIssue } from '../lib/problem.ts';
import type { FaultFields, FaultRule, FaultRules } from './fault-rule.ts';

/** The effect on one response: the fields of a rule, with a random delay drawn and a rate limit converted to a status. */
export type FaultEffect = {
  readonly [Field in keyof FaultFields]?:
    | (Field extends 'delay' ? number : Field extends 'limit' ? never : FaultFields[Field])
    | undefined;
};

/** The parts of a fault rule that its effect depends on. */
export type EffectRule = FaultFields & Pick<FaultRule, 'id' | 'matched' | 'window' | 'released'>;

/** One kind of fault, with everything that is specific to it. */
export interface FaultKind {
  /**
   * - `replaces`: the response is the fault's own, so the endpoint does not run unless `after` is set
   * - `changes`: the response of the endpoint is changed; what the endpoint wrote is rolled back unless `after` is set
   * - `delays`: the response is sent later; what the endpoint wrote is kept
   *
   * If several faults apply to a request, the first that replaces or changes the response is used; all delays add up.
   */
  readonly role: 'replaces' | 'changes' | 'delays';
  /** Whether `after` can be set. */
  readonly allowsAfter: boolean;
  /** How the studio shows it; documents serve it with the field of a rule. */
  readonly shown: ShownFault;
  /** Its field in a rule, unless every API has it, and a value as in the header `Prefer`. */
  readonly own?: { readonly schema: z.ZodType; readonly example: string };
  /** Its value in the header `Prefer`; undefined if the header cannot request it. */
  readonly prefer: PreferValue | undefined;
  /** Returns the issues of a rule that its schema cannot express. The rule need not be of this kind. */
  issues(rule: FaultFields): FieldIssue[];
  /** Returns the effect of a rule of this kind on one request. */
  effect(rule: EffectRule, now: string, seed: number): FaultEffect;
  /** Applies its part of an effect to a response, if it has one. */
  apply(answer: ApiResponse, effect: FaultEffect): ApiResponse;
}

/** How the studio shows a kind of fault. */
export interface ShownFault {
  /** What it does: `delay the response`. */
  readonly label: string;
  /**
   * What a rule does, with its value for `{}` and a part of its value for `{part}`; several texts by value (default: the
   * name of the kind, and the value).
   */
  readonly text?: string | Readonly<Record<string, string>>;
  /** The fields of a rule that a form has, or those of its value if that is an object. Their schemas say the types. */
  readonly fields: readonly {
    readonly name: string;
    readonly label: string;
    readonly initial: string;
    readonly hint?: string;
    readonly isOptional?: true;
  }[];
}

interface PreferValue {
  /** Completes the message `Prefer: delay must be …`. */
  readonly expected: string;
  /** @returns undefined for an invalid value */
  readonly parse: (value: string) => FaultEffect | undefined;
}

/** What faults require of an API: its endpoints, the kinds of fault, and its table of faults. */
export interface FaultedApi {
  readonly path: string;
  readonly endpoints: readonly EndpointRow<never>[];
  readonly faultKinds: FaultKinds;
  readonly tables: { readonly faultRules: FaultRules };
}

/** The table of the faults of a back office. */
export type FaultTable = DatabaseOf<FaultedApi['tables']>;

/** The kinds of fault of an API, by the field of a rule, in the order in which they are applied to a response. */
export type FaultKinds = Readonly<Record<string, FaultKind>>;

type KindTest = (kind: FaultKind) => boolean;

export const delays: KindTest = ({ role }) => role === 'delays';
export const changes: KindTest = ({ role }) => role !== 'delays';
export const replaces: KindTest = ({ role }) => role === 'replaces';

/** Returns the names of the kinds of a rule or an effect that pass a test: `namesIn(kinds, rule, delays)`. */
export function namesIn(kinds: FaultKinds, fields: object, test: KindTest): string[] {
  return Object.keys(kinds).filter(
    (name) =>
      (fields as Readonly<Record<string, unknown>>)[name] !== undefined && test(kinds[name]!),
  );
}

/** Whether a rule or an effect has a kind that passes a test. */
export function hasKind(kinds: FaultKinds, fields: object, test: KindTest = () => true): boolean {
  return namesIn(kinds, fields, test).length > 0;
}

/** Lists the names of the kinds that pass a test, for messages: `status, connection and limit`. */
export function listKinds(kinds: FaultKinds, conjunction: 'and' | 'or', test: KindTest): string {
  const listed = Object.keys(kinds).filter((name) => test(kinds[name]!));
  return [listed.slice(0, -1).join(', '), listed.at(-1)].join(` ${conjunction} `);
}

/** Returns the effect of a rule on the response to one request. */
export function effectOf(
  kinds: FaultKinds,
  rule: EffectRule,
  now: string,
  seed: number,
): FaultEffect {
  const effect: FaultEffect = { after: rule.after };
  for (const name of namesIn(kinds, rule, () => true)) {
    Object.assign(effect, kinds[name]!.effect(rule, now, seed));
  }
  return effect;
}

/** Applies the part of an effect that is of the kinds that pass a test. */
export function applyKinds(
  kinds: FaultKinds,
  test: KindTest,
  answer: ApiResponse,
  effect: FaultEffect,
): ApiResponse {
  return Object.values(kinds)
    .filter(test)
    .reduce((made, kind) => kind.apply(made, effect), answer);
}

/** Returns one issue if a condition holds. */
export function issue(isWrong: boolean, path: readonly string[], message: string): FieldIssue[] {
  return isWrong ? [{ path, message }] : [];
}
