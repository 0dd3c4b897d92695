import * as z from 'zod';
import { Id, Timestamp, acceptOldNames } from '../lib/fields.ts';
import { isPlain, type RowOf } from '../store/row.ts';
import { nameCharacters, namePattern } from '../lib/names.ts';
import { defineTable } from '../store/table-definition.ts';

/** The longest delay of a response: ten minutes, in milliseconds. */
export const maxDelay = 600_000;

const Milliseconds = z.int().min(0).max(maxDelay);

/** How long a response is delayed. */
export const Delay = z
  .union([
    Milliseconds,
    z.strictObject({
      from: Milliseconds.describe('Shortest delay in milliseconds'),
      to: Milliseconds.describe('Longest delay in milliseconds'),
    }),
    z.strictObject({
      median: Milliseconds.min(1).describe('Milliseconds that half of the delays exceed'),
      p95: Milliseconds.min(1).describe('Milliseconds that one in twenty delays exceeds'),
    }),
  ])
  .describe(
    'Delay of the response in milliseconds: a number, `{ from, to }` for a range, `{ median, p95 }` for a distribution',
  );
export type Delay = z.output<typeof Delay>;

/** A name that releases held responses. It has to fit into a path and the header `Prefer`. */
const HoldName = z.string().regex(namePattern, `Expected ${nameCharacters}.`);

/** Which requests a fault matches. Every condition must hold. */
function faultMatch<Step extends string>(step: z.ZodType<Step, Step>) {
  return z.strictObject({
    method: z
      .enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])
      .optional()
      .describe('GET also matches HEAD'),
    path: z
      .string()
      .optional()
      .describe(
        '`/api/orders/:id` matches any one segment for `:id`, `/api/orders/*` any path below `/api/orders/`',
      ),
    session: z.string().optional().describe('Only the back office of this session'),
    step: step.optional().describe('Only this step'),
    parameters: z
      .record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
      .optional()
      .describe(
        'Parameters of path, query or body, compared as text: `{ "user_id": 3, "address.city": "Oslo" }`',
      ),
  });
}
export type FaultMatch<Step extends string = string> = z.output<
  ReturnType<typeof faultMatch<Step>>
>;

/** Any JSON value. For a long list, `z.json()` takes a thousand times as long. */
const Json = z.unknown().refine(isJson, 'Invalid input: expected JSON');

function isJson(value: unknown): boolean {
  const left: unknown[] = [value];
  while (left.length > 0) {
    const one = left.pop();
    if (one === null || typeof one === 'string' || typeof one === 'boolean') continue;
    if (typeof one === 'number' && Number.isFinite(one)) continue;
    if (Array.isArray(one)) for (const inner of one as unknown[]) left.push(inner);
    else if (isPlain(one)) for (const name in one) left.push(one[name]);
    else return false;
  }
  return true;
}

/** What a fault does to a response: one field for each kind of fault, and the options of those kinds. */
const effectFields = {
  status: z.int().min(200).max(599).optional().describe('Status to respond with instead'),
  body: Json.optional().describe(
    'Body for `status`; a string is sent as it is if the content type is not JSON',
  ),
  headers: z.record(z.string(), z.string()).optional().describe('Headers for `status`'),
  delay: Delay.optional(),
  connection: z.literal('drop').optional().describe('Close the connection without a response'),
  corrupt: z
    .enum(['malformed', 'cut-off'])
    .optional()
    .describe('Make the JSON of the response unparsable, or send only its first half'),
  hold: HoldName.optional().describe(
    'Hold the response until `office.release(name)` or `POST /_backlot/holds/:name/release`',
  ),
  after: z
    .boolean()
    .optional()
    .describe('True: keep what the request writes, although its response is replaced or corrupted'),
  limit: z
    .strictObject({
      requests: z.int().min(0).describe('Number of requests that are served'),
      per: z.string().describe('ISO 8601 duration by the clock of the back office: `PT1M`'),
    })
    .optional()
    .describe('Rate limit: further requests are rejected with 429 and `Retry-After`'),
};

/** The fields of a rule that define its effect. */
export type FaultFields = z.output<z.ZodObject<typeof effectFields>>;

/** The kinds of fault that every API has. `faults/fault-kinds.ts` has a row for each of them. */
export type FaultKindName = Exclude<keyof FaultFields, 'body' | 'headers' | 'after'>;

/**
 * A fault: which requests it matches, how often it applies, and what it then does to the response. All delays add up.
 * Of the rules that change the response, the first one that applies does.
 */
function faultRule<Step extends string>(step: z.ZodType<Step, Step>, own: object) {
  return acceptOldNames(
    z.object({
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
      ...effectFields,
      ...own,
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
    }),
  );
}
export type FaultRule<Step extends string = string> = RowOf<ReturnType<typeof faultRule<Step>>>;

/**
 * Defines the table of an API's faults.
 *
 * @param step the steps that a fault can match
 * @param own the fields of kinds of fault beside those that every API has
 */
export function defineFaultRules<Step extends string>(
  step: z.ZodType<Step, Step>,
  own: object = {},
) {
  const schema = faultRule(step, own);
  return defineTable({ name: 'fault_rules', singular: 'fault rule', schema });
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
  return acceptOldNames(
    z.strictObject({
      ...shape,
      match: schema.shape.match
        .default({})
        .describe('Which requests it matches: all conditions must hold (default: all requests)'),
    }),
  );
}
type FaultInput<Step extends string> = ReturnType<typeof inputOf<Step>>;

export type FaultRuleInput<Step extends string = string> = z.input<FaultInput<Step>>;
export type ParsedFault = z.output<FaultInput<string>>;
