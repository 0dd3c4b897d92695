import * as z from 'zod';
import { methods } from '../rest/endpoint.ts';
import { documentTexts } from '../lib/document-texts.ts';

/** The part of a response that depends on recorded changes. */
export const ChangesFrom = z
  .int()
  .describe('Id of the first entry whose changes are kept; 1 if no change is lost');

export const RecordView = z.strictObject({
  table: z.string().describe('Name of its table, as in an export'),
  id: z.int(),
});

/** A condition that was decided. */
export const FactView = z.strictObject({
  wanted: z.string().describe('The condition: `items over 300.00`'),
  actual: z.string().describe('What was there: `163.90`'),
  met: z.boolean(),
  record: RecordView.optional().describe('The record that decided it'),
  at: z.string().optional().describe('If it is not met: a date-time at which it is'),
});

export const RequestView = z
  .strictObject({
    method: z.enum(methods),
    url: z.string(),
    body: z.record(z.string(), z.unknown()).readonly(),
  })
  .describe('Its URL has no path of a session');

export const NextTransitionView = z.strictObject({
  transition: z.string(),
  to: z.string(),
  possible: z.boolean(),
  request: RequestView.optional().describe('The request that applies it, if it is possible'),
  reason: z.string().optional(),
});

export function stateExplanationView<Condition extends z.ZodType>(condition: Condition) {
  return z.strictObject({
    machine: z.string(),
    id: z.int(),
    state: z.string(),
    changesFrom: ChangesFrom,
    moves: z
      .array(
        z.strictObject({
          from: z.string().optional(),
          to: z.string(),
          transition: z.string().optional().describe('Absent if the state was set otherwise'),
          entry: z.int().describe('Id of the entry of the history that made it'),
          at: z.string(),
          by: z.string().describe('`request`, `page`, `clock`, `restore` or `reset`'),
          title: z.string(),
          after: z
            .array(
              z.strictObject({
                machine: z.string(),
                to: z.string(),
                transition: z.string().optional(),
                ids: z.array(z.int()).readonly().describe('At most 20'),
              }),
            )
            .readonly()
            .describe('The moves before it in the same entry, from which it followed'),
          because: z.array(condition).readonly().describe('Why the clock made it'),
        }),
      )
      .readonly()
      .describe('The way to the state, since `changesFrom`'),
    next: z.array(NextTransitionView).readonly(),
  });
}

/** What can follow a request that concerns a record. */
export const FollowingView = z.strictObject({
  due: z.string().optional().describe('What the clock does next: `abandon at 2026-03-09T…`'),
  awaits: z.string().optional().describe('The step that the order awaits'),
  next: z
    .string()
    .optional()
    .describe('A request that submits it, or applies a transition, or why there is none'),
});

/** Explains the refusal of a field, with a value that would be accepted, by the data of now. */
export const RefusedFieldView = z.strictObject({
  path: z.array(z.string()).readonly().describe('Empty for the request as a whole'),
  message: z.string(),
  sent: z.unknown().optional().describe('Absent if it was not sent'),
  rule: z.string().describe('`required`, `at least 2 characters`, `exists`'),
  accepts: z.string().describe('In words: `an email address`'),
  example: z
    .unknown()
    .optional()
    .describe(
      'A value that is accepted in its place; without it and `omit`, `message` says what decides',
    ),
  omit: z.literal(true).optional().describe('It is accepted if it is left out'),
  spec: z.string().describe('The place in the OpenAPI document'),
});

function triedRules<Condition extends z.ZodType>(condition: Condition) {
  return z
    .array(
      z.strictObject({
        rule: z.int(),
        applied: z.boolean(),
        because: z
          .array(condition)
          .readonly()
          .describe('The first condition that was not met, or all of one that applied'),
      }),
    )
    .readonly();
}

/** @param changed the schema of what explains a record that the entry changed */
export function entryExplanationView<Condition extends z.ZodType, Changed extends z.ZodType>(
  condition: Condition,
  changed: Changed,
) {
  const TriedRules = triedRules(condition);
  return z.strictObject({
    entry: z.int(),
    changesFrom: ChangesFrom,
    title: z.string(),
    sentence: z.string().describe(documentTexts.entrySentence),
    outcome: z.string(),
    reason: z.string().optional(),
    refused: z
      .array(RefusedFieldView)
      .readonly()
      .describe('Each refused field, and what is accepted in its place, by the data of now'),
    faults: TriedRules.describe(
      'The faults of then, and why each applied or not; those of now if `entry` is before `changesFrom`',
    ),
    script: TriedRules.describe('The script, of the same time as `faults`'),
    orders: z.array(changed).readonly().describe(documentTexts.explainedRecords),
  });
}
