import * as z from 'zod';
import { lazyObject } from '../../engine/lib/lazy-object.ts';
import { Configuration, Id, stamps, Timestamp } from '../../engine/lib/fields.ts';
import type { RowOf } from '../../engine/store/row.ts';
import { defineTable } from '../../engine/store/table-definition.ts';

export const ActionType = z.enum([
  'fixed_discount',
  'percentage_discount',
  'shipping_discount',
  'add_product',
]);
export type ActionType = z.output<typeof ActionType>;

export const RuleType = z.enum([
  'item_total',
  'item_count',
  'nth_order',
  'shipping_country',
  'taxonomy',
  'contains_product',
  'user_loyalty',
]);
export type RuleType = z.output<typeof RuleType>;

export const PromotionAction = lazyObject(() => ({
  id: Id,
  type: ActionType,
  configuration: Configuration,
}));
export type PromotionAction = RowOf<typeof PromotionAction>;

export const PromotionRule = z.object({ id: Id, type: RuleType, configuration: Configuration });
export type PromotionRule = RowOf<typeof PromotionRule>;

export const Promotion = lazyObject(() => ({
  id: Id,
  name: z.string(),
  description: z.string().optional(),
  priority: z.int(),
  exclusive: z.boolean(),
  coupon_based: z.boolean(),
  usage_limit: z.int().min(0).optional(),
  used: z.int().min(0),
  starts_at: Timestamp.optional(),
  ends_at: Timestamp.optional(),
  actions: z.array(PromotionAction),
  rules: z.array(PromotionRule),
  ...stamps,
}));
export type Promotion = RowOf<typeof Promotion>;

export const promotions = defineTable({
  name: 'promotions',
  singular: 'promotion',
  schema: Promotion,
  texts: { name: 'public', description: 'public', actions: 'public', rules: 'public' },
  indexes: { priority: (row) => [-row.priority] },
});

export const Coupon = lazyObject(() => ({
  id: Id,
  promotion_id: Id,
  code: z.string(),
  usage_limit: z.int().min(1).optional().describe('Maximum number of uses (default: unlimited)'),
  used: z.int().min(0),
  expires_at: Timestamp.optional(),
  ...stamps,
}));
export type Coupon = RowOf<typeof Coupon>;

export const coupons = defineTable({
  name: 'coupons',
  singular: 'coupon',
  schema: Coupon,
  texts: { code: 'public' },
  references: { promotion_id: 'promotions' },
  unique: { code: (row) => row.code },
  indexes: { promotion: (row) => [row.promotion_id] },
});
