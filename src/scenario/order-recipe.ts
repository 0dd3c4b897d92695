import * as z from 'zod';
import { CurrencyCode, Id, Money } from '../models/fields.ts';
import { stepNames } from '../models/order.ts';
import { isDuration } from '../lib/duration.ts';
import { AddressBlock } from '../resources/address.ts';

const Duration = z.string().refine(isDuration, 'expected an ISO 8601 duration such as PT2M or P1D');

/** A transition of the order, or of all its shipments or payments, so long after the step before. */
const LaterTransition = z.strictObject({
  after: Duration,
  order: z.string().optional().describe('`release`, `ship`, `cancel`, `return`, …'),
  shipments: z.string().optional().describe('`ship`, `return`, …'),
  payments: z.string().optional().describe('`refund`, `complete`, …'),
});

/** An order that a scenario takes through the shop, step by step, as a customer would. */
export const OrderRecipe = z.strictObject({
  at: Duration.describe('When its cart was opened, counted from `now`: `-P12DT3H`'),
  channel: Id,
  user: Id,
  currency: CurrencyCode,
  items: z.array(
    z.strictObject({
      variant: Id,
      quantity: z.int().min(1),
      unitPrice: Money.min(0)
        .optional()
        .describe('In minor units; the price of the variant if not given'),
    }),
  ),
  coupons: z.array(z.string()).default([]),
  shippingAddress: AddressBlock.optional(),
  billingAddress: AddressBlock.optional(),
  shippingMethod: Id.optional().describe('Taken for every shipment'),
  paymentMethod: Id.optional(),
  card: z.string().default('4242424242424242'),
  until: z.enum(['cart', ...stepNames]).describe('The last step that is taken'),
  pace: Duration.default('PT2M').describe('How long each step takes by the clock'),
  // oxlint-disable-next-line unicorn/no-thenable -- a property of JSON, never awaited
  then: z.array(LaterTransition).default([]).describe('What happens afterwards'),
});
export type OrderRecipe = z.output<typeof OrderRecipe>;
