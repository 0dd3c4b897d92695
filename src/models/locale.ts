import * as z from 'zod';
import { Id } from './fields.ts';
import type { RowOf } from '../store/row.ts';
import { defineTable } from '../store/table-definition.ts';

export const Locale = z.object({ id: Id, code: z.string() });
export type Locale = RowOf<typeof Locale>;

export const locales = defineTable({
  name: 'locales',
  singular: 'locale',
  schema: Locale,
  unique: { code: (row) => row.code },
});
