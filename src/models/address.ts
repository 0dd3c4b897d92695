import * as z from 'zod';
import { Id, stamps } from './fields.ts';
import type { RowOf } from '../store/row.ts';
import { defineTable } from '../store/table-definition.ts';

export const Address = z.object({
  id: Id,
  first_name: z.string(),
  last_name: z.string(),
  street: z.string(),
  city: z.string(),
  postcode: z.string(),
  country_id: Id,
  province_id: Id.optional(),
  ...stamps,
});
export type Address = RowOf<typeof Address>;

export const addresses = defineTable({
  name: 'addresses',
  singular: 'address',
  schema: Address,
  references: { country_id: 'countries', province_id: 'provinces' },
});
