import * as z from 'zod';
import { CurrencyCode, Id } from './fields.ts';
import type { RowOf } from '../store/row.ts';
import { defineTable } from '../store/table-definition.ts';

export const Currency = z.object({ id: Id, code: CurrencyCode });
export type Currency = RowOf<typeof Currency>;

export const currencies = defineTable({
  name: 'currencies',
  singular: 'currency',
  schema: Currency,
  unique: { code: (row) => row.code },
});
