import * as z from 'zod';
import { Id } from './fields.ts';
import type { RowOf } from '../store/row.ts';
import { defineTable } from '../store/table-definition.ts';

export const Country = z.object({
  id: Id,
  name: z.string(),
  iso_name: z.string().describe('ISO 3166-1 alpha-2'),
});
export type Country = RowOf<typeof Country>;

export const countries = defineTable({ name: 'countries', singular: 'country', schema: Country });
