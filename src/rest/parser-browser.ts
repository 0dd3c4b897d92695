import type * as z from 'zod';
import type { Parse } from './parser.ts';

/**
 * The same for a page (`browser` in package.json puts it there): what compiles schemas is a tenth of what a page would
 * have to load, and saves next to nothing of what a service worker's round trip takes.
 */
export function parser(schema: z.ZodObject): Parse {
  return (value) => schema.safeParse(value);
}
