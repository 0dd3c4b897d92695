import type * as z from 'zod';
import type { ApiResponse } from '../rest/message.ts';
import type { FieldIssue } from '../lib/problem.ts';

/** The fields of a rule, for code that does not know the kinds of an API. */
export type RuleFields = Readonly<Record<string, unknown>>;

/** The fields that a response is changed by, and what else that depends on. */
export interface FaultEffect {
  /** The options of a rule, or those that a header `Prefer` requests. */
  readonly fields: RuleFields;
  readonly call: FaultCall;
}

/** The request whose response is changed. */
export interface FaultCall {
  /** Its time, by the clock of the back office. */
  readonly now: string;
  /** The start of the current window of a rate limit. */
  readonly window?: { readonly from: string } | undefined;
  /** Returns the random numbers of a kind, the same ones for each start with a seed. */
  random(kind: string): () => number;
}

/** The fields of a rule in addition to the one of its kind, such as the body of a status. */
type FaultOptions = Readonly<Record<string, z.ZodType>>;

/** One kind of fault, with everything that is specific to it. */
export interface FaultKind<
  Value extends z.ZodType = z.ZodType,
  Options extends FaultOptions = FaultOptions,
> {
  /** Its value in a rule, whose field has the name of the kind. Its description says in documents what it does. */
  readonly value: Value;
  /** Optional fields of a rule that say more of it. */
  readonly options?: Options;
  /**
   * - `replaces`: the response is the fault's own, so the endpoint runs only if `after` is true
   * - `changes`: the response of the endpoint is changed; what the endpoint wrote is rolled back only if `after` is false
   * - `delays`: the response is sent later; what the endpoint wrote is kept
   *
   * If several faults apply to a request, the first that replaces or changes the response is used; all delays add up.
   */
  readonly role: 'replaces' | 'changes' | 'delays';
  /** Whether `after` can be set: true for a response that follows the write, false for one in place of it. */
  readonly allowsAfter: boolean;
  /** Its form in the studio; documents serve it with the field of a rule. */
  readonly shown: ShownFault;
  /** Its value in the header `Prefer`; undefined if the header cannot request the kind. */
  readonly prefer?: PreferValue;
  /** Returns the issues of a rule that its schema cannot express. The rule need not be of this kind. */
  issues?(
    value: z.output<Value> | undefined,
    others: z.output<z.ZodObject<Options>> & RuleFields,
  ): FieldIssue[];
  /** Returns a value as a rule keeps it (default: as it is). */
  normalize?(value: z.output<Value>): z.output<Value>;
  /** Changes the response to a request. */
  apply(
    answer: ApiResponse,
    value: z.output<Value>,
    options: z.output<z.ZodObject<Options>>,
    call: FaultCall,
  ): ApiResponse;
}

/** The form of a kind of fault in the studio. */
export interface ShownFault {
  /** Its effect: `delay the response`. */
  readonly label: string;
  /**
   * The effect of a rule, with its value for `{}` and a part of its value for `{part}`; several texts by value
   * (default: the name of the kind, and the value).
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
  /** A valid value, if a kind of an extension has to be tried. */
  readonly example?: string;
  /** Returns the value of a text; undefined for an invalid one (default: by the schema). */
  readonly parse?: (text: string) => unknown;
}

/** The kinds of fault of an API, by the field of a rule, in the order in which they are applied to a response. */
export type FaultKinds = Readonly<Record<string, FaultKind>>;

/** Returns a kind, whose functions get the types of its schemas. */
export function faultKind<Value extends z.ZodType, Options extends FaultOptions>(
  kind: FaultKind<Value, Options>,
): FaultKind<Value, Options> {
  return kind;
}

type KindTest = (kind: FaultKind) => boolean;

export const delays: KindTest = ({ role }) => role === 'delays';
export const changes: KindTest = ({ role }) => role !== 'delays';
export const replaces: KindTest = ({ role }) => role === 'replaces';

/** Returns the names of the kinds of a rule that pass a test: `namesIn(kinds, rule, delays)`. */
export function namesIn(kinds: FaultKinds, fields: RuleFields, test: KindTest): string[] {
  return Object.keys(kinds).filter((name) => fields[name] !== undefined && test(kinds[name]!));
}

/** Whether a rule has a kind that passes a test. */
export function hasKind(
  kinds: FaultKinds,
  fields: RuleFields,
  test: KindTest = () => true,
): boolean {
  return namesIn(kinds, fields, test).length > 0;
}

/** Lists the names of the kinds that pass a test, for messages: `status, connection and limit`. */
export function listKinds(kinds: FaultKinds, conjunction: 'and' | 'or', test: KindTest): string {
  const listed = Object.keys(kinds).filter((name) => test(kinds[name]!));
  return [listed.slice(0, -1).join(', '), listed.at(-1)].join(` ${conjunction} `);
}

/** Applies the part of an effect that is of the kinds that pass a test. */
export function applyKinds(
  kinds: FaultKinds,
  test: KindTest,
  answer: ApiResponse,
  { fields, call }: FaultEffect,
): ApiResponse {
  return namesIn(kinds, fields, test).reduce(
    (made, name) => kinds[name]!.apply(made, fields[name], fields, call),
    answer,
  );
}

/** Returns one issue if a condition holds. */
export function issue(isWrong: boolean, path: readonly string[], message: string): FieldIssue[] {
  return isWrong ? [{ path, message }] : [];
}
