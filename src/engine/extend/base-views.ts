import type * as z from 'zod';

/** The schemas of views that were extended, by those with the fields that were added. */
const bases = new WeakMap<z.core.$ZodType, z.core.$ZodType>();

export function noteBase(extended: z.core.$ZodType, base: z.core.$ZodType): void {
  bases.set(extended, base);
}

/** Returns the schema of the view that was extended, or the schema itself. */
export function baseView(schema: z.core.$ZodType): z.core.$ZodType {
  const base = bases.get(schema);
  return base === undefined ? schema : baseView(base);
}
