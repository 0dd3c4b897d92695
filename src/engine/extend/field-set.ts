import type * as z from 'zod';
import { contains } from '../definition/listing.ts';
import { minorUnits, mustExist } from '../definition/records.ts';
import { isObject } from '../lib/json-value.ts';
import { snakeCase, type Snake } from '../lib/names.ts';
import type { FieldIssue } from '../lib/problem.ts';
import type { RestSettings } from '../rest/endpoint.ts';
import { extensionMark, secretMark } from '../rest/field.ts';
import type { AnyDatabase } from '../store/database.ts';
import type { Row } from '../store/row.ts';
import type { AnyField, Field, Reference } from './field.ts';

/** Fields by the names of their parameters. */
export type Fields = Readonly<Record<string, AnyField>>;

/** The name of a field in records and responses. */
export type StoredName<Name, One> =
  One extends Field<unknown, boolean, infer As>
    ? string extends As
      ? Name extends string
        ? Snake<Name>
        : never
      : As
    : never;

/** Values by name. */
type Values = Readonly<Record<string, unknown>>;

/** Returns the name of a field in records and responses: `loyaltyPoints` → `loyalty_points`. */
export function storedName(name: string, { options }: Pick<Field, 'options'>): string {
  return options.as ?? snakeCase(name);
}

