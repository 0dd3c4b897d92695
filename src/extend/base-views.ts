import type * as z from 'zod';

/** The schemas of views that were extended, by those with the fields that were added. */
const bases = new WeakMap<z.ZodType, z.ZodType>();

export function noteBase(extended: z.ZodType, base: z.ZodType): void {
  bases.set(extended, base);
}

/** Returns the schema of the view that was extended, or the schema itself. */
export function baseView(schema: z.ZodType): z.ZodType {
  const base = bases.get(schema);
  return base === undefined ? schema : baseView(base);
}
