import type * as z from 'zod';
import { isObject } from '../lib/json-value.ts';
import { maxExact } from '../lib/numbers.ts';

/**
 * The base of every record. Ids are positive integers, ascending, never reused in a table. A type and not an interface,
 * so that a row is also a record of fields: `Values`.
 */
// oxlint-disable-next-line typescript/consistent-type-definitions -- an interface is no record
export type Row = { readonly id: number };

/** Whether a value has the base of a record. */
export function isRow(value: unknown): value is Row {
  return isObject(value) && typeof value['id'] === 'number';
}

/** Values of a record that is not yet stored. */
export type Values = Readonly<Record<string, unknown>>;

/** A record that is about to be stored: listeners can still change it, then the same object is frozen. */
export type Fields<R extends Row = Row> = R & Record<string, unknown>;

/** Whether values have an id. What else a record of the table has, the caller knows. */
export function hasId<R extends Row>(values: Values): values is Fields<R> {
  return typeof values['id'] === 'number';
}

/** Returns parsed fields in the order of the record that they were parsed from: a schema has its own. */
export function inOrderOf<Parsed extends Values>(record: object, fields: Parsed): Parsed {
  const names = Object.keys(record).filter((name) => Object.hasOwn(fields, name));
  const present = Object.keys(fields);
  if (names.every((name, at) => name === present[at])) return fields;
  return { ...Object.fromEntries(names.map((name) => [name, fields[name]])), ...fields };
}

/** The path of a field in a record: `['address', 'city']`. */
export type Path = ReadonlyArray<string | number>;

/** The maximum id: the id after it must be exact, too. */
const maxId = maxExact - 1;

export function isId(id: number): boolean {
  return Number.isInteger(id) && id >= 1 && id <= maxId;
}

export function idIssue(id: number): string {
  return id > maxId ? `id ${id} must be at most ${maxId}` : `id ${id} must be a positive integer`;
}

/** A sort key of an index, compared element by element. Numbers sort before texts. */
export type Key = readonly (string | number)[];

type Primitive = string | number | bigint | boolean | symbol | null | undefined;

/** The type of a deeply frozen value. */
export type Frozen<T> = T extends Primitive
  ? T
  : T extends object
    ? { readonly [K in keyof T]: Frozen<T[K]> }
    : T;

/** The type of a stored record, which is deeply frozen: `RowOf<typeof orderSchema>`. */
export type RowOf<Schema extends z.ZodType<Row>> =
  Frozen<z.output<Schema>> extends infer R extends Row ? R : never;

/** The fields that a table fills in. */
type Generated = 'id' | 'created_at' | 'updated_at';

/** Values of a new record. The fields that the table fills in are optional. */
export type New<R> = R extends unknown
  ? { readonly [K in keyof R as K extends Generated ? never : K]: R[K] } & {
      readonly [K in keyof R as K extends Generated ? K : never]?: R[K];
    }
  : never;

/** Fields to change. A field set to undefined is removed from the record. */
export type Changes<R extends Row> = R extends unknown
  ? { readonly [K in keyof R as K extends 'id' ? never : K]?: R[K] }
  : never;

/** Fields that are known to be deeply frozen: each change of a row freezes its fields, of which some are large. */
const frozen = new WeakSet<object>();

/** Returns a deeply frozen copy. Values that are deeply frozen are shared, not copied. The argument is not changed. */
export function deepFreeze<T extends object>(value: T): T;
export function deepFreeze(value: object): object {
  if (frozen.has(value)) return value;
  const copy = frozenCopy(value);
  frozen.add(copy);
  return copy;
}

function frozenCopy<T>(value: T): T;
function frozenCopy(value: unknown): unknown {
  if (isDeepFrozen(value)) return value;
  if (Array.isArray(value)) return Object.freeze(value.map((item: unknown) => frozenCopy(item)));
  return isPlain(value) ? frozenObject(value) : value;
}

/** Whether a value is deeply frozen. Objects other than lists and plain objects count as frozen. */
export function isDeepFrozen(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (Array.isArray(value)) return Object.isFrozen(value) && value.every(isDeepFrozen);
  if (!isPlain(value)) return true;
  if (!Object.isFrozen(value)) return false;
  for (const key in value) if (!isDeepFrozen(value[key])) return false;
  return true;
}

export function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function frozenObject(
  object: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(object)) copy[key] = frozenCopy(object[key]);
  return Object.freeze(copy);
}