/** `inventory_unit` → `inventoryUnit` */
export function camelCase(name: string): string {
  return name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** `loyaltyPoints`, or `loyalty_points` → `Loyalty points` */
export function inWords(name: string): string {
  const words = snakeCase(name).replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function mapFields<Result>(
  fields: Fields,
  entry: (name: string, field: AnyField) => readonly [string, Result] | undefined,
): Record<string, Result> {
  const entries = Object.entries(fields).map(([name, field]) => entry(name, field));
  return Object.fromEntries(entries.filter((one) => one !== undefined));
}

/** Returns a schema with the description of a field, marked as an extension of the API. */
export function described(schema: z.ZodType, name: string, { options }: AnyField): z.ZodType {
  const { description = inWords(name), secret } = options;
  const meta = { description, [extensionMark]: true };
  return schema.meta(secret === true ? { ...meta, [secretMark]: true } : meta);
}

/** Returns the fields of a record's schema. */
export function recordShape(fields: Fields): z.ZodRawShape {
  return mapFields(fields, (name, field) => {
    if (field.compute !== undefined) return undefined;
    const value = field.options.default;
    const schema = value === undefined ? field.stored : field.stored.default(value);
    return [storedName(name, field), field.isOptional ? schema.optional() : schema];
  });
}

/** Returns the values of records that were created without them. */
export function defaultsOf(fields: Fields): Values {
  return mapFields(fields, (name, field) => {
    const value = field.options.default;
    return value === undefined ? undefined : [storedName(name, field), value];
  });
}

/** Returns the names of secret fields in records. */
export function secretFields(fields: Fields): ReadonlySet<string> {
  const secret = Object.entries(fields).filter(([, { options }]) => options.secret === true);
  return new Set(secret.map((one) => storedName(...one)));
}

/** Returns what the texts of public fields are about, by their names in records. */
export function publicTexts(fields: Fields): Readonly<Record<string, 'public'>> {
  return mapFields(fields, (name, field) =>
    field.options.public === true ? [storedName(name, field), 'public'] : undefined,
  );
}

/** Returns the fields of a view's schema. */
export function viewShape(fields: Fields): z.ZodRawShape {
  return mapFields(fields, (name, field) => {
    const schema = field.isOptional ? field.stored.optional() : field.stored;
    return [storedName(name, field), described(schema, name, field)];
  });
}

/** Returns the functions that get the values of a view from a record, by name. */
function shownValues(fields: Fields) {
  return Object.entries(fields).map(([key, field]) => {
    const name = storedName(key, field);
    return {
      name,
      valueOf: (record: Row): unknown =>
        field.compute === undefined ? valueIn(record, name) : field.compute(record as never),
    };
  });
}

/** Returns the values of a record in a view. */
export function shownFields(fields: Fields): (record: Row) => Values {
  const all = shownValues(fields);
  return (record) => {
    const shown: Record<string, unknown> = {};
    for (const { name, valueOf } of all) {
      const value = valueOf(record);
      if (value !== undefined) shown[name] = value;
    }
    return shown;
  };
}

/** Returns the value of a field of a record. */
export function valueIn(record: object, name: string): unknown {
  return valuesOf(record)[name];
}

/** Returns the values of a record, or of a request, which may have none. */
export function valuesOf(value: unknown): Values {
  return isObject(value) ? value : {};
}

/** Returns a schema as documents describe it. */
type Describe = (schema: z.ZodType, name: string, field: AnyField) => z.ZodType;

/** Returns the parameters of a form. An empty value of an optional one clears it. */
export function bodyShape(fields: Fields, describe: Describe): z.ZodRawShape {
  return mapFields(fields, (name, field) => {
    const { sent, isOptional, options } = field;
    if (sent === undefined) return undefined;
    const isRequired = options.default === undefined;
    const schema = isOptional ? sent.nullable().optional() : isRequired ? sent : sent.optional();
    return [name, describe(schema, name, field)];
  });
}

/** Returns the filters of a list. */
export function criteriaShape(fields: Fields, describe: Describe): z.ZodRawShape {
  return mapFields(fields, (name, field) => {
    const { criterion = field.sent, options } = field;
    return options.filter !== true || criterion === undefined
      ? undefined
      : [name, describe(criterion.optional(), name, field)];
  });
}

/** Returns the fields by which a list can be sorted. */
export function sortedFields(fields: Fields): string[] {
  return Object.entries(fields).flatMap(([name, field]) =>
    field.options.sort === true ? [storedName(name, field)] : [],
  );
}

/** Returns the filter of a list by the criteria of a request, if some of them are of these fields. */
export function filterOf(fields: Fields, criteria: unknown): ((row: Row) => boolean) | undefined {
  const sent = Object.entries(valuesOf(criteria)).flatMap(([name, value]) => {
    const field = fields[name];
    return field === undefined || value === undefined
      ? []
      : [testOf(storedName(name, field), value)];
  });
  return sent.length === 0 ? undefined : (row) => sent.every((test) => test(row));
}

function testOf(name: string, wanted: unknown): (row: Row) => boolean {
  const matches = typeof wanted === 'string' ? contains(wanted) : undefined;
  return (row) => {
    const value = valueIn(row, name);
    if (Array.isArray(value)) return value.includes(wanted);
    return matches === undefined ? value === wanted : typeof value === 'string' && matches(value);
  };
}

/** A field that refers to a table, and where it is. */
export interface Referring extends Reference {
  /** The name of its parameter, and that in records. */
  readonly parameter: string;
  readonly name: string;
}

export function referencesIn(fields: Fields): Referring[] {
  return Object.entries(fields).flatMap(([parameter, field]) => {
    const { reference } = field;
    return reference === undefined
      ? []
      : [{ ...reference, parameter, name: storedName(parameter, field) }];
  });
}

/** Returns the ids in the value of a reference: of one record, of several or of none. */
export function idsIn(value: unknown): number[] {
  return [value].flat().filter((one) => typeof one === 'number');
}

/** Returns an issue for each reference to a record that does not exist. */
export function referenceIssues(
  fields: Fields,
  db: AnyDatabase,
  body: unknown,
): (FieldIssue | undefined)[] {
  const sent = valuesOf(body);
  return referencesIn(fields).map(({ parameter, table: key }) => {
    const table = db[key];
    return table && mustExist(parameter, table, idsIn(sent[parameter]));
  });
}

/**
 * Returns the values that a request writes to a record. A PUT sets all fields: those that it omits to their defaults.
 *
 * @param body valid parameters
 */
export function storedValues(
  fields: Fields,
  body: unknown,
  method: string,
  settings: RestSettings,
): Values {
  const sent = valuesOf(body);
  return mapFields(fields, (name, field) => {
    const isLeft = sent[name] === undefined && method !== 'PUT';
    if (field.compute !== undefined || isLeft) return undefined;
    const value = sent[name] ?? undefined;
    const stored = field.isMoney === true && typeof value === 'number';
    return [
      storedName(name, field),
      stored ? minorUnits(settings, value) : (value ?? field.options.default),
    ];
  });
}

/** Returns example parameters of a form. */
export function exampleBody(fields: Fields): Record<string, unknown> {
  return mapFields(fields, (name, { sent, isOptional, options, example }) =>
    sent === undefined || isOptional || options.default !== undefined ? undefined : [name, example],
  );
}

/** Returns the values of these fields, and the others. */
export function divide(fields: Fields, body: unknown): readonly [own: Values, others: Values] {
  const entries = Object.entries(valuesOf(body));
  return [
    Object.fromEntries(entries.filter(([name]) => Object.hasOwn(fields, name))),
    Object.fromEntries(entries.filter(([name]) => !Object.hasOwn(fields, name))),
  ];
}
