import * as z from 'zod';
import { Id } from './fields.ts';
import type { RowOf } from '../store/row.ts';
import { defineTable } from '../store/table-definition.ts';

export const ShippingCategory = z.object({ id: Id, name: z.string() });
export type ShippingCategory = RowOf<typeof ShippingCategory>;

export const shippingCategories = defineTable({
  name: 'shipping_categories',
  singular: 'shipping category',
  schema: ShippingCategory,
});
