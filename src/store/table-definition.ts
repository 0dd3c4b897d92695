import type * as z from 'zod';
import type { Key, Row, RowOf } from './row.ts';

/**
 * What a table is, apart from what it holds: one for each entity, shared by all back offices.
 *
 * @property name for messages: `orders`
 * @property singular for messages: `order`
 * @property schema of a record: an object with `id`, perhaps with `created_at` and `updated_at`, which the table stamps
 * @property references the tables whose ids its fields hold, by the names of `definitions`; a broken one is an issue of
 *   the data that a shop opens with. Fields whose ids may outlive their record are left out
 * @property unique what no two live records may share; undefined: the record claims nothing
 * @property indexes what records can be found and sorted by; undefined: the record is not in that index. The id is
 *   appended by the table
 * @property softDelete whether removed records stay readable by `getWithDeleted`
 */
export interface TableDefinition<
  Schema extends z.ZodType<Row>,
  IndexName extends string = never,
  UniqueName extends string = never,
> {
  readonly name: string;
  readonly singular: string;
  readonly schema: Schema;
  readonly references?: { readonly [Field in keyof RowOf<Schema>]?: string };
  readonly unique?: { readonly [Name in UniqueName]: (row: RowOf<Schema>) => string | undefined };
  readonly indexes?: { readonly [Name in IndexName]: (row: RowOf<Schema>) => Key | undefined };
  readonly softDelete?: boolean;
}

/** Gives a definition the types that its tables need: rows, names of indexes and of unique keys. */
export function defineTable<
  Schema extends z.ZodType<Row>,
  IndexName extends string = never,
  UniqueName extends string = never,
>(
  definition: TableDefinition<Schema, IndexName, UniqueName>,
): TableDefinition<Schema, IndexName, UniqueName> {
  return definition;
}
