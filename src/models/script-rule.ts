import * as z from 'zod';
import { CurrencyCode, Id, Money } from './fields.ts';
import type { RowOf } from '../store/row.ts';
import { defineTable } from '../store/table-definition.ts';

/** How many rules of one kind a shop can have. Each is asked at every request, or at every step. */
export const maxRules = 1000;

/** Where a rule can act: the steps of the checkout. */
export const ScriptStep = z.enum([
  'create',
  'item',
  'addressing',
  'shipping',
  'payment',
  'confirm',
  'purchase',
]);
export type ScriptStep = z.output<typeof ScriptStep>;

/** What a purchase can come to. `error`: the provider cannot be reached. */
export const PaymentOutcome = z.enum([
  'approved',
  'declined',
  'pending',
  'authorized',
  'cancelled',
  'error',
]);
export type PaymentOutcome = z.output<typeof PaymentOutcome>;

/** For whom a rule acts; every condition given has to hold. */
export const ScriptMatch = z.strictObject({
  order: Id.optional(),
  user: Id.optional(),
  channel: Id.optional(),
  currency: CurrencyCode.optional(),
  country: Id.optional().describe('Of the shipping address'),
  card: z.string().optional().describe('The whole card number, or its last four digits'),
  totalFrom: Money.optional().describe('Order total, this much or more, in minor units'),
  totalTo: Money.optional().describe('Order total, this much or less, in minor units'),
});
export type ScriptMatch = z.output<typeof ScriptMatch>;

const howOften = {
  nth: z.int().min(1).optional().describe('Only the n-th time that the rest of the rule fits'),
  first: z
    .int()
    .min(1)
    .optional()
    .describe('Only the first n times that the rest of the rule fits'),
};

/**
 * One line of the script: at this step, for this match, so often, that happens. The first rule that fits applies.
 */
export const ScriptRule = z.object({
  id: Id,
  on: z.string().describe('A checkout step, or a transition such as `shipment.ship`'),
  match: ScriptMatch,
  ...howOften,
  outcome: PaymentOutcome.optional().describe('What a purchase comes to'),
  reason: z.string().optional().describe('Why it is declined'),
  settle: z
    .strictObject({
      after: z.string().describe('An ISO 8601 duration of the clock of the back office'),
      outcome: PaymentOutcome,
      reason: z.string().optional(),
    })
    .optional()
    .describe('What a pending payment comes to, and when'),
  refuse: z
    .strictObject({
      message: z.string(),
      path: z
        .array(z.string())
        .readonly()
        .optional()
        .describe('The parameter that the message stands at; none: the form as a whole'),
    })
    .optional()
    .describe('The step is refused with this validation message'),
  delay: z.int().min(0).optional().describe('How long the answer takes, in milliseconds'),
  fitted: z.int().min(0).describe('How often its match has fitted so far'),
});
export type ScriptRule = RowOf<typeof ScriptRule>;

export const scriptRules = defineTable({
  name: 'script_rules',
  singular: 'script rule',
  schema: ScriptRule,
  indexes: { on: (row) => [row.on] },
});
