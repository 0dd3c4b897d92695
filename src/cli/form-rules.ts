import * as z from 'zod';
import type { ApiEndpoint } from '../definition/api.ts';
import { withValue } from '../lib/json-value.ts';
import { extraFields, type Form } from '../rest/form.ts';
import { pathName, ruleId } from './keys.ts';

/** A rule of validation: the parameter, the message of the response, and a value that breaks the rule. */
export interface ValidationRule {
  /** The parameter's path: `shippingAddress.city`; `*` for any number; empty for the form as a whole. */
  readonly path: string;
  readonly message: string;
  readonly part: 'query' | 'body';
  readonly wrong: unknown;
  /** Another parameter, without which the rule is not applied: its path and value. */
  readonly beside?: readonly [path: string, value: unknown] | undefined;
}

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

/** Returns the rules of an endpoint, found by breaking each of them. */
export function rulesOf(row: ApiEndpoint): readonly ValidationRule[] {
  return [
    ...rulesOfForm(row.query, 'query', {}),
    ...rulesOfForm(row.body, 'body', row.example.body ?? {}),
    ...extraRule(row),
  ];
}

/**
 * A body has unknown parameters anywhere; a query only in its blocks, because others are ignored. An endpoint of another
 * standard ignores all of them.
 */
function extraRule(row: ApiEndpoint): ValidationRule[] {
  if (row.errorBody !== undefined) return [];
  const rule = { path: '', message: extraFields };
  if (row.method !== 'GET') return [{ ...rule, part: 'body', wrong: { nothing: '1' } }];
  const hasBlocks = row.query !== undefined && 'criteria' in row.query.children;
  return hasBlocks ? [{ ...rule, part: 'query', wrong: { criteria: { nothing: '1' } } }] : [];
}

function rulesOfForm(
  form: Form<unknown> | undefined,
  part: ValidationRule['part'],
  base: Readonly<Record<string, unknown>>,
): ValidationRule[] {
  if (form === undefined) return [];
  const found = new Map<string, ValidationRule>();
  for (const path of pathsOf(form.schema, [])) {
    for (const wrong of wrongValues) {
      const sent = withValue(base, path, wrong);
      for (const issue of form.parse(sent, 'reject').issues) {
        if (ruleId(issue) !== `${path.join('.').replaceAll('.0', '.*')}: ${issue.message}`)
          continue;
        const rule = { path: pathName(issue.path), message: issue.message, part, wrong };
        const key = ruleId(issue);
        if (!found.has(key)) found.set(key, rule);
      }
    }
  }
  return [...found.values()];
}

/** Returns the paths of all parameters, blocks included, with `0` for a position in a list or a map. */
function pathsOf(schema: z.core.$ZodType, path: readonly string[]): (readonly string[])[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) {
    return pathsOf(schema.unwrap(), path);
  }
  const own = path.length === 0 ? [] : [path];
  if (schema instanceof z.ZodObject) {
    const inner = Object.entries<z.core.$ZodType>(schema.shape).flatMap(([name, field]) =>
      pathsOf(field, [...path, name]),
    );
    return [...own, ...inner];
  }
  if (schema instanceof z.ZodRecord) {
    return [...own, ...pathsOf(schema.valueType, [...path, '0'])];
  }
  if (schema instanceof z.ZodArray) {
    return [...own, ...pathsOf(schema.element, [...path, '0'])];
  }
  return own;
}
