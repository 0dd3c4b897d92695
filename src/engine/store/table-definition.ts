import * as z from 'zod';
import type { Clock } from '../lib/virtual-clock.ts';
import { type Path, type Row, type RowOf, hasId, isPlain, type Fields } from './row.ts';
import type { Transaction } from './transaction.ts';
import { capped, Problem } from '../lib/problem.ts';
import { unknownKeys } from '../lib/unknown-keys.ts';

/** What a text says about a person, in the plural. */
export type PersonKind =
  | 'first names'
  | 'last names'
  | 'usernames'
  | 'e-mails'
  | 'streets'
  | 'cities'
  | 'postcodes'
  | 'notes'
  | 'passwords'
  | 'tokens'
  | 'card digits';

/** What a text is about: `public` and `code` are about no person. A code, or the name of a place, may be the same as a name. */
export type TextKind = 'public' | 'code' | PersonKind;

/**
 * The definition of a table, without its data. There is one for each entity, shared by all back offices.
 *
 * @property name for messages: `orders`
 * @property singular for messages: `order`
 * @property schema schema of a record with `id`. If it has `created_at` and `updated_at`, the table stamps them
 * @property references fields with ids of other tables, and the names of these tables in `definitions`. The data that a
 *   shop opens with must have no broken references. Fields whose ids may outlive their record are left out
 * @property unique keys that no two live records share; undefined if a record has no such key
 * @property indexes keys to find and sort records by
 * @property defaults the values of fields that new records have if their creator names none
 * @property secret fields whose values stand in no journal, history, trace or table of the studio
 * @property texts what its fields of text are about (default: unknown, so that `pull --anonymise` replaces them)
 * @property softDelete whether removed records stay readable by `getWithDeleted`
 * @property isAdded whether an extension adds it: a scenario leaves out inherited records of it that refer to what it lacks
 * @property added the optional references that an extension adds to it: a scenario leaves out inherited values of them, too
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
  readonly defaults?: Readonly<Record<string, unknown>>;
  readonly secret?: ReadonlySet<string>;
  readonly texts?: Readonly<Record<string, TextKind>>;
  readonly softDelete?: boolean;
  readonly isAdded?: boolean;
  readonly added?: ReadonlySet<string>;
}

/** Returns the key of a row in an index, without its id. A row without a key, or without a part of it, is not in the index. */
export type Index<R> = (row: R) => readonly (string | number | undefined)[] | undefined;

/** Returns the definition, with the types of its rows and the names of its indexes and unique keys inferred. */
export function defineTable<
  Schema extends z.ZodType<Row>,
  IndexName extends string = never,
  UniqueName extends string = never,
>(
  definition: TableDefinition<Schema, IndexName, UniqueName>,
): TableDefinition<Schema, IndexName, UniqueName> {
  return definition;
}

/** The parts of a table definition that a set of rows requires. */
export interface RowSetDefinition<R extends Row> {
  readonly name: string;
  readonly singular: string;
  readonly unique?: Readonly<Record<string, (row: R) => string | undefined>>;
  readonly indexes?: Readonly<Record<string, Index<R>>>;
  readonly softDelete?: boolean;
}

/** The parts that all tables of a database share. */
export interface TableContext {
  readonly clock: Clock;
  readonly transaction: Transaction;
}

/** Receives each write to a table before it is made. */
export interface WriteListener<R extends Row> {
  /** Whether it is to be called. */
  readonly isActive: boolean;
  /** Can change the record, which is frozen and stored afterwards. */
  create(record: Fields<R>, initialValues: unknown): void;
  /** Can reset fields of the next record. Returns whether it did. */
  update(previous: R, next: Fields<R>, paths: readonly Path[]): boolean;
  /** Returns whether the row stays. */
  delete(row: R): boolean;
}

/** The result of a schema, which is a promise if a part of the schema is asynchronous. */
export type MaybePromise<T> = T | Promise<T>;

/** Calls a function with a value: synchronously unless the value is a promise. */
export function andThen<T, Result>(
  value: MaybePromise<T>,
  next: (value: T) => MaybePromise<Result>,
): MaybePromise<Result> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/**
 * Parses a record by the schema.
 *
 * @param label names the record in messages: `orders: record 3`
 * @throws Problem `invalid` with one field for each issue
 */
export function validate<R extends Row = Row>(
  schema: z.ZodType<Row>,
  value: unknown,
  label: string,
): MaybePromise<Fields<R>> {
  return andThen(schema['~standard'].validate(value), (result) => {
    if (result.issues !== undefined) throw invalid(label, result.issues);
    if (isPlain(result.value) && hasId<R>(result.value)) return result.value;
    throw new Problem('fault', `${label}: the schema must return records with an id`);
  });
}

/** Throws as `validate` does, for a record that was changed after validation. Ignores asynchronous schemas. */
export function assertValid(schema: z.ZodType<Row>, value: unknown, label: string): void {
  const result = schema['~standard'].validate(value);
  if (!(result instanceof Promise) && result.issues !== undefined)
    throw invalid(label, result.issues);
}

/**
 * Returns values, if the schema has all their fields: others would be dropped, or kept unseen.
 *
 * @throws Problem `invalid` as `validate`
 */
export function withKnownFields<Given extends object>(
  { name, schema }: { readonly name: string; readonly schema: z.ZodType<Row> },
  values: Given,
  id?: number,
): Given {
  if (!(schema instanceof z.ZodObject) || schema.def.catchall !== undefined) return values;
  const known = Object.keys(schema.shape);
  const keys = Object.keys(values).filter((key) => !known.includes(key));
  if (keys.length === 0) return values;
  const label = id === undefined ? 'new record' : `record ${id}`;
  throw invalid(`${name}: ${label}`, [{ message: unknownKeys(keys, known) }]);
}

interface Issue {
  readonly message: string;
  readonly path?: ReadonlyArray<PropertyKey | { readonly key: PropertyKey }> | undefined;
}

function invalid(label: string, issues: readonly Issue[]): Problem {
  const fields = issues.map(({ path = [], message }) => ({
    path: path.map((part) => String(typeof part === 'object' ? part.key : part)),
    message,
  }));
  const lines = fields.map(({ path, message }) =>
    [...(path.length > 0 ? [path.join('.')] : []), message].join(': '),
  );
  const list = capped(lines, (note) => note);
  return new Problem('invalid', `${label} does not match the schema: ${list.join('; ')}`, {
    fields,
  });
}
