import * as z from 'zod';
import { isObject } from '../lib/json-value.ts';
import type { FieldIssue } from '../lib/problem.ts';
import { issuesOf } from '../lib/schema-issues.ts';
import { assertNoIssues } from '../scenario/issues.ts';
import type { Extension } from './extension.ts';
import { isMadeBy } from './made-part.ts';

const any = z.unknown();
const fields = mapOf(
  '{ points: field.integer({ default: 0 }) }',
  z.custom(
    (value) => isObject(value) && 'stored' in value,
    'must be made by `field` of backlot/define: `field.integer({ … })`',
  ),
);
const step = z.object({ body: fields });

const Shape = z
  .strictObject(
    {
      path: z.string('must be a path like /api/v1, or an empty text'),
      fields: mapOf('{ users: { … } }', fields),
      resources: mapOf(
        '{ wishlists: resource({ … }) }',
        z.object(
          { singular: z.string('must be a name: `wishlist`'), fields },
          'must be made by `resource` of backlot/define: `resource({ … })`',
        ),
      ),
      rules: mapOf(
        "{ 'POST /api/users/': { check: … } }",
        z.object(
          { body: fields.optional(), check: code('({ order }) => […]').optional() },
          'must be an object: `{ check: … }`',
        ),
      ),
      steps: mapOf(
        '{ gift_wrapping: step({ … }) }',
        step.or(z.custom((value) => !isObject(value) || !isMadeBy('step', value))),
      ),
      on: mapOf("{ 'order.confirmed': … }", code('({ order, db }) => { … }')),
      auth: code('({ request, db }) => …'),
      faults: mapOf('{ maintenance: fault({ … }) }', any),
      ids: mapOf("{ orders: 'uuid' }", any),
      scenarios: mapOf(
        '{ default: { data: { … } } }',
        z.record(z.string(), any, 'must be a scenario: `{ data: { … } }`'),
      ),
    } satisfies Record<keyof Extension, z.ZodType>,
    'must be an object, after the API: `extendApi(storeApi, { … })`',
  )
  .partial();

function mapOf(example: string, value: z.ZodType) {
  return z.record(z.string(), value, `must be an object: \`${example}\``);
}

function code(example: string) {
  return z.custom((value) => typeof value === 'function', `must be a function: \`${example}\``);
}

/** Returns the issues of an extension that TypeScript finds, too: first parts of another kind, then those that there are not. */
export function issuesOfShape(extension: object): FieldIssue[] {
  const { error } = Shape.safeParse(extension);
  return error === undefined ? [] : issuesOf(Shape, error);
}

/**
 * Asserts that the parts of an extension are of the kinds that its types say. What its functions accept, only TypeScript can
 * check.
 *
 * @throws Problem `invalid` with every issue
 */
export function assertShape(extension: object): asserts extension is Extension {
  const { error } = Shape.safeParse(extension);
  if (error?.issues.some((one) => one.code !== 'unrecognized_keys') === true)
    assertNoIssues('definition', issuesOf(Shape, error), 0, 'invalid-definition');
}
