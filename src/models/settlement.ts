import * as z from 'zod';
import { Id, Timestamp } from './fields.ts';
import { PaymentOutcome } from './script-rule.ts';
import type { RowOf } from '../store/row.ts';
import { defineTable } from '../store/table-definition.ts';

/** A pending payment that the clock will settle. */
export const Settlement = z.object({
  id: Id,
  payment_id: Id,
  at: Timestamp,
  outcome: PaymentOutcome,
  reason: z.string().optional(),
});
export type Settlement = RowOf<typeof Settlement>;

export const settlements = defineTable({
  name: 'settlements',
  singular: 'settlement',
  schema: Settlement,
  indexes: { at: (row) => [row.at], payment: (row) => [row.payment_id] },
});
