import * as z from 'zod';
import type { ApiEndpoint } from '../engine/definition/api.ts';
import { withValue, type JsonObject } from '../engine/lib/json-value.ts';
import { fieldsOf, unwrapped } from '../engine/lib/schema-parts.ts';
import { extraFields, type Form } from '../engine/rest/form.ts';

/** Values that break rules of all types of parameters. Queries can express each of them. */
const wrongValues: readonly unknown[] = [
  '',
  { x: '1' },
  'x',
  'xxxxx',
  'x'.repeat(256),
  'x'.repeat(4097),
  '1',
  '-1',
  '99',
  '1.5',
];

/**
 * Returns the rules of an endpoint, found by breaking each of them: `shippingAddress.city: This value should not be blank.` A `*` in a
 * path is for any number.
 */
export function rulesOf(row: ApiEndpoint): readonly string[] {
  const rules = [
    ...rulesOfForm(row.query, {}),
    ...rulesOfForm(row.body, row.example.body ?? {}),
    ...extraRule(row),
  ];
  return [...new Set(rules)];
}

/**
 * A body has unknown parameters anywhere; a query only in its blocks, because others are ignored. An endpoint of another
 * standard ignores all of them.
 */
function extraRule({ method, query, errorBody }: ApiEndpoint): string[] {
  const hasBlocks = query !== undefined && 'criteria' in query.children;
  return errorBody === undefined && (method !== 'GET' || hasBlocks) ? [`any: ${extraFields}`] : [];
}

function rulesOfForm(form: Form<unknown> | undefined, base: JsonObject): string[] {
  if (form === undefined) return [];
  return pathsOf(form.schema, []).flatMap((path) => {
    const name = nameOf(path);
    return wrongValues.flatMap((wrong) =>
      form
        .parse(withValue(base, path, wrong), 'reject')
        .issues.filter((issue) => nameOf(issue.path) === name)
        .map(({ message }) => `${name}: ${message}`),
    );
  });
}

/** Numbers after the first part are positions in a list or a map. */
function nameOf(path: readonly string[]): string {
  return path.map((part, at) => (at > 0 && /^\d+$/.test(part) ? '*' : part)).join('.');
}

/** Returns the paths of all parameters, blocks included, with `0` for a position in a list or a map. */
function pathsOf(schema: z.core.$ZodType, path: readonly string[]): (readonly string[])[] {
  const inner = unwrapped(schema);
  const item =
    inner instanceof z.ZodRecord
      ? inner.valueType
      : inner instanceof z.ZodArray
        ? inner.element
        : undefined;
  const parts = Object.entries(item === undefined ? fieldsOf(inner) : { 0: item });
  return [
    ...(path.length === 0 ? [] : [path]),
    ...parts.flatMap(([name, part]) => pathsOf(part, [...path, name])),
  ];
}
