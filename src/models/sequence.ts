import * as z from 'zod';
import { Id } from './fields.ts';
import type { RowOf } from '../store/row.ts';
import { defineTable } from '../store/table-definition.ts';

/** Order numbers have nine digits. */
export const maxOrderNumber = 999_999_999;

/** A counter that never goes back, such as the one of order numbers. */
export const Sequence = z.object({
  id: Id,
  name: z.string(),
  value: z.int().min(0).max(maxOrderNumber),
});
export type Sequence = RowOf<typeof Sequence>;

export const sequences = defineTable({
  name: 'sequences',
  singular: 'sequence',
  schema: Sequence,
  unique: { name: (row) => row.name },
});
