import * as z from 'zod';
import { blankMessage, extensionMark } from '../rest/field.ts';
import { notValid, type Form } from '../rest/form.ts';
import { referred } from './field.ts';
import type { RecordUuids } from './record-uuids.ts';

/** Converts an id of a table. Other values are returned as they are. */
export type ConvertId = (table: string, id: unknown) => unknown;

/** Writes ids as UUIDs. */
export function outsideOf(uuids: RecordUuids): ConvertId {
  return (table, id) => (typeof id === 'number' ? uuids.uuidOf(table, id) : id);
}

/** Reads UUIDs. No record has the id 0, which those of no record are. */
export function insideOf(uuids: RecordUuids): ConvertId {
  return (table, id) => (typeof id === 'string' ? (uuids.idOf(table, id) ?? 0) : id);
}

/** A schema with UUIDs in the place of integers, and what converts these in a value. */
export interface IdSchema<Schema extends z.ZodType = z.ZodType> {
  readonly schema: Schema;
  readonly convert: (value: unknown, each: ConvertId) => unknown;
}

/** Returns the table to whose ids the parameters of a name refer, if they do and these are UUIDs. */
export type TableOfName = (name: string) => string | undefined;

/** What says of which table an id is. */
export interface IdTables {
  readonly named: TableOfName;
  /** Whether the records of a table have UUIDs. */
  readonly isShown: (table: string) => boolean;
}

/** Returns the schema of ids in requests or, without one to begin from, of those in responses. */
export function uuidSchema(from?: z.ZodNumber): z.ZodType {
  const { description } = (from && z.globalRegistry.get(from)) ?? {};
  const blank = from?.safeParse(undefined).error?.issues[0]?.message;
  const text = z.string(blank === undefined ? {} : { error: blankMessage(blank) });
  const schema = text.check(z.uuid({ error: notValid }));
  return schema.meta({ ...(description && { description }), [extensionMark]: true });
}

/** Returns a form that accepts UUIDs, with what converts ids in its values; undefined if it has no such parameter. */
export function idForm(
  form: Form<unknown>,
  isPartial: boolean,
  tables: IdTables,
): { readonly form: Form<unknown>; readonly convert: IdSchema['convert'] } | undefined {
  const { criteria } = form.schema.shape as { readonly criteria?: z.ZodOptional<z.ZodObject> };
  const sent = 'sorting' in form.schema.shape && criteria ? criteria.unwrap() : form.schema;
  const changed = Object.entries<z.core.$ZodType>(sent.shape).flatMap(([name, field]) => {
    // All parameters of a partial form are optional.
    const own = isPartial && field instanceof z.ZodOptional ? field.def.innerType : field;
    const schema = idSchema(own as z.ZodType, name, tables);
    return schema === undefined ? [] : [[name, schema] as const];
  });
  const shape = Object.fromEntries(changed.map(([name, { schema }]) => [name, schema]));
  const extended = changed.length === 0 ? undefined : form.with?.(shape, []);
  if (extended === undefined) return undefined;
  const convert = convertAll(new Map(changed));
  return {
    form: extended,
    convert: (value, each) =>
      sent === form.schema ? convert(value, each) : atCriteria(value, each, convert),
  };
}

function atCriteria(value: unknown, each: ConvertId, convert: IdSchema['convert']): unknown {
  const { criteria } = value as { readonly criteria?: unknown };
  return criteria === undefined
    ? value
    : { ...(value as object), criteria: convert(criteria, each) };
}

/** @param isOwn whether the parameter is of an extension, whose references say their tables */
function idSchema(
  schema: z.ZodType,
  name: string,
  tables: IdTables,
  isOwn = false,
): IdSchema | undefined {
  const own = isOwn || z.globalRegistry.get(schema)?.[extensionMark] === true;
  const inside = (inner: z.core.$ZodType): IdSchema | undefined =>
    idSchema(inner as z.ZodType, name, tables, own);
  if (schema instanceof z.ZodOptional) return wrapped(schema, inside(schema.unwrap()), z.optional);
  if (schema instanceof z.ZodNullable) return wrapped(schema, inside(schema.unwrap()), z.nullable);
  if (schema instanceof z.ZodReadonly) return wrapped(schema, inside(schema.unwrap()), z.readonly);
  if (schema instanceof z.ZodArray) {
    const element = inside(schema.element);
    return (
      element && {
        schema: schema.clone({ ...schema.def, element: element.schema }, kept),
        convert: (value, each) =>
          Array.isArray(value) ? value.map((one) => element.convert(one, each)) : value,
      }
    );
  }
  if (schema instanceof z.ZodRecord) {
    const record: z.ZodRecord = schema;
    const one = inside(record.valueType);
    return (
      one && {
        schema: record.clone({ ...record.def, valueType: one.schema }, kept),
        convert: (value, each) => mapValues(value, (_, part) => one.convert(part, each)),
      }
    );
  }
  if (schema instanceof z.ZodObject) return idObject(schema, tables, own);
  const table = referred.get(schema)?.table ?? (own ? undefined : tables.named(name));
  if (!(schema instanceof z.ZodNumber) || table === undefined || !tables.isShown(table))
    return undefined;
  return { schema: uuidSchema(schema), convert: (value, each) => each(table, value) };
}

/** Keeps the description of a schema. */
const kept = { parent: true };

function wrapped(
  from: z.ZodType,
  inner: IdSchema | undefined,
  wrap: (inner: z.ZodType) => z.ZodType,
): IdSchema | undefined {
  const meta = z.globalRegistry.get(from);
  if (inner === undefined) return undefined;
  const schema = wrap(inner.schema);
  return { schema: meta === undefined ? schema : schema.meta(meta), convert: inner.convert };
}

function idObject(schema: z.ZodObject, tables: IdTables, isOwn: boolean): IdSchema | undefined {
  const changed = Object.entries(schema.shape).flatMap(([name, field]) => {
    const one = idSchema(field as z.ZodType, name, tables, isOwn);
    return one === undefined ? [] : [[name, one] as const];
  });
  if (changed.length === 0) return undefined;
  const shape = Object.fromEntries(changed.map(([name, one]) => [name, one.schema]));
  return {
    schema: schema.clone({ ...schema.def, shape: { ...schema.shape, ...shape } }, kept),
    convert: convertAll(new Map(changed)),
  };
}

function convertAll(parts: ReadonlyMap<string, IdSchema>): IdSchema['convert'] {
  return (value, each) =>
    mapValues(value, (name, part) => {
      const convert = parts.get(name)?.convert;
      return convert === undefined || part === undefined ? part : convert(part, each);
    });
}

function mapValues(value: unknown, change: (name: string, part: unknown) => unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]: [string, unknown]) => [name, change(name, part)]),
  );
}

/** Returns the fields of a view that are ids of other records: references of an extension. */
export function idFields(view: z.ZodObject, { isShown }: IdTables): ReadonlyMap<string, IdSchema> {
  const tables: IdTables = { named: () => undefined, isShown };
  const found = Object.entries(view.shape).flatMap(([name, field]) => {
    const one =
      field instanceof z.ZodObject ? undefined : idSchema(field as z.ZodType, name, tables);
    return one === undefined ? [] : [[name, one] as const];
  });
  return new Map(found);
}
