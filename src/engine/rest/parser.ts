import type * as z from 'zod';
import { compiler } from './compiler.ts';

/** Parses a value with a schema. */
export type Parse = (value: unknown) => z.ZodSafeParseResult<unknown>;

/** Parses before a schema is compiled. Compilation takes as long as some twenty of them. */
const uncompiledParses = 8;

/**
 * Compiles a schema after a few parses, which makes parsing several times as fast. A test parses few bodies with each
 * form, and its process then ends.
 */
export function parser(schema: z.ZodObject): Parse {
  let count = 0;
  let compiled: z.ZodObject | undefined;
  return (value) => {
    count += 1;
    if (count <= uncompiledParses || !compiler.isLoaded()) {
      return schema.safeParse(value, { jitless: true });
    }
    compiled ??= compiler.parts().compile(schema);
    return compiled.safeParse(value);
  };
}
