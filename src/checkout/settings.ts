import * as z from 'zod';
import { isForwardDuration } from '../lib/duration.ts';
import { Id } from '../models/fields.ts';

const Lifetime = z
  .string()
  .refine((text) => isForwardDuration(text), 'expected an ISO 8601 duration such as PT3H');

/** How the checkout works, where deployments differ. */
export const CheckoutSettings = z.strictObject({
  cartLifetime: Lifetime.default('PT3H').describe(
    'How long a cart lives, from `created_at` to `expires_at`; it is not prolonged',
  ),
  expiry: z
    .enum(['abandon', 'ignore'])
    .default('abandon')
    .describe(
      'What becomes of a cart past `expires_at`: `abandon` makes it `abandoned` and refuses its checkout, `ignore` leaves it',
    ),
  pendingLifetime: Lifetime.optional().describe(
    'How long an order may wait for its payment, from `completed_at`, before it is `released` and its stock is free again; none, for ever',
  ),
  totals: z
    .enum(['live', 'at-steps'])
    .default('live')
    .describe(
      'When totals follow an added item: `live` at once, `at-steps` from the addressing step on',
    ),
  repriceAtConfirm: z
    .boolean()
    .default(false)
    .describe(
      'Whether items that are not immutable take the price of their variant when the order is confirmed',
    ),
  itemCount: z
    .enum(['lines', 'quantity'])
    .default('lines')
    .describe('What the promotion rule `item_count` counts: order items, or their quantities'),
  backorders: z
    .boolean()
    .default(true)
    .describe('Whether more can be ordered than is on hand; if not, such an item is refused'),
  stepBack: z
    .boolean()
    .default(false)
    .describe(
      'Whether an earlier step of the checkout may be taken again; what later steps gave is dropped',
    ),
  defaultTaxZone: Id.optional().describe(
    'The zone that taxes are taken from where no zone fits the shipping address; none, no tax',
  ),
});
export type CheckoutSettings = z.output<typeof CheckoutSettings>;
