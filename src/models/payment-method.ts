import * as z from 'zod';
import { Id, stamps } from './fields.ts';
import type { RowOf } from '../store/row.ts';
import { defineTable } from '../store/table-definition.ts';

export const PaymentMethod = z.object({
  id: Id,
  name: z.string(),
  enabled: z.boolean(),
  ...stamps,
});
export type PaymentMethod = RowOf<typeof PaymentMethod>;

export const paymentMethods = defineTable({
  name: 'payment_methods',
  singular: 'payment method',
  schema: PaymentMethod,
});
