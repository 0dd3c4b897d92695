import * as z from 'zod';

/** Returns the schema of a value within those by which it may be missing, null or read-only. */
export function unwrapped(schema: z.core.$ZodType): z.core.$ZodType {
  return schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault ||
    schema instanceof z.ZodReadonly
    ? unwrapped(schema.unwrap())
    : schema;
}

/** Returns the schemas of the fields of an object, by name; none of a value of another kind. */
export function fieldsOf(
  schema: z.core.$ZodType | undefined,
): Readonly<Record<string, z.core.$ZodType>> {
  const inner = schema && unwrapped(schema);
  return inner instanceof z.ZodObject ? inner.shape : {};
}
