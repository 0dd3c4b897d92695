import * as z from 'zod';
import { Id } from './fields.ts';
import type { RowOf } from '../store/row.ts';
import { defineTable } from '../store/table-definition.ts';

export const Province = z.object({ id: Id, country_id: Id, name: z.string() });
export type Province = RowOf<typeof Province>;

export const provinces = defineTable({
  name: 'provinces',
  singular: 'province',
  schema: Province,
  indexes: { country: (row) => [row.country_id] },
});
