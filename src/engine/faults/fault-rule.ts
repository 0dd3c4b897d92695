import * as z from 'zod';
import { Id, Timestamp } from '../lib/fields.ts';
import { methods, type EndpointRow } from '../rest/endpoint.ts';
import type { DatabaseOf } from '../store/database.ts';
import type { RowOf } from '../store/row.ts';
import { defineTable } from '../store/table-definition.ts';
import type { FaultKinds } from './fault-kind.ts';
import { faultKinds } from './fault-kinds.ts';
import { documentTexts } from '../lib/document-texts.ts';

/** The requests that a fault matches. Every condition must hold. */
function faultMatch<Step extends string>(step: z.ZodType<Step, Step>) {
  return z.strictObject({
    method: z.enum(methods).optional().describe('GET also matches HEAD'),
    path: z
      .string()
      .optional()
      .describe(
        '`/api/orders/:id` matches any one segment for `:id`, `/api/orders/*` any path below `/api/orders/`',
      ),
    session: z.string().optional().describe('Only the back office of this session'),
    step: step.optional().describe(documentTexts.faultStep),
    parameters: z
      .record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
      .optional()
      .describe(documentTexts.faultParameters),
  });
}
export type FaultMatch<Step extends string = string> = z.output<
  ReturnType<typeof faultMatch<Step>>
>;

type Kinds = typeof faultKinds;

/** The fields of rules that the kinds of every API have: their values and their options. */
type KindFields = { [Name in keyof Kinds]: z.ZodOptional<Kinds[Name]['value']> } & {
  [Name in KeyOf<OptionsOf<Kinds[keyof Kinds]>>]: FieldOf<OptionsOf<Kinds[keyof Kinds]>, Name>;
};

/** The options of a kind. One that has none has the type of any. */
type OptionsOf<Kind> = Kind extends { readonly options?: infer Options extends z.ZodRawShape }
  ? string extends keyof Options
    ? never
    : Options
  : never;
type KeyOf<Each> = Each extends unknown ? keyof Each : never;
type FieldOf<Each, Name extends PropertyKey> =
  Each extends Readonly<Record<Name, infer Field>> ? Field : never;

function fieldsOf(kinds: Kinds & FaultKinds): KindFields {
  const fields = Object.entries(kinds).flatMap(([name, { value, options = {} }]) => [
    [name, value.optional()] as const,
    ...Object.entries(options),
  ]);
  // The type of entries does not say which name has which schema.
  return Object.fromEntries(fields) as KindFields;
}

/**
 * A fault: which requests it matches, how often it applies, and what it then does to the response. All delays add up.
 * Of the rules that change the response, the first one that applies does.
 */
function faultRule<Step extends string>(step: z.ZodType<Step, Step>, kinds: Kinds & FaultKinds) {
  return z.object({
    id: Id,
    match: faultMatch(step),
    first: z.int().min(1).optional().describe('Apply only to the first n matching requests'),
    every: z.int().min(1).optional().describe('Apply only to every n-th matching request'),
    probability: z
      .number()
      .gt(0)
      .max(1)
      .optional()
      .describe(
        'Share of the matching requests to apply to, drawn from the seed: 0.1 is one in ten',
      ),
    ...fieldsOf(kinds),
    after: z
      .boolean()
      .optional()
      .describe(
        'Whether what the request writes is kept: true runs the endpoint although its response is replaced, false rolls back what it wrote although its response is only changed (default: false if the response is replaced, true if it is changed)',
      ),
    off: z
      .literal(true)
      .optional()
      .describe('Whether it is switched off: it neither applies nor counts'),
    matched: z.int().min(0).describe('Number of requests matched so far'),
    window: z
      .strictObject({ from: Timestamp, requests: z.int().min(1) })
      .optional()
      .describe('Start of the current rate-limit window, and the number of requests in it'),
    released: z.literal(true).optional().describe('Whether `hold` was released'),
  });
}
export type FaultRule<Step extends string = string> = RowOf<ReturnType<typeof faultRule<Step>>>;

/**
 * Defines the table of an API's faults.
 *
 * @param step the steps that a fault can match
 * @param kinds those that every API has, and others
 */
export function defineFaultRules<Step extends string>(
  step: z.ZodType<Step, Step>,
  kinds: Kinds & FaultKinds = faultKinds,
) {
  const schema = faultRule(step, kinds);
  return defineTable({ name: 'fault_rules', singular: 'fault', schema });
}
export type FaultRules<Step extends string = string> = ReturnType<typeof defineFaultRules<Step>>;

/** The schema of a fault as a scenario or a client writes it. Memoized by the table. */
export function faultInput<Step extends string>({ schema }: FaultRules<Step>): FaultInput<Step> {
  const known = inputs.get(schema) ?? inputOf<Step>(schema);
  inputs.set(schema, known);
  return known as FaultInput<Step>;
}

const inputs = new WeakMap<object, unknown>();

function inputOf<Step extends string>(schema: FaultRules<Step>['schema']) {
  const set = { id: true, matched: true, window: true, released: true } as const;
  const { shape } = schema.omit(set);
  return z.strictObject({
    ...shape,
    match: schema.shape.match
      .default({})
      .describe('Which requests it matches: all conditions must hold (default: all requests)'),
  });
}
type FaultInput<Step extends string> = ReturnType<typeof inputOf<Step>>;

export type FaultRuleInput<Step extends string = string> = z.input<FaultInput<Step>>;
export type ParsedFault = z.output<FaultInput<string>>;

/** The part of an API that faults require: its endpoints, the kinds of fault, and its table of faults. */
export interface FaultedApi {
  readonly path: string;
  readonly endpoints: readonly EndpointRow<never>[];
  readonly faultKinds: FaultKinds;
  readonly tables: { readonly faultRules: FaultRules };
}

/** The table of the faults of a back office. */
export type FaultTable = DatabaseOf<FaultedApi['tables']>;
