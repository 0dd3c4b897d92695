import * as z from 'zod';
import { views } from '../../src/shop/resources/endpoint.ts';
import { contract } from '../../src/shop/resources/index.ts';
import { oauthEndpoints } from '../../src/shop/resources/oauth.ts';
import type { Mutant } from './mutator.ts';

/** Every field of every named view, from the schemas: with a value of another kind. */
function fieldsOf(): { view: string; field: string; isOptional: boolean }[] {
  const seen = new Set<string>();
  const found: { view: string; field: string; isOptional: boolean }[] = [];
  const visit = (schema: z.ZodType): void => {
    if (schema instanceof z.ZodOptional) visit(schema.unwrap() as z.ZodType);
    else if (schema instanceof z.ZodArray) visit(schema.element as z.ZodType);
    else if (schema instanceof z.ZodUnion)
      for (const one of schema.options) visit(one as z.ZodType);
    else if (schema instanceof z.ZodRecord) visit(schema.valueType as z.ZodType);
    else if (schema instanceof z.ZodObject) {
      const view = '_embedded' in schema.shape ? 'Page' : views.get(schema)?.id;
      if (view !== undefined && !seen.has(view)) {
        seen.add(view);
        for (const [field, inner] of Object.entries(schema.shape)) {
          found.push({ view, field, isOptional: inner instanceof z.ZodOptional });
        }
      }
      for (const inner of Object.values(schema.shape)) visit(inner as z.ZodType);
    }
  };
  for (const { answer } of [...contract, ...oauthEndpoints])
    if (answer !== undefined) visit(answer);
  return found;
}

const ofOtherKind = (value: unknown): unknown => {
  if (typeof value === 'number') return String(value);
  if (typeof value === 'boolean') return Number(value);
  if (typeof value === 'string') return { value };
  return Array.isArray(value) ? { items: value } : [value];
};

/** Two changes of each view: its fields and the kinds of changes take turns. */
export function fieldMutants(): Mutant[] {
  const byView = Map.groupBy(fieldsOf(), ({ view }) => view);
  return Array.from(byView).flatMap(([view, fields], turn) =>
    [0, 1].map((which): Mutant => {
      const kind = (turn + which * 2) % 4;
      // An optional text that is left out cannot be told from one that the record lacks.
      const usable = fields.filter(({ isOptional }) => kind > 1 || !isOptional);
      const { field } = usable[(turn * 7 + which * 3) % usable.length]!;
      const name = ['gone', 'renamed', 'of another kind', 'joined by another'][kind];
      return {
        name: `${view}.${field} is ${name}`,
        change({ of }) {
          for (const value of of(view)) {
            if (kind === 3) value[`${field}_extra`] = 1;
            if (!(field in value) || kind === 3) continue;
            if (kind === 2) value[field] = ofOtherKind(value[field]);
            else {
              if (kind === 1) value[`${field}Value`] = value[field];
              delete value[field];
            }
          }
        },
      };
    }),
  );
}
