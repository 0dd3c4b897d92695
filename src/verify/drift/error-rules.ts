import * as z from 'zod';
import type { ApiDefinition, ApiEndpoint } from '../../engine/definition/api.ts';
import type { ReceivedResponse, Report } from '../../engine/definition/drift.ts';
import type { RequestMatch } from '../../engine/definition/match-request.ts';
import { mapValues, valueAt } from '../../engine/lib/json-value.ts';
import { memoized } from '../../engine/lib/memoized.ts';
import { bodyPath } from './finding.ts';
import { checkShape } from './shape.ts';

const failed = 'Validation Failed';

export function checkError(
  { row, problem, issues }: RequestMatch,
  { status, headers }: ReceivedResponse,
  body: unknown,
  report: Report,
  api: ApiDefinition,
): void {
  if (status === 401) {
    const guards = api.control?.parts().documents.guards ?? [];
    const guard = guards.find((one) => row === undefined || one.covers(row.path));
    if (guard?.denied.body !== undefined) checkShape(guard.denied.body, body, report);
    const challenge = headers['www-authenticate'];
    if (!/^bearer\b/i.test(challenge ?? '')) {
      report('header', 'header www-authenticate', 'Bearer realm="Service", error="…"', challenge);
    }
    return;
  }
  if (status === 405 && headers['allow'] === undefined) {
    report('header', 'header allow', 'the allowed methods', undefined);
  }
  if (row?.errorBody !== undefined && status === 400) {
    checkShape(row.errorBody.schema, body, report);
    return;
  }
  const isTree = [valueAt(body, ['message']) === failed, valueAt(body, ['errors'])].some(Boolean);
  const isInvalid = status === 400 && problem === undefined && issues.length > 0;
  const children = (row?.body ?? row?.query)?.children ?? {};
  const isExpected = isTree || (isInvalid && !row?.errors.includes('refused'));
  const shape = z.object({
    code: z.literal(status),
    message: isExpected ? z.literal(failed) : z.string().min(1),
    ...(isTree && { errors: treeOf(children) }),
  });
  checkShape(shape, body, (_, ...difference) => report('error', ...difference));
  if (!isTree) return;
  for (const { path, message } of issues) {
    const place = ['errors', ...path.flatMap((name) => ['children', name]), 'errors'];
    const found = valueAt(body, place);
    if (!Array.isArray(found) || !found.includes(message)) {
      report('error', bodyPath(place), JSON.stringify([message]), found);
    }
  }
}

type Children = NonNullable<ApiEndpoint['body']>['children'];

const leaf: Children = {};

/** Returns the schema of the errors of parameters: `[]` if they are valid, else each of them is a child. Memoized. */
const treeOf = memoized((children: Children): z.ZodType => {
  const errors = z.tuple([z.string()], z.string()).optional();
  // A list has a child for each invalid item.
  const inner =
    Object.keys(children).length === 0
      ? z.unknown().optional()
      : z.object(mapValues(children, (one) => treeOf(one ?? leaf)));
  return z.union([z.tuple([]), z.object({ errors, children: inner })]);
});
