import type * as z from 'zod';
import type { Parse } from './parser.ts';

/** Replaces `parser.ts` in browsers (`browser` in package.json), which would have to download the compiler. */
export function parser(schema: z.ZodObject): Parse {
  return (value) => schema.safeParse(value);
}
