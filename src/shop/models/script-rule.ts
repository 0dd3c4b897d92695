import * as z from 'zod';
import { Milliseconds } from '../../engine/lib/milliseconds.ts';
import { Id, Money } from '../../engine/lib/fields.ts';
import { CurrencyCode } from './currency-code.ts';
import { checkoutSteps } from './order.ts';
import type { RowOf } from '../../engine/store/row.ts';
import { defineTable } from '../../engine/store/table-definition.ts';

/** Opening a cart, and adding an item. */
export const cartSteps = [{ name: 'create' }, { name: 'item' }] as const;

/** The steps at which a rule can apply. */
export const ScriptStep = z.enum([...cartSteps, ...checkoutSteps].map(({ name }) => name));
export type ScriptStep = z.output<typeof ScriptStep>;

/** The outcomes of a purchase. `error`: the payment provider cannot be reached. */
export const PaymentOutcome = z.enum([
  'approved',
  'declined',
  'pending',
  'authorized',
  'cancelled',
  'error',
]);
export type PaymentOutcome = z.output<typeof PaymentOutcome>;

/** The orders that a rule matches. Every condition must hold. */
export const ScriptMatch = z.strictObject({
  order: Id.optional().describe('Id of the order'),
  user: Id.optional().describe('Id of the customer'),
  channel: Id.optional().describe('Id of the channel'),
  currency: CurrencyCode.optional().describe('ISO 4217 code of the currency'),
  country: Id.optional().describe('Id of the country of the shipping address'),
  card: z.string().optional().describe('Complete card number, or its last four digits'),
  totalFrom: Money.optional().describe('Minimum order total in minor units'),
  totalTo: Money.optional().describe('Maximum order total in minor units'),
});
export type ScriptMatch = z.output<typeof ScriptMatch>;

const frequency = {
  nth: z.int().min(1).optional().describe('Apply only to the n-th match'),
  first: z.int().min(1).optional().describe('Apply only to the first n matches'),
};

/**
 * A rule of the checkout script: the step or transition it is for, what it matches, how often it applies, and what it
 * then does. The first rule that applies is used.
 */
export const ScriptRule = z.object({
  id: Id,
  on: z.string().describe('Checkout step, or a transition such as `shipment.ship`'),
  match: ScriptMatch.describe(
    'Which orders it matches: all conditions must hold (default: all orders)',
  ),
  ...frequency,
  outcome: PaymentOutcome.optional().describe('Outcome of the purchase'),
  reason: z.string().optional().describe('Why the payment is declined'),
  settle: z
    .strictObject({
      after: z.string().describe('ISO 8601 duration by the clock of the back office'),
      outcome: PaymentOutcome.describe('Outcome of the payment then'),
      reason: z.string().optional().describe('Why the payment is declined then'),
    })
    .optional()
    .describe('Later outcome of a pending payment'),
  refuse: z
    .strictObject({
      message: z.string().describe('Message of the parameter in the error tree'),
      path: z
        .array(z.string())
        .readonly()
        .optional()
        .describe('Parameter that the message is about (default: the form itself)'),
    })
    .optional()
    .describe('Reject the step with this validation message'),
  delay: Milliseconds.optional().describe('Delay of the response: milliseconds, or `2s`'),
  off: z
    .literal(true)
    .optional()
    .describe('Whether it is switched off: it neither applies nor counts'),
  matched: z.int().min(0).describe('Number of matches so far'),
});
export type ScriptRule = RowOf<typeof ScriptRule>;

export const scriptRules = defineTable({
  name: 'script_rules',
  singular: 'script',
  schema: ScriptRule,
  indexes: { on: (row) => [row.on] },
});
