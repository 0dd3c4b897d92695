import * as z from 'zod';
import { Id } from './fields.ts';
import type { RowOf } from '../store/row.ts';
import { defineTable } from '../store/table-definition.ts';

/** A place in the shop's catalogue, as promotion rules of type `taxonomy` name it. */
export const Taxon = z.object({ id: Id, name: z.string() });
export type Taxon = RowOf<typeof Taxon>;

export const taxons = defineTable({ name: 'taxons', singular: 'taxon', schema: Taxon });
