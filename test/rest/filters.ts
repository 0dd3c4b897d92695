import * as z from 'zod';
import type { ApiDefinition } from '../../src/engine/definition/api.ts';

/** A filter of a list: `criteria[name]` of `/api/products/`. */
export interface ListFilter {
  readonly path: string;
  readonly name: string;
  readonly schema: z.core.$ZodType;
  /** A value of another type; undefined if any text is a value. */
  readonly wrong: string | undefined;
  /** A value that no record has. */
  readonly unknown: string;
}

/** Returns every filter of every list of an API, with paths that its default scenario has. */
export function filtersOf({ endpoints }: Pick<ApiDefinition, 'endpoints'>): ListFilter[] {
  return endpoints.flatMap(({ method, path, query }) => {
    const criteria = method === 'GET' ? unwrapped(query?.schema.shape['criteria']) : undefined;
    if (!(criteria instanceof z.ZodObject)) return [];
    return Object.entries<z.core.$ZodType>(criteria.shape).map(([name, field]) => {
      const schema = unwrapped(field)!;
      const [wrong, unknown] = valuesFor(name, schema);
      return { path: path.replaceAll(/:\w+/g, '1'), name, schema, wrong, unknown };
    });
  });
}

function unwrapped(schema: z.core.$ZodType | undefined): z.core.$ZodType | undefined {
  return schema instanceof z.ZodOptional ? unwrapped(schema.unwrap()) : schema;
}

function valuesFor(
  name: string,
  schema: z.core.$ZodType,
): [wrong: string | undefined, unknown: string] {
  if (name === 'createdAtFrom') return ['yesterday', '2999-01-01'];
  if (name === 'createdAtTo') return ['yesterday', '1999-01-01'];
  if (name === 'time') return ['yesterday', '1999-01-01'];
  return [schema instanceof z.ZodString ? undefined : 'purple', '999999'];
}
