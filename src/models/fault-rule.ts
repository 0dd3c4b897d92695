import * as z from 'zod';
import { Id, Timestamp } from './fields.ts';
import { isPlain, type RowOf } from '../store/row.ts';
import { ScriptStep } from './script-rule.ts';
import { defineTable } from '../store/table-definition.ts';

/** The longest that an answer can be kept waiting: ten minutes, in milliseconds. */
export const maxDelay = 600_000;

const Milliseconds = z.int().min(0).max(maxDelay);

/** How long an answer takes. Most answers of a distribution are near the median, one in twenty is slower than `p95`. */
export const Delay = z
  .union([
    Milliseconds,
    z.strictObject({ from: Milliseconds, to: Milliseconds }),
    z.strictObject({ median: Milliseconds.min(1), p95: Milliseconds.min(1) }),
  ])
  .describe(
    'How long the answer takes, in milliseconds: a number, `{ from, to }` for a range, `{ median, p95 }` for a distribution',
  );
export type Delay = z.output<typeof Delay>;

/** Which requests a fault is for; every condition given has to hold. */
export const FaultMatch = z.strictObject({
  method: z
    .enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])
    .optional()
    .describe('GET stands for HEAD too'),
  path: z
    .string()
    .optional()
    .describe('`/api/orders/:id` with any one part for `:id`, `/api/orders/*` for all below'),
  session: z.string().optional().describe('Only the back office of this session'),
  step: ScriptStep.optional().describe('Only this step of the checkout'),
  parameters: z
    .record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
    .optional()
    .describe(
      'Of path, query or body, compared as text: `{ "order_id": 3, "shippingAddress.country": 1 }`',
    ),
});
export type FaultMatch = z.output<typeof FaultMatch>;

/** Any value that JSON can carry. The library's own schema of it takes a thousand times as long to read a long list. */
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

/** What happens to an answer. */
export const faultEffect = {
  status: z.int().min(200).max(599).optional().describe('Answered in the place of the endpoint'),
  body: Json.optional().describe(
    'With `status`; a text goes as it is under another content type than JSON',
  ),
  headers: z.record(z.string(), z.string()).optional().describe('With `status`'),
  delay: Delay.optional(),
  connection: z.literal('drop').optional().describe('Closed instead of an answer'),
  spoil: z
    .enum(['malformed', 'cut-off'])
    .optional()
    .describe('The JSON of the answer cannot be parsed, or ends half-way'),
  after: z
    .boolean()
    .optional()
    .describe('True: what the request writes is kept, though its answer is not what it was'),
};

/**
 * One fault: for these requests, so often, that happens. All delays add up; of the rules that change the answer, the
 * first one that is due does.
 */
export const FaultRule = z.object({
  id: Id,
  match: FaultMatch,
  first: z.int().min(1).optional().describe('Only the first n requests that match'),
  every: z.int().min(1).optional().describe('Only every n-th request that matches'),
  probability: z
    .number()
    .gt(0)
    .max(1)
    .optional()
    .describe('Only so many of the requests that match, chosen by the seed: 0.1 for one in ten'),
  ...faultEffect,
  limit: z
    .strictObject({
      requests: z.int().min(0).describe('How many are answered'),
      per: z.string().describe('An ISO 8601 duration of the clock of the back office: `PT1M`'),
    })
    .optional()
    .describe('A rate limit: more requests than that are answered 429 with `Retry-After`'),
  fitted: z.int().min(0).describe('How many requests have matched so far'),
  window: z
    .strictObject({ from: Timestamp, requests: z.int().min(1) })
    .optional()
    .describe('Since when the rate limit counts, and how many there were'),
});
export type FaultRule = RowOf<typeof FaultRule>;

export const faultRules = defineTable({
  name: 'fault_rules',
  singular: 'fault rule',
  schema: FaultRule,
});
