import * as z from 'zod';
import { CurrencyCode, Id, Money } from '../models/fields.ts';
import { stepNames } from '../models/order.ts';
import { isDuration } from '../lib/duration.ts';
import { AddressBlock } from '../resources/address.ts';

const Duration = z.string().refine(isDuration, 'expected an ISO 8601 duration such as PT2M or P1D');

/** A transition of the order, or of all its shipments or payments, some time after the step before. */
const LaterTransition = z.strictObject({
  after: Duration,
  order: z.string().optional().describe('`release`, `ship`, `cancel`, `return`, …'),
  shipments: z.string().optional().describe('`ship`, `return`, …'),
  payments: z.string().optional().describe('`refund`, `complete`, …'),
});

/** An order that a scenario takes through the checkout, step by step. */
export const OrderRecipe = z.strictObject({
  at: Duration.describe('When its cart was opened, relative to `now`: `-P12DT3H`'),
  channel: Id,
  user: Id,
  currency: CurrencyCode,
  items: z.array(
    z.strictObject({
      variant: Id,
      quantity: z.int().min(1),
      unitPrice: Money.min(0)
        .optional()
        .describe('Minor units (default: the price of the variant)'),
    }),
  ),
  coupons: z.array(z.string()).default([]),
  shippingAddress: AddressBlock.optional(),
  billingAddress: AddressBlock.optional(),
  shippingMethod: Id.optional().describe('Method of every shipment'),
  paymentMethod: Id.optional(),
  card: z.string().default('4242424242424242'),
  until: z.enum(['cart', ...stepNames]).describe('The last step that is submitted'),
  pace: Duration.default('PT2M').describe('Duration of each step'),
  // oxlint-disable-next-line unicorn/no-thenable -- a property of JSON, never awaited
  then: z.array(LaterTransition).default([]).describe('Transitions after the checkout'),
});
export type OrderRecipe = z.output<typeof OrderRecipe>;
