import { isObject, valueAt } from '../lib/json-value.ts';
import type { FieldIssue } from '../lib/problem.ts';
import { unknownKeys } from '../lib/unknown-keys.ts';
import { assertNoIssues } from '../scenario/issues.ts';
import type { Extension } from './extension.ts';
import { issueIf, nest } from './field-issues.ts';
import { codeOf } from './own-code.ts';

type Check = (value: unknown) => FieldIssue[];

const any: Check = () => [];
const code = (example: string): Check => must(`be a function: \`${example}\``, isCode);
const fields = each(
  '{ points: field.integer({ default: 0 }) }',
  must(
    'be made by `field` of backlot/define: `field.integer({ … })`',
    (value) => isMap(value) && 'stored' in value,
  ),
);

const parts: Readonly<Record<keyof Extension, Check>> = {
  path: must('be a path like /api/v1, or an empty text', isText),
  fields: each('{ users: { … } }', fields),
  resources: each(
    '{ wishlists: resource({ … }) }',
    all({ singular: must('be a name: `wishlist`', isText), fields }),
  ),
  rules: each("{ 'POST /api/users/': { check: … } }", (value) => [
    ...must('be an object: `{ check: … }`', isMap)(value),
    ...all({ body: optional(fields), check: optional(code('({ order }) => […]')) })(value),
  ]),
  steps: each('{ gift_wrapping: step({ … }) }', (value) =>
    isMap(value) && codeOf(value) ? all({ body: fields })(value) : [],
  ),
  on: each("{ 'order.confirmed': … }", code('({ order, db }) => { … }')),
  auth: code('({ request, db }) => …'),
  faults: each('{ maintenance: fault({ … }) }', any),
  ids: each("{ orders: 'uuid' }", any),
  scenarios: each('{ default: { data: { … } } }', must('be a scenario: `{ data: { … } }`', isMap)),
};

/**
 * Asserts that the parts of an extension are of the kinds that its types say. What its functions accept, only TypeScript can
 * check.
 *
 * @throws Problem `invalid` with every issue
 */
export function assertShape(extension: object): asserts extension is Extension {
  const found = issuesOfShape(extension);
  const issues = found.length > 0 ? [...issuesOfNames(extension), ...found] : [];
  assertNoIssues('definition', issues, 0, 'invalid-definition');
}

function issuesOfShape(extension: object): FieldIssue[] {
  return isMap(extension)
    ? Object.entries(parts).flatMap(([key, check]) => nest([key], optional(check)(extension[key])))
    : issueIf(true, 'must be an object, after the API: `extendApi(storeApi, { … })`');
}

/** Returns an issue if an extension has parts that there are not. */
export function issuesOfNames(extension: object): FieldIssue[] {
  if (!isMap(extension)) return [];
  const unknown = Object.keys(extension).filter((key) => !Object.hasOwn(parts, key));
  return issueIf(unknown.length > 0, unknownKeys(unknown, Object.keys(parts)));
}

function must(what: string, is: (value: unknown) => boolean): Check {
  return (value) => issueIf(!is(value), `must ${what}`);
}

function each(example: string, check: Check): Check {
  return (value) =>
    isMap(value)
      ? Object.entries(value).flatMap(([key, one]) => nest([key], check(one)))
      : issueIf(true, `must be an object: \`${example}\``);
}

function all(checks: Readonly<Record<string, Check>>): Check {
  return (value) =>
    Object.entries(checks).flatMap(([key, check]) => nest([key], check(valueAt(value, [key]))));
}

function optional(check: Check): Check {
  return (value) => (value === undefined ? [] : check(value));
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return isObject(value) && !Array.isArray(value);
}

function isText(value: unknown): boolean {
  return typeof value === 'string';
}

function isCode(value: unknown): boolean {
  return typeof value === 'function';
}
