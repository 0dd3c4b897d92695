import * as z from 'zod';
import { Id, Timestamp } from './fields.ts';
import type { RowOf } from '../store/row.ts';
import { defineTable } from '../store/table-definition.ts';

/** What a client of the interface was given in place of a password. */
export const Token = z.object({
  id: Id,
  kind: z.enum(['access', 'refresh']),
  value: z.string(),
  client: z.string().describe('The id of the client that asked for it'),
  username: z.string().describe('In whose name it was asked for'),
  user_id: Id.optional().describe('The record of that user; the demo user may have none'),
  expires_at: Timestamp,
});
export type Token = RowOf<typeof Token>;

export const tokens = defineTable({
  name: 'tokens',
  singular: 'token',
  schema: Token,
  unique: { value: (row) => row.value },
  indexes: { expiry: (row) => [row.expires_at] },
});
