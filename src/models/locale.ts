import * as z from 'zod';
import { Id } from './fields.ts';
import type { RowOf } from './row.ts';
import { defineTable } from './table-definition.ts';

export const Locale = z.object({ id: Id, code: z.string() });
export type Locale = RowOf<typeof Locale>;

export const locales = defineTable({
  name: 'locales',
  singular: 'locale',
  schema: Locale,
  unique: { code: (row) => row.code },
});
