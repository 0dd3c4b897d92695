import * as z from 'zod';
import { Id } from './fields.ts';
import type { RowOf } from '../store/row.ts';
import { defineTable } from '../store/table-definition.ts';

export const ZoneType = z.enum(['country', 'province', 'zone']);

export const Zone = z.object({
  id: Id,
  name: z.string(),
  type: ZoneType.describe('What its members are'),
  members: z.array(Id),
});
export type Zone = RowOf<typeof Zone>;

export const zones = defineTable({
  name: 'zones',
  singular: 'zone',
  schema: Zone,
  indexes: { type: (row) => [row.type] },
});
