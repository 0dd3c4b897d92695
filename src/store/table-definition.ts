import type * as z from 'zod';
import type { Clock } from '../lib/virtual-clock.ts';
import { type Key, type Path, type Row, type RowOf, isPlain, type Fields } from './row.ts';
import type { Transaction } from './transaction.ts';
import { capped, Problem } from '../lib/problem.ts';

/**
 * What a table is, apart from what it holds: one for each entity, shared by all back offices.
 *
 * @property name for messages: `orders`
 * @property singular for messages: `order`
 * @property schema of a record: an object with `id`, perhaps with `created_at` and `updated_at`, which the table stamps
 * @property references the tables whose ids its fields hold, by the names of `definitions`; a broken one is an issue of
 *   the data that a shop opens with. Fields whose ids may outlive their record are left out
 * @property unique what no two live records may share; undefined: the record claims nothing
 * @property indexes what records can be found and sorted by
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
  readonly indexes?: { readonly [Name in IndexName]: Index<RowOf<Schema>> };
  readonly softDelete?: boolean;
}

/**
 * An index by fields, for example `{ by: ['expires_at'], where: ['state', 'is', 'cart'] }`.
 *
 * @property by one or two fields of texts or numbers; rows that lack one of them are not in the index
 * @property where the rows that are in the index (default: all), as in a partial index of SQL
 */
export interface FieldIndex<R> {
  readonly by: readonly [KeyField<R>] | readonly [KeyField<R>, KeyField<R>];
  readonly where?: Condition<R>;
}

/** An index by fields, or by a function that returns the key of a row, without its id, if the row is in the index. */
export type Index<R> = FieldIndex<R> | ((row: R) => Key | undefined);

type KeyField<R> = {
  [Field in keyof R]-?: R[Field] extends string | number | undefined ? Field : never;
}[keyof R];

type Condition<R> = {
  [Field in keyof R]-?: readonly [field: Field, comparison: 'is' | 'is not', value: R[Field]];
}[keyof R];

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

/** What the tables of a database share. */
export interface TableContext {
  readonly clock: Clock;
  readonly transaction: Transaction;
}

/** Receives each write to a table before it is made. */
export interface WriteListener {
  /** Whether it has any use for writes. If not, nothing is prepared for it. */
  readonly isActive: boolean;
  /** Can change the record, which is frozen and stored afterwards. */
  create(record: Fields, initialValues: unknown): void;
  /** Can reset fields of the next record. Returns whether it did. */
  update(previous: Row, next: Fields, paths: readonly Path[]): boolean;
  /** Returns whether the row stays. */
  delete(row: Row): boolean;
}

/** A value, or the promise of one: what a schema gives depends on whether something in it is asynchronous. */
export type Soon<T> = T | Promise<T>;

/** Goes on with a value: at once, where it is there. */
export function whenever<T, Result>(
  value: Soon<T>,
  next: (value: T) => Soon<Result>,
): Soon<Result> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/**
 * What the schema makes of a record.
 *
 * @param what names the record in messages: `orders: record 3`
 * @throws Problem `invalid` with one field for each issue
 */
export function validate(schema: z.ZodType<Row>, value: unknown, what: string): Soon<Fields> {
  return whenever(schema['~standard'].validate(value), (result) => {
    if (result.issues !== undefined) throw invalid(what, result.issues);
    if (isFields(result.value)) return result.value;
    throw new Problem('fault', `${what}: the schema does not make records with an id`);
  });
}

/** Throws the same for a record that was changed after it was checked. A schema that takes its time is not asked again. */
export function assertValid(schema: z.ZodType<Row>, value: unknown, what: string): void {
  const result = schema['~standard'].validate(value);
  if (!(result instanceof Promise) && result.issues !== undefined)
    throw invalid(what, result.issues);
}

function isFields(value: unknown): value is Fields {
  return isPlain(value) && typeof value['id'] === 'number';
}

interface Issue {
  readonly message: string;
  readonly path?: ReadonlyArray<PropertyKey | { readonly key: PropertyKey }> | undefined;
}

function invalid(what: string, issues: readonly Issue[]): Problem {
  const fields = issues.map(({ path = [], message }) => ({
    path: path.map((part) => String(typeof part === 'object' ? part.key : part)),
    message,
  }));
  const lines = fields.map(({ path, message }) =>
    [...(path.length > 0 ? [path.join('.')] : []), message].join(': '),
  );
  const list = capped(lines, (note) => note);
  return new Problem('invalid', `${what} does not match the schema: ${list.join('; ')}`, {
    fields,
  });
}
