import * as z from 'zod';
import { Id, stamps } from './fields.ts';
import type { RowOf } from '../store/row.ts';
import { defineTable } from '../store/table-definition.ts';

export const StockLocation = z.object({
  id: Id,
  code: z.string(),
  name: z.string(),
  enabled: z.boolean(),
  address_id: Id.optional(),
  ...stamps,
});
export type StockLocation = RowOf<typeof StockLocation>;

export const stockLocations = defineTable({
  name: 'stock_locations',
  singular: 'stock location',
  schema: StockLocation,
  references: { address_id: 'addresses' },
  unique: { code: (row) => row.code },
});
