import type { Collection, Query } from '@msw/data';
import type * as z from 'zod';
import type { New, Row } from '../row.ts';

/**
 * The record type in the signatures of the library. It names marks that the library puts on records for the sake of
 * its relations. Rows have none, and nothing outside of the library can read them.
 */
export type Recorded<Schema extends z.ZodType<Row>> = ReturnType<Collection<Schema>['all']>[number];

/** Values of a new record, before the schema has filled in its defaults. The table adds the id and the stamps. */
export type Input<Schema extends z.ZodType<Row>> =
  | Parameters<Collection<Schema>['create']>[0]
  | New<Parameters<Collection<Schema>['create']>[0]>;

/** Selects records: a query, or a function that builds one. */
export type Matching<Schema extends z.ZodType<Row>> =
  | ((query: Query<Recorded<Schema>>) => Query<Recorded<Schema>>)
  | Query<Recorded<Schema>>;

export type FindOptions<Schema extends z.ZodType<Row>> = NonNullable<
  Parameters<Collection<Schema>['findMany']>[1]
>;

export type UpdateOptions<Schema extends z.ZodType<Row>> = Parameters<
  Collection<Schema>['updateMany']
>[1];

export type DeleteOptions<Schema extends z.ZodType<Row>> = NonNullable<
  Parameters<Collection<Schema>['deleteMany']>[1]
>;

/** The option to throw if nothing matches. */
export interface Strict<S extends boolean> {
  strict?: S;
}

/** The result of a method that looks for one record. */
export type Found<Schema extends z.ZodType<Row>, S extends boolean> = S extends true
  ? Recorded<Schema>
  : Recorded<Schema> | undefined;

export type Hooks<Schema extends z.ZodType<Row>> = Collection<Schema>['hooks'];
