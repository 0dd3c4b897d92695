import * as z from 'zod';
import type { ShopEndpoint } from '../resources/endpoint.ts';
import { extraFields, type Form } from '../rest/form.ts';

/** A rule of validation: the parameter, the message of the response, and a value that breaks the rule. */
export interface Rule {
  /** The parameter's path: `shippingAddress.city`; `*` for any number; empty for the form as a whole. */
  readonly path: string;
  readonly message: string;
  readonly part: 'query' | 'body';
  readonly wrong: unknown;
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

const used = 'This value is already used.';

/** Rules that only data can break, because a value must be unique: the message, and a value that exists. */
const uniqueRules: readonly {
  readonly rows: RegExp;
  readonly path: string;
  readonly message: string;
  readonly wrong: string;
}[] = [
  { rows: /^P\w+ \/api\/users\//, path: 'email', message: used, wrong: 'api@example.com' },
  { rows: /^P\w+ \/api\/channels\//, path: 'code', message: used, wrong: 'APP' },
  { rows: /^P\w+ \/api\/stock-locations\//, path: 'code', message: used, wrong: 'DUB' },
  {
    rows: /^POST \/api\/promotions?\/:promotion_id\/coupons\//,
    path: 'code',
    message: 'This coupon already exists.',
    wrong: 'WELCOME10',
  },
];

/** Returns the rules of an endpoint, found by breaking each of them. */
export function rulesOf(row: ShopEndpoint): readonly Rule[] {
  const name = `${row.method} ${row.path}`;
  const unique = uniqueRules.filter(({ rows }) => rows.test(name));
  return [
    ...rulesOfForm(row.query, 'query', {}),
    ...rulesOfForm(row.body, 'body', row.example.body ?? {}),
    ...extraRule(row),
    ...unique.map(({ path, message, wrong }) => ({ path, message, part: 'body' as const, wrong })),
  ];
}

/** A body has unknown parameters anywhere; a query only in its blocks, because others are ignored. */
function extraRule(row: ShopEndpoint): Rule[] {
  const rule = { path: '', message: extraFields };
  if (row.method !== 'GET') return [{ ...rule, part: 'body', wrong: { nothing: '1' } }];
  const hasBlocks = row.query !== undefined && 'criteria' in row.query.children;
  return hasBlocks ? [{ ...rule, part: 'query', wrong: { criteria: { nothing: '1' } } }] : [];
}

function rulesOfForm(
  form: Form<unknown> | undefined,
  part: Rule['part'],
  base: Readonly<Record<string, unknown>>,
): Rule[] {
  if (form === undefined) return [];
  const found = new Map<string, Rule>();
  for (const path of pathsOf(form.schema, [])) {
    for (const wrong of wrongValues) {
      const sent = withValue(base, path, wrong);
      for (const issue of form.parse(sent, 'reject').issues) {
        if (ruleId(issue) !== `${path.join('.').replaceAll('.0', '.*')}: ${issue.message}`) continue;
        const rule = { path: pathName(issue.path), message: issue.message, part, wrong };
        const key = ruleId(issue);
        if (!found.has(key)) found.set(key, rule);
      }
    }
  }
  return [...found.values()];
}

/** Names a rule by an issue of a response: `shipments.*.method: Please select shipping method.` */
export function ruleId(issue: {
  readonly path: readonly string[];
  readonly message: string;
}): string {
  return `${pathName(issue.path)}: ${issue.message}`;
}

/** Numbers after the first part are positions in a list or a map. */
function pathName(path: readonly string[]): string {
  return path.map((part, at) => (at > 0 && /^\d+$/.test(part) ? '*' : part)).join('.');
}

/** Returns the paths of all parameters, blocks included, with `0` for the key of a map. */
function pathsOf(schema: z.ZodType, path: readonly string[]): (readonly string[])[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) {
    return pathsOf(schema.unwrap() as z.ZodType, path);
  }
  const own = path.length === 0 ? [] : [path];
  if (schema instanceof z.ZodObject) {
    const inner = Object.entries(schema.shape).flatMap(([name, field]) =>
      pathsOf(field as z.ZodType, [...path, name]),
    );
    return [...own, ...inner];
  }
  if (schema instanceof z.ZodRecord) {
    return [...own, ...pathsOf(schema.valueType as z.ZodType, [...path, '0'])];
  }
  return own;
}

/** Returns a copy of a tree of parameters with one value replaced. */
export function withValue(
  base: Readonly<Record<string, unknown>>,
  [name = '', ...rest]: readonly string[],
  value: unknown,
): Record<string, unknown> {
  if (rest.length === 0) return { ...base, [name]: value };
  const inner = base[name];
  const block = typeof inner === 'object' && inner !== null ? inner : {};
  return { ...base, [name]: withValue(block as Record<string, unknown>, rest, value) };
}
