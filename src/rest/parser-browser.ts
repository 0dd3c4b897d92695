import type * as z from 'zod';
import type { Parse } from './parser.ts';

/** The same for a page (`browser` in package.json puts it there), which would have to load what compiles schemas. */
export function parser(schema: z.ZodObject): Parse {
  return (value) => schema.safeParse(value);
}
