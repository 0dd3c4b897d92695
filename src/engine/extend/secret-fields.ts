import * as z from 'zod';
import type { ApiEndpoint } from '../definition/api.ts';
import { secretMark } from '../rest/field.ts';

/** Returns a row with the names of its secrets. */
export function withSecrets(row: ApiEndpoint): ApiEndpoint {
  const names = new Set(row.secret);
  const schemas = [row.body?.schema, row.answer].filter((one) => one !== undefined);
  for (const schema of schemas) collect(schema, undefined, names, new Set());
  return names.size === 0 ? row : { ...row, secret: names };
}

/** Adds the names of marked schemas in a schema. */
function collect(
  schema: z.core.$ZodType,
  name: string | undefined,
  names: Set<string>,
  seen: Set<z.core.$ZodType>,
): void {
  if (name !== undefined && z.globalRegistry.get(schema)?.[secretMark] === true) names.add(name);
  if (seen.has(schema)) return;
  seen.add(schema);
  if (schema instanceof z.ZodObject)
    for (const [inner, one] of Object.entries<z.core.$ZodType>(schema.shape))
      collect(one, inner, names, seen);
  if (schema instanceof z.ZodArray) collect(schema.element, name, names, seen);
  if (schema instanceof z.ZodUnion)
    for (const one of schema.options) collect(one, name, names, seen);
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodReadonly ||
    schema instanceof z.ZodDefault
  )
    collect(schema.unwrap(), name, names, seen);
}
