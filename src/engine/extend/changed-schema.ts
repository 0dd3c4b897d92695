import * as z from 'zod';
import { isObject } from '../lib/json-value.ts';

/** The replacement of a schema. */
export interface Changed<Context> {
  readonly schema: z.ZodType;
  /** Changes a value accordingly (default: it stays as it is). Values of another kind are returned as they are. */
  readonly change?: Change<Context> | undefined;
}

export type Change<Context> = (value: unknown, context: Context) => unknown;

/** Returns the replacement of a part; undefined if it stays. @param name that of the field */
type ChangePart<Context> = (part: z.core.$ZodType, name?: string) => Changed<Context> | undefined;

/** Returns a schema with other parts; undefined if all of them stay. */
export function withParts<Context>(
  schema: z.core.$ZodType,
  changePart: ChangePart<Context>,
): Changed<Context> | undefined {
  if (schema instanceof z.ZodOptional)
    return wrapped(schema, changePart(schema.unwrap()), z.optional);
  if (schema instanceof z.ZodNullable)
    return wrapped(schema, changePart(schema.unwrap()), z.nullable);
  if (schema instanceof z.ZodReadonly)
    return wrapped(schema, changePart(schema.unwrap()), z.readonly);
  if (schema instanceof z.ZodArray) {
    const array: z.ZodArray = schema;
    return wrapped(
      schema,
      changePart(array.element),
      (element) => array.clone({ ...array.def, element }),
      (value, each) => (Array.isArray(value) ? value.map(each) : value),
    );
  }
  if (schema instanceof z.ZodRecord) {
    const record: z.ZodRecord = schema;
    return wrapped(
      schema,
      changePart(record.valueType),
      (valueType) => record.clone({ ...record.def, valueType }),
      changeEntries,
    );
  }
  return schema instanceof z.ZodObject ? withFields(schema, changePart) : undefined;
}

function wrapped<Context>(
  from: z.core.$ZodType,
  inner: Changed<Context> | undefined,
  wrap: (inner: z.ZodType) => z.ZodType,
  changeParts: (value: unknown, each: (part: unknown) => unknown) => unknown = changeAny,
): Changed<Context> | undefined {
  if (inner === undefined) return undefined;
  const { change } = inner;
  return {
    schema: withMetadata(wrap(inner.schema), from),
    change: change && ((value, context) => changeParts(value, (part) => change(part, context))),
  };
}

function changeAny(value: unknown, each: (part: unknown) => unknown): unknown {
  return value === null || value === undefined ? value : each(value);
}

/** Views in a record are by their ids. */
function changeEntries(value: unknown, each: (part: unknown) => unknown): unknown {
  if (!isObject(value)) return value;
  const changed = Object.entries(value).map(([key, part]) => {
    const one = each(part);
    return [isObject(one) && 'id' in one ? one['id'] : key, one] as const;
  });
  return Object.fromEntries(changed);
}

function withFields<Context>(
  schema: z.ZodObject,
  changePart: ChangePart<Context>,
): Changed<Context> | undefined {
  const changed = changedFields(schema, changePart);
  const fields = new Map(changed.map(([name, field]) => [name, field.schema]));
  return changed.length === 0
    ? undefined
    : { schema: extended(schema, Object.fromEntries(fields)), change: changeFields(changed) };
}

type ChangedFields<Context> = readonly (readonly [name: string, Changed<Context>])[];

/** Returns the fields that change. */
export function changedFields<Context>(
  { shape }: z.ZodObject,
  changePart: ChangePart<Context>,
): ChangedFields<Context> {
  return Object.entries<z.core.$ZodType>(shape).flatMap(([name, field]) => {
    const changed = changePart(field, name);
    return changed === undefined ? [] : [[name, changed] as const];
  });
}

/** Returns the function that changes some fields of an object. */
export function changeFields<Context>(fields: ChangedFields<Context>): Change<Context> | undefined {
  const changing = fields.flatMap(([name, { change }]) => (change ? [{ name, change }] : []));
  if (changing.length === 0) return undefined;
  return (value, context) => {
    if (!isObject(value)) return value;
    const changed: Record<string, unknown> = { ...value };
    for (const { name, change } of changing)
      if (changed[name] !== undefined) changed[name] = change(changed[name], context);
    return changed;
  };
}

/** Returns a schema with more fields, or other ones of the same names. */
export function extended(schema: z.ZodObject, fields: z.ZodRawShape): z.ZodObject {
  return withMetadata(
    schema.clone({ ...schema.def, shape: { ...schema.shape, ...fields } }),
    schema,
  );
}

function withMetadata<Schema extends z.ZodType>(schema: Schema, from: z.core.$ZodType): Schema {
  const metadata = z.globalRegistry.get(from);
  return metadata === undefined ? schema : schema.meta(metadata);
}
