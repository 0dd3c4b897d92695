import * as z from 'zod';
import { isForwardDuration } from '../../engine/lib/duration.ts';
import { Id } from '../../engine/lib/fields.ts';
import type { EngineSettings, EngineShop } from '../../engine/definition/api.ts';
import type { Database } from '../models/database.ts';
import type { ScriptRule } from '../models/script-rule.ts';

const Lifetime = z
  .string()
  .refine((text) => isForwardDuration(text), 'expected an ISO 8601 duration such as PT3H');

/** Settings of the checkout, which differ between deployments. */
export const CheckoutSettings = z.strictObject({
  cartLifetime: Lifetime.default('PT3H').describe(
    'Time from `created_at` to `expires_at` of a cart; changes do not extend it',
  ),
  expiry: z
    .enum(['abandon', 'ignore'])
    .default('abandon')
    .describe(
      'Effect of `expires_at` on a cart: `abandon` makes it `abandoned` and rejects its checkout, `ignore` has none',
    ),
  pendingLifetime: Lifetime.optional().describe(
    'Time from `completed_at` until an unpaid order is `released`, with its stock; if unset, never',
  ),
  totals: z
    .enum(['live', 'at-steps'])
    .default('live')
    .describe(
      'When an added item changes the totals: `live` at once, `at-steps` from the addressing step on',
    ),
  repriceAtConfirm: z
    .boolean()
    .default(false)
    .describe(
      'Whether confirming an order updates the prices of its items, except immutable ones, to those of their variants',
    ),
  itemCount: z
    .enum(['lines', 'quantity'])
    .default('lines')
    .describe(
      'Value that the promotion rule `item_count` counts: order items, or the sum of their quantities',
    ),
  backorders: z
    .boolean()
    .default(true)
    .describe('Whether more can be ordered than is on hand; if not, such an item is rejected'),
  stepBack: z
    .boolean()
    .default(false)
    .describe(
      'Whether an earlier step of the checkout may be repeated; results of later steps are discarded',
    ),
  defaultTaxZone: Id.optional().describe(
    'Zone whose tax rates apply if no zone matches the shipping address; if unset, no tax',
  ),
});
export type CheckoutSettings = z.output<typeof CheckoutSettings>;

/** The state machines of the shop. */
export type MachineName = 'order' | 'payment' | 'shipment' | 'inventory_unit';

/** A shop as the checkout uses it. */
export interface Shop extends EngineShop {
  readonly db: Database;
  settings: EngineSettings & CheckoutSettings;
  readonly firedRules: ScriptRule[];
  readonly matchedRules: ScriptRule[];
}
