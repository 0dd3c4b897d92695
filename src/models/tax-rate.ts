import * as z from 'zod';
import { Id } from './fields.ts';
import type { RowOf } from '../store/row.ts';
import { defineTable } from '../store/table-definition.ts';

export const TaxRate = z.object({
  id: Id,
  category_id: Id,
  zone_id: Id,
  name: z.string(),
  amount: z.number().min(0).describe('0.23 is 23 %'),
  included_in_price: z.boolean(),
});
export type TaxRate = RowOf<typeof TaxRate>;

export const taxRates = defineTable({
  name: 'tax_rates',
  singular: 'tax rate',
  schema: TaxRate,
  indexes: { category: (row) => [row.category_id, row.zone_id] },
});
