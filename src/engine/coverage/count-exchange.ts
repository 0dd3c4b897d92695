import { isObject } from '../lib/json-value.ts';
import { Problem, truncate } from '../lib/problem.ts';
import type { ApiDefinition, ApiEndpoint } from '../definition/api.ts';
import { locate } from '../definition/api-router.ts';
import { parseBrackets } from '../rest/body.ts';
import { statusOf } from '../rest/errors.ts';
import { extraFields, type FormChildren } from '../rest/form.ts';
import { noticeHeader, type ApiRequest, type ApiResponse } from '../rest/message.ts';
import type { Routed } from '../rest/serve.ts';
import { addedResponses, itemKey, operationOf, stepAnswer } from './contract.ts';
import type { CoverageRecorder } from './recorder.ts';

/** A request with its response, as the pipeline of a back office has them. */
export interface CoveredExchange {
  readonly request: ApiRequest;
  readonly routed: RoutedRow | undefined;
  readonly answer: ApiResponse;
  /** The error that the endpoint threw, if any. */
  readonly error: unknown;
}

type RoutedRow = Pick<Routed<unknown>, 'target' | 'sent'> & { readonly row: ApiEndpoint };

/** Counts what an exchange meets of the contract. @param api the API that it is of */
export function countExchange(
  recorder: CoverageRecorder,
  { request, routed, answer, error }: CoveredExchange,
  api: ApiDefinition,
): void {
  if (request.method === 'OPTIONS' || answer.status === 0) return;
  recorder.request(api, () => addedResponses(api));
  const row = routed?.row ?? rowOf(request, error, api);
  if (row === undefined) {
    recorder.add('unmatched', sentName(request, api));
    return;
  }
  const { status } = answer;
  const response = `${operationOf(row)} ${status}`;
  if (row.isExtension === true) {
    recorder.add('extensions', response);
    return;
  }
  recorder.add('items', itemKey('statuses', response));
  if (routed === undefined) return;
  const problem = error instanceof Problem && statusOf[error.kind] === status ? error : undefined;
  if (row.step !== undefined && isOwn(row, status, problem))
    recorder.add('items', itemKey('steps', `${row.step} ${stepAnswer(status, problem?.kind)}`));
  for (const name of unknownParameters(routed, answer, problem))
    recorder.add('parameters', `${operationOf(row)} ${name}`);
}

/** Counts a transition of a record, and the state that it leads to. */
export function countTransition(
  recorder: CoverageRecorder,
  machine: string,
  name: string,
  to: string,
): void {
  recorder.add('items', itemKey('transitions', `${machine}.${name}`));
  recorder.add('items', itemKey('states', `${machine}.${to}`));
}

/** Returns a row of the operation of a request that was answered before its body was decoded. */
function rowOf(request: ApiRequest, error: unknown, api: ApiDefinition): ApiEndpoint | undefined {
  // The router of the back office found none.
  if (error instanceof Problem && error.kind === 'missing') return undefined;
  return locate(api, request).row;
}

function sentName(request: ApiRequest, api: ApiDefinition): string {
  return `${truncate(request.method, 20)} ${truncate(locate(api, request).path)}`;
}

/** Whether the row made the response, and not a fault. */
function isOwn(row: ApiEndpoint, status: number, problem: Problem | undefined): boolean {
  return problem !== undefined || status === row.status || status === statusOf.declined;
}

/** Returns the parameters of a request that its endpoint does not have: those that were rejected, and those of a query that were ignored. */
function unknownParameters(
  { sent, row, target }: RoutedRow,
  { headers }: ApiResponse,
  problem: Problem | undefined,
): string[] {
  const query = headers[noticeHeader] === undefined ? {} : parseBrackets(target.query);
  const ignored = Object.keys(query).filter(
    (name) => !Object.hasOwn(row.query?.children ?? {}, name),
  );
  const isRejected = problem?.fields.some(
    ({ path, message }) => path.length === 0 && message === extraFields,
  );
  const names = ignored.map((name) => `?${truncate(name, 60)}`);
  if (isRejected !== true) return names;
  const tree = row.method === 'GET' ? parseBrackets(target.query) : sent;
  return [...names, ...unknownNames(tree, (row.body ?? row.query)?.children ?? {}, '')];
}

/** Returns the names that a form does not have, up to ten, at any depth: `shippingAddress.zip`. */
function unknownNames(sent: unknown, children: FormChildren, path: string): string[] {
  if (!isObject(sent) || Array.isArray(sent)) return [];
  return Object.entries(sent)
    .flatMap(([name, value]) => {
      const here = path === '' ? truncate(name, 60) : `${path}.${truncate(name, 60)}`;
      if (!Object.hasOwn(children, name)) return [here];
      const below = children[name];
      return below === undefined ? [] : unknownNames(value, below, here);
    })
    .slice(0, 10);
}
