import type { FieldIssue, Problem } from '../../engine/lib/problem.ts';
import type { ApiDefinition, ApiEndpoint } from '../../engine/definition/api.ts';
import type { ReceivedResponse, Report } from '../../engine/definition/drift.ts';
import { statusOf } from '../../engine/rest/errors.ts';
import type { FormChildren } from '../../engine/rest/form.ts';
import { bodyPath } from './finding.ts';
import { checkShape } from './shape.ts';
import { isObject, valueAt } from '../../engine/lib/json-value.ts';

/** The endpoint row of a request, and what the contract says of the request. */
export interface Match {
  readonly row: ApiEndpoint | undefined;
  readonly params: Readonly<Record<string, string>>;
  /** The issues of the parameters that do not depend on data. */
  readonly issues: readonly FieldIssue[];
  /** The error that the request itself demands: 404 for no endpoint, 405, 415, 400 for broken JSON. */
  readonly problem?: Problem;
}

export function checkError(
  { row, problem, issues }: Match,
  { status, headers }: ReceivedResponse,
  body: unknown,
  report: Report,
  api: ApiDefinition,
): void {
  if (status === statusOf.denied) {
    const guards = api.control?.parts().documents.guards ?? [];
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
  if (row?.errorBody !== undefined && status === 400) {
    checkShape(row.errorBody.schema, body, report);
    return;
  }
  if (!isObject(body) || Array.isArray(body)) {
    report('error', 'body', '{"code": …, "message": …}', body);
    return;
  }
  const { code, message, errors, ...others } = body;
  if (code !== status) report('error', 'body.code', `${status}, the status`, code);
  if (typeof message !== 'string' || message === '')
    report('error', 'body.message', 'a message', message);
  const isTree = message === 'Validation Failed' || errors !== undefined;
  reportFields(others, [], report);
  if (isTree) checkTree(row, body, issues, report);
  else if (
    status === 400 &&
    problem === undefined &&
    issues.length > 0 &&
    !row?.errors.includes('refused')
  ) {
    report('error', 'body.message', 'Validation Failed', message);
  }
}

function reportFields(fields: object, path: readonly PropertyKey[], report: Report): void {
  for (const [name, value] of Object.entries(fields))
    report('error', bodyPath([...path, name]), 'no such field', value);
}

function checkTree(
  row: ApiEndpoint | undefined,
  value: Readonly<Record<PropertyKey, unknown>>,
  issues: readonly FieldIssue[],
  report: Report,
): void {
  const { message: title, errors } = value;
  if (title !== 'Validation Failed') report('error', 'body.message', 'Validation Failed', title);
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
  if (!isObject(node) || Array.isArray(node)) {
    report('error', bodyPath(path), expected, node);
    return;
  }
  const { errors, children: inner, ...others } = node;
  reportFields(others, path, report);
  const isTexts =
    Array.isArray(errors) && errors.length > 0 && errors.every((one) => typeof one === 'string');
  if (errors !== undefined && !isTexts)
    report('error', bodyPath([...path, 'errors']), 'a list of messages', errors);
  const names = Object.keys(children ?? {});
  const found = isObject(inner) ? inner : {};
  for (const name of names.filter((one) => !Object.hasOwn(found, one))) {
    const place = bodyPath([...path, 'children', name]);
    report('error', place, '[] or the errors of this parameter', undefined);
  }
  for (const [name, child] of Object.entries(found)) {
    const place = [...path, 'children', name];
    if (names.length > 0 && !names.includes(name)) {
      report('error', bodyPath(place), `no such parameter: ${names.join(', ')}`, child);
    } else checkNode(children?.[name], child, place, report);
  }
}
