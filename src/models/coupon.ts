import * as z from 'zod';
import { Id, stamps, Timestamp } from './fields.ts';
import type { RowOf } from '../store/row.ts';
import { defineTable } from '../store/table-definition.ts';

export const Coupon = z.object({
  id: Id,
  promotion_id: Id,
  code: z.string(),
  usage_limit: z.int().min(1).optional().describe('None: it can be used without end'),
  used: z.int().min(0),
  expires_at: Timestamp.optional(),
  ...stamps,
});
export type Coupon = RowOf<typeof Coupon>;

export const coupons = defineTable({
  name: 'coupons',
  singular: 'coupon',
  schema: Coupon,
  references: { promotion_id: 'promotions' },
  unique: { code: (row) => row.code },
  indexes: { promotion: (row) => [row.promotion_id] },
});
