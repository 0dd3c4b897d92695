import * as z from 'zod';
import { Id } from './fields.ts';
import type { RowOf } from '../store/row.ts';
import { defineTable } from '../store/table-definition.ts';

export const TaxCategory = z.object({ id: Id, name: z.string() });
export type TaxCategory = RowOf<typeof TaxCategory>;

export const taxCategories = defineTable({
  name: 'tax_categories',
  singular: 'tax category',
  schema: TaxCategory,
});
