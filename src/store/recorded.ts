import type { Collection, Query } from '@msw/data';
import type * as z from 'zod';
import type { New, Row } from './row.ts';

/**
 * The record type in the signatures of the library. It names marks that the library puts on records for the sake of
 * its relations; rows have none, and nothing outside of the library can read them.
 */
export type Recorded<Schema extends z.ZodType<Row>> = ReturnType<Collection<Schema>['all']>[number];

/** Values of a record to be, before the schema has filled in its defaults. A table fills in the id and the stamps. */
export type Input<Schema extends z.ZodType<Row>> =
  | Parameters<Collection<Schema>['create']>[0]
  | New<Parameters<Collection<Schema>['create']>[0]>;

/** What a method of the library can be given to say which records are meant. */
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

/** The option to throw where nothing matches. */
export interface Strict<S extends boolean> {
  strict?: S;
}

/** What a method of the library answers that looks for one record. */
export type Found<Schema extends z.ZodType<Row>, S extends boolean> = S extends true
  ? Recorded<Schema>
  : Recorded<Schema> | undefined;

export type Hooks<Schema extends z.ZodType<Row>> = Collection<Schema>['hooks'];

/**
 * Takes a value for what it is known to be where a type that hangs on the schema cannot tell: rows that the schema has
 * passed, and rows in the signatures of the library.
 */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the type is the caller's word
export function typed<T>(value: unknown): T;
export function typed(value: unknown): unknown {
  return value;
}
