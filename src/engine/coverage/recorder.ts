import { isObject } from '../lib/json-value.ts';
import { Problem, truncate } from '../lib/problem.ts';
import type { ApiDefinition, ApiEndpoint } from '../definition/api.ts';
import { routerOf } from '../definition/api-router.ts';
import { parseBrackets } from '../rest/body.ts';
import { statusOf } from '../rest/errors.ts';
import { extraFields, type FormChildren } from '../rest/form.ts';
import { noticeHeader, type ApiRequest, type ApiResponse } from '../rest/message.ts';
import { parseTarget, type Routed } from '../rest/serve.ts';
import type { CoverageCounts } from './counts.ts';
import { addedResponses, itemKey, operationOf, stepAnswer } from './contract.ts';

/** A request with its response, as the pipeline of a back office has them. */
export interface CoveredExchange {
  readonly request: ApiRequest;
  readonly routed: RoutedRow | undefined;
  readonly answer: ApiResponse;
  /** The error that the endpoint threw, if any. */
  readonly error: unknown;
}

type RoutedRow = Pick<Routed<unknown>, 'target' | 'sent'> & { readonly row: ApiEndpoint };

/** Counts what is met of the contract. A back office without one counts nothing. */
export interface CoverageRecorder {
  /** @param api the API that the exchange is of */
  record(exchange: CoveredExchange, api: ApiDefinition): void;
  /** Counts a transition of a record, and the state that it leads to. */
  transition(machine: string, name: string, to: string): void;
  /** Returns a recorder for a session of a server, if its sessions are counted one by one. */
  ofSession?(name: string): CoverageRecorder;
}

/** Maximum number of different entries in each list of what the contract does not have. */
const maxEntries = 500;
/** Maximum number of different items. A fault may respond with any status. */
const maxItems = 10_000;

/** Counts for any number of back offices. */
export class Coverage implements CoverageRecorder {
  #requests = 0;
  readonly #lists = {
    items: new Map<string, number>(),
    unmatched: new Map<string, number>(),
    parameters: new Map<string, number>(),
    extensions: new Map<string, number>(),
    documented: new Map<string, number>(),
  };
  /** The APIs whose added endpoints are listed. */
  readonly #apis = new Set<ApiDefinition>();

  record({ request, routed, answer, error }: CoveredExchange, api: ApiDefinition): void {
    if (request.method === 'OPTIONS' || answer.status === 0) return;
    this.#requests += 1;
    if (!this.#apis.has(api)) this.#list(api);
    const row = routed?.row ?? rowOf(request, error, api);
    if (row === undefined) {
      addTo(this.#lists.unmatched, sentName(request));
      return;
    }
    const { status } = answer;
    const response = `${operationOf(row)} ${status}`;
    if (row.isExtension === true) {
      addTo(this.#lists.extensions, response);
      return;
    }
    addTo(this.#lists.items, itemKey('statuses', response), maxItems);
    if (routed === undefined) return;
    const problem = isProblem(error) && statusOf[error.kind] === status ? error : undefined;
    if (row.step !== undefined && isOwn(row, status, problem))
      addTo(
        this.#lists.items,
        itemKey('steps', `${row.step} ${stepAnswer(status, problem?.kind)}`),
        maxItems,
      );
    for (const name of unknownParameters(routed, answer, problem))
      addTo(this.#lists.parameters, `${operationOf(row)} ${name}`);
  }

  transition(machine: string, name: string, to: string): void {
    addTo(this.#lists.items, itemKey('transitions', `${machine}.${name}`), maxItems);
    addTo(this.#lists.items, itemKey('states', `${machine}.${to}`), maxItems);
  }

  /** Returns the counts, and starts at zero if `reset` is true. */
  counts({ reset = false }: { readonly reset?: boolean } = {}): CoverageCounts {
    const { items, unmatched, parameters, extensions, documented } = this.#lists;
    const counts = {
      requests: this.#requests,
      items: Object.fromEntries(items),
      unmatched: Object.fromEntries(unmatched),
      parameters: Object.fromEntries(parameters),
      extensions: Object.fromEntries(extensions),
      documented: Object.fromEntries(documented),
    };
    if (!reset) return counts;
    this.#requests = 0;
    this.#apis.clear();
    for (const list of Object.values(this.#lists)) list.clear();
    return counts;
  }

  #list(api: ApiDefinition): void {
    this.#apis.add(api);
    for (const response of addedResponses(api)) this.#lists.documented.set(response, 1);
  }
}

function addTo(map: Map<string, number>, key: string, max = maxEntries): void {
  const count = map.get(key);
  if (count === undefined && map.size >= max) return;
  map.set(key, (count ?? 0) + 1);
}

/** Returns a row of the operation of a request that was answered before its body was decoded. */
function rowOf(request: ApiRequest, error: unknown, api: ApiDefinition): ApiEndpoint | undefined {
  // The router of the back office found none.
  if (error instanceof Problem && error.kind === 'missing') return undefined;
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  return routerOf(api).find(pathOf(request))?.route.methods.get(method)?.[0];
}

function pathOf({ target, url }: ApiRequest): string {
  return (target ?? parseTarget(url)).path;
}

function sentName(request: ApiRequest): string {
  return `${truncate(request.method, 20)} ${truncate(pathOf(request))}`;
}

/** The parts of a problem that are counted. */
type CountedProblem = Pick<Problem, 'kind' | 'fields'>;

/** Whether an error is a problem, which another copy of the library may have thrown. */
function isProblem(error: unknown): error is CountedProblem {
  if (!isObject(error)) return false;
  const { kind, fields } = error;
  return typeof kind === 'string' && Object.hasOwn(statusOf, kind) && Array.isArray(fields);
}

/** Whether the row made the response, and not a fault. */
function isOwn(row: ApiEndpoint, status: number, problem: CountedProblem | undefined): boolean {
  return problem !== undefined || status === row.status || status === statusOf.declined;
}

/** Returns the parameters of a request that its endpoint does not have: those that were rejected, and those of a query that were ignored. */
function unknownParameters(
  { sent, row, target }: RoutedRow,
  { headers }: ApiResponse,
  problem: CountedProblem | undefined,
): string[] {
  const query = headers[noticeHeader] === undefined ? {} : parseBrackets(target.query);
  const ignored = Object.keys(query).filter(
    (name) => !Object.hasOwn(row.query?.children ?? {}, name),
  );
  const isRejected = problem?.fields.some(
    ({ path, message }) => path.length === 0 && message === extraFields,
  );
  const tree = row.method === 'GET' ? parseBrackets(target.query) : sent;
  const rejected =
    isRejected === true ? unknownNames(tree, (row.body ?? row.query)?.children ?? {}, '') : [];
  return [...ignored.map((name) => `?${truncate(name, 60)}`), ...rejected];
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
