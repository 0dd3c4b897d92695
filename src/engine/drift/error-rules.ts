import type { FieldIssue } from '../lib/problem.ts';
import type { ApiDefinition, ApiEndpoint } from '../definition/api.ts';
import type { ReceivedResponse, Report } from '../definition/drift.ts';
import { statusOf } from '../rest/errors.ts';
import type { FormChildren } from '../rest/form.ts';
import type { Match } from './match.ts';
import { bodyPath } from './finding.ts';
import { checkShape } from './shape.ts';
import { valueAt } from '../lib/json-value.ts';

export function checkError(
  { row, problem, issues }: Match,
  { status, headers }: ReceivedResponse,
  body: unknown,
  report: Report,
  api: ApiDefinition,
): void {
  if (status === statusOf.denied) {
    const guards = api.served?.parts().documents.guards ?? [];
    const guard = guards.find((one) => row === undefined || one.covers(row.path));
    if (guard?.denied.body !== undefined) checkShape(guard.denied.body, body, report);
    const challenge = headers['www-authenticate'];
    if (!/^bearer\b/i.test(challenge ?? '')) {
      report('header', 'header www-authenticate', 'Bearer realm="Service", error="…"', challenge);
    }
    return;
  }
  if (status === statusOf['not allowed'] && headers['allow'] === undefined) {
    report('header', 'header allow', 'the allowed methods', undefined);
  }
  const value = (body ?? {}) as Readonly<Record<string, unknown>>;
  if (row?.errorBody !== undefined && status === 400) {
    checkShape(row.errorBody.schema, body, report);
    return;
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    report('error', 'body', '{"code": …, "message": …}', body);
    return;
  }
  if (value['code'] !== status)
    report('error', 'body.code', `${status}, the status`, value['code']);
  if (typeof value['message'] !== 'string' || value['message'] === '') {
    report('error', 'body.message', 'a message', value['message']);
  }
  const isTree = value['message'] === 'Validation Failed' || 'errors' in value;
  const names = isTree ? ['code', 'message', 'errors'] : ['code', 'message'];
  for (const name of Object.keys(value)) {
    if (!names.includes(name)) report('error', bodyPath([name]), 'no such field', value[name]);
  }
  if (isTree) checkTree(row, value, issues, report);
  else if (
    status === 400 &&
    problem === undefined &&
    issues.length > 0 &&
    !row?.errors.includes('refused')
  ) {
    report('error', 'body.message', 'Validation Failed', value['message']);
  }
}

function checkTree(
  row: ApiEndpoint | undefined,
  value: Readonly<Record<string, unknown>>,
  issues: readonly FieldIssue[],
  report: Report,
): void {
  if (value['message'] !== 'Validation Failed') {
    report('error', 'body.message', 'Validation Failed', value['message']);
  }
  const { errors } = value;
  checkNode((row?.body ?? row?.query)?.children, errors, ['errors'], report);
  for (const { path, message } of issues) {
    const place = ['errors', ...path.flatMap((name) => ['children', name]), 'errors'];
    const found = valueAt(value, place);
    if (!Array.isArray(found) || !found.includes(message)) {
      report('error', bodyPath(place), JSON.stringify([message]), found);
    }
  }
}

/** Checks that a tree has every parameter of a form as a child, `[]` if it is valid, and no others. */
function checkNode(
  children: FormChildren | undefined,
  node: unknown,
  path: readonly PropertyKey[],
  report: Report,
): void {
  if (Array.isArray(node) && node.length === 0) return;
  const expected = '[] or {"errors": […], "children": {…}}';
  if (typeof node !== 'object' || node === null || Array.isArray(node)) {
    report('error', bodyPath(path), expected, node);
    return;
  }
  const { errors, children: inner, ...others } = node as Record<string, unknown>;
  for (const name of Object.keys(others)) {
    report('error', bodyPath([...path, name]), 'no such field', others[name]);
  }
  const isTexts =
    Array.isArray(errors) && errors.length > 0 && errors.every((one) => typeof one === 'string');
  if (errors !== undefined && !isTexts)
    report('error', bodyPath([...path, 'errors']), 'a list of messages', errors);
  const names = Object.keys(children ?? {});
  const found = (inner ?? {}) as Readonly<Record<string, unknown>>;
  for (const name of names) {
    if (!Object.hasOwn(found, name)) {
      report(
        'error',
        bodyPath([...path, 'children', name]),
        '[] or the errors of this parameter',
        undefined,
      );
    }
  }
  for (const [name, child] of Object.entries(found)) {
    const place = [...path, 'children', name];
    if (names.length > 0 && !names.includes(name)) {
      report('error', bodyPath(place), `no such parameter: ${names.join(', ')}`, child);
    } else checkNode(children?.[name], child, place, report);
  }
}
