import { isObject } from '../lib/json-value.ts';
import type { FieldIssue } from '../lib/problem.ts';
import { unknownKeys } from '../lib/unknown-keys.ts';
import type { Extension } from './extension.ts';
import { issue, nest } from './field-issues.ts';
import { codeOf } from './own-code.ts';

type Check = (value: unknown) => FieldIssue[];

const any: Check = () => [];
const name = must('be a name: `wishlist`', (value) => typeof value === 'string');
const code = (example: string): Check => must(`be a function: \`${example}\``, isCode);
const fields = each(
  '{ points: field.integer({ default: 0 }) }',
  must(
    'be made by `field` of backlot/define: `field.integer({ … })`',
    (value) => isMap(value) && 'stored' in value,
  ),
);

const parts: Readonly<Record<keyof Extension, Check>> = {
  path: must('be a path like /api/v1, or an empty text', (value) => typeof value === 'string'),
  fields: each('{ users: { … } }', fields),
  resources: each('{ wishlists: resource({ … }) }', (value) => {
    const { singular, fields: own } = partsOf(value);
    return [...nest(['singular'], name(singular)), ...nest(['fields'], fields(own))];
  }),
  rules: each("{ 'POST /api/users/': { check: … } }", (value) =>
    isMap(value)
      ? [
          ...nest(['body'], optional(fields)(value['body'])),
          ...nest(['check'], optional(code('({ order }) => […]'))(value['check'])),
        ]
      : [issue([], 'must be an object: `{ check: … }`')],
  ),
  steps: each('{ gift_wrapping: step({ … }) }', (value) =>
    codeOf(partsOf(value)) ? nest(['body'], fields(partsOf(value)['body'])) : [],
  ),
  on: each("{ 'order.confirmed': … }", code('({ order, db }) => { … }')),
  auth: code('({ request, db }) => …'),
  faults: each('{ maintenance: fault({ … }) }', any),
  ids: each("{ orders: 'uuid' }", any),
  scenarios: each('{ default: { data: { … } } }', must('be a scenario: `{ data: { … } }`', isMap)),
};

/** Returns the issues of an extension that the compiler finds in TypeScript: what is not of the kind that its types say. */
export function issuesOfShape(extension: unknown): FieldIssue[] {
  if (!isMap(extension))
    return [issue([], 'must be an object, after the API: `extendApi(storeApi, { … })`')];
  const found = Object.entries(parts).flatMap(([key, check]) =>
    nest([key], optional(check)(extension[key])),
  );
  return found.length > 0 ? [...issuesOfNames(extension), ...found] : [];
}

/** Returns an issue if an extension has parts that there are not. */
export function issuesOfNames(extension: object): FieldIssue[] {
  const keys = Object.keys(parts);
  const unknown = Object.keys(extension).filter((key) => !keys.includes(key));
  return unknown.length > 0 ? [issue([], unknownKeys(unknown, keys))] : [];
}

function must(what: string, is: (value: unknown) => boolean): Check {
  return (value) => (is(value) ? [] : [issue([], `must ${what}`)]);
}

function each(example: string, check: Check): Check {
  return (value) =>
    isMap(value)
      ? Object.entries(value).flatMap(([key, one]) => nest([key], check(one)))
      : [issue([], `must be an object: \`${example}\``)];
}

function optional(check: Check): Check {
  return (value) => (value === undefined ? [] : check(value));
}

function partsOf(value: unknown): Readonly<Partial<Record<string, unknown>>> {
  return isMap(value) ? value : {};
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return isObject(value) && !Array.isArray(value);
}

function isCode(value: unknown): boolean {
  return typeof value === 'function';
}
