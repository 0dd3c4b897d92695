import type { MachineName } from '../checkout/machines/machine.ts';
import type { FieldIssue, ProblemKind } from '../lib/problem.ts';
import { truncate } from '../lib/problem.ts';
import type { ShopEndpoint } from '../resources/endpoint.ts';
import { contract } from '../resources/index.ts';
import { oauthEndpoints } from '../resources/oauth.ts';
import { parseBrackets } from '../rest/body.ts';
import { statusOf } from '../rest/errors.ts';
import { extraFields, type FormChildren } from '../rest/form.ts';
import { noticeHeader, type ApiRequest, type ApiResponse } from '../rest/message.ts';
import { createApiRouter } from '../rest/router.ts';
import { parseTarget, type Routed } from '../rest/serve.ts';
import type { CoverageCounts } from './counts.ts';
import { enumReader, type EnumReader } from './enums.ts';
import { itemKey, operationOf, rowName, ruleId, stepAnswer, unreachable } from './keys.ts';

/** A request with its response, as the pipeline of a back office has them. */
export interface CoveredExchange {
  readonly request: ApiRequest;
  readonly routed: RoutedRow | undefined;
  readonly answer: ApiResponse;
  /** What the endpoint threw, if anything. */
  readonly error: unknown;
}

type RoutedRow = Pick<Routed<unknown>, 'target' | 'sent'> & { readonly row: ShopEndpoint };

/** Counts what is met of the contract. A back office without one counts nothing. */
export interface CoverageRecorder {
  record(exchange: CoveredExchange): void;
  /** Counts a transition of a record, and the state that it leads to. */
  transition(machine: MachineName, name: string, to: string): void;
}

interface RowState {
  readonly operation: string;
  /** Keys by status. */
  readonly statuses: Map<number, string>;
  readonly enums: EnumReader;
  /** The fields of enums in the row's responses. */
  fields: readonly WantedField[];
  /** The values of enums in bodies that were read: equal ones have nothing new. */
  readonly signatures: Set<string>;
  /** The lengths of large bodies that were read. */
  readonly lengths: Set<number>;
}

interface WantedField {
  /** How a body writes the field: `"state":"`. */
  readonly needle: string;
  /** Its values that were not met when the last body was read. */
  readonly wanted: ReadonlySet<string>;
}

const router = createApiRouter<never>([...contract, ...oauthEndpoints] as never);

/** Maximum number of different entries in each list of what the contract does not have. */
const maxEntries = 500;
/** A longer body is read only if none of its length was read before: a page is slow to search. */
const maxScanned = 8192;
/** Maximum number of different items. Messages with names of records are without number. */
const maxItems = 10_000;

/** Counts for any number of back offices. */
export class Coverage implements CoverageRecorder {
  #requests = 0;
  readonly #items = new Map<string, number>();
  readonly #unmatched = new Map<string, number>();
  readonly #parameters = new Map<string, number>();
  readonly #rows = new Map<ShopEndpoint, RowState>();
  /** Responses of the response cache are the same objects: each is read once. */
  #read = new WeakSet<ApiResponse>();

  record({ request, routed, answer, error }: CoveredExchange): void {
    if (request.method === 'OPTIONS' || answer.status === 0) return;
    this.#requests += 1;
    const row = routed?.row ?? rowOf(request);
    if (row === undefined) {
      addTo(this.#unmatched, nameOf(request));
      return;
    }
    const state = this.#stateOf(row);
    this.#add(statusKey(state, answer.status));
    if (routed === undefined) return;
    const kind = kindOf(error, answer.status);
    if (row.step !== undefined && isOwn(row, answer.status, kind))
      this.#add(itemKey('steps', `${row.step} ${stepAnswer(answer.status, kind)}`));
    if (answer.headers[noticeHeader] !== undefined) this.#addIgnored(state.operation, routed);
    if (kind === undefined) this.#readEnums(state, answer);
    else if (kind === 'invalid') this.#addIssues(state.operation, routed, fieldsOf(error));
  }

  transition(machine: MachineName, name: string, to: string): void {
    this.#add(itemKey('transitions', `${machine}.${name}`));
    this.#add(itemKey('states', `${machine}.${to}`));
  }

  /** Returns the counts, and starts at zero if `reset` is true. */
  counts({ reset = false }: { readonly reset?: boolean } = {}): CoverageCounts {
    const counts = {
      requests: this.#requests,
      items: Object.fromEntries(this.#items),
      unmatched: Object.fromEntries(this.#unmatched),
      parameters: Object.fromEntries(this.#parameters),
    };
    if (!reset) return counts;
    this.#requests = 0;
    this.#read = new WeakSet();
    for (const map of [this.#items, this.#unmatched, this.#parameters, this.#rows]) map.clear();
    return counts;
  }

  #add(key: string): void {
    addTo(this.#items, key, maxItems);
  }

  #stateOf(row: ShopEndpoint): RowState {
    const known = this.#rows.get(row);
    if (known !== undefined) return known;
    const operation = operationOf(row);
    const enums =
      row.answer === undefined
        ? { points: [], read: () => undefined }
        : enumReader(row.answer, operation);
    const state = {
      operation,
      statuses: new Map<number, string>(),
      enums,
      fields: this.#fieldsOf(enums),
      signatures: new Set<string>(),
      lengths: new Set<number>(),
    };
    this.#rows.set(row, state);
    return state;
  }

  /** Reads a body only if it may have a value of an enum that is not met yet. */
  #readEnums(state: RowState, answer: ApiResponse): void {
    const { body } = answer;
    if (body === undefined || state.enums.points.length === 0 || this.#read.has(answer)) return;
    if (answer.status >= 300 && answer.status !== statusOf.declined) return;
    this.#read.add(answer);
    if (body.length > maxScanned) {
      if (state.lengths.has(body.length)) return;
      state.lengths.add(body.length);
    }
    const signature = signatureOf(body, state.fields);
    if (signature === undefined || state.signatures.has(signature)) return;
    if (state.signatures.size < maxEntries) state.signatures.add(signature);
    state.enums.read(parseJson(body), ({ name, values, machine }, value) => {
      if (!values.includes(value)) return;
      const key = enumKey(name, value);
      if (this.#items.has(key)) return;
      this.#items.set(key, 1);
      if (machine === undefined) return;
      const shown = itemKey('states', `${machine}.${value}`);
      if (!this.#items.has(shown)) this.#items.set(shown, 1);
    });
    state.fields = this.#fieldsOf(state.enums);
  }

  #fieldsOf({ points }: EnumReader): WantedField[] {
    const isWanted = (id: string): boolean =>
      !unreachable.has(id) && !this.#items.has(itemKey('enums', id));
    return fieldsFor(points, isWanted);
  }

  #addIssues(
    operation: string,
    { sent, row, target }: RoutedRow,
    issues: readonly FieldIssue[],
  ): void {
    for (const issue of issues) {
      this.#add(itemKey('rules', `${rowName(row)} ${truncate(ruleId(issue), 300)}`));
      if (issue.path.length > 0 || issue.message !== extraFields) continue;
      const form = row.body ?? row.query;
      const tree = row.method === 'GET' ? parseBrackets(target.query) : sent;
      for (const name of unknownNames(tree, form?.children ?? {}, ''))
        addTo(this.#parameters, `${operation} ${name}`);
    }
  }

  #addIgnored(operation: string, { row, target }: RoutedRow): void {
    const children = row.query?.children ?? {};
    for (const name of Object.keys(parseBrackets(target.query)))
      if (!Object.hasOwn(children, name))
        addTo(this.#parameters, `${operation} ?${truncate(name, 60)}`);
  }
}

function statusKey({ operation, statuses }: RowState, status: number): string {
  const known = statuses.get(status);
  if (known !== undefined) return known;
  const key = itemKey('statuses', `${operation} ${status}`);
  statuses.set(status, key);
  return key;
}

function enumKey(point: string, value: string): string {
  return itemKey('enums', `${point}=${value}`);
}

function addTo(map: Map<string, number>, key: string, max = maxEntries): void {
  const count = map.get(key);
  if (count === undefined && map.size >= max) return;
  map.set(key, (count ?? 0) + 1);
}

/** Returns a row of the operation of a request that was answered before its body was decoded. */
function rowOf(request: ApiRequest): ShopEndpoint | undefined {
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  try {
    const { route } = router.match(method, pathOf(request));
    return route.methods.get(method as 'GET')?.[0];
  } catch {
    return undefined;
  }
}

function pathOf({ target, url }: ApiRequest): string {
  return (target ?? parseTarget(url)).path;
}

function nameOf(request: ApiRequest): string {
  return `${truncate(request.method, 20)} ${truncate(pathOf(request))}`;
}

/** Returns the kind of an error, if the response is that of the error and not one of a fault. */
function kindOf(error: unknown, status: number): ProblemKind | undefined {
  if (typeof error !== 'object' || error === null || !('kind' in error)) return undefined;
  const kind = error.kind as ProblemKind;
  return statusOf[kind] === status ? kind : undefined;
}

/** Whether the row made the response, and not a fault. */
function isOwn(row: ShopEndpoint, status: number, kind: ProblemKind | undefined): boolean {
  return kind !== undefined || status === row.status || status === statusOf.declined;
}

function fieldsOf(error: unknown): readonly FieldIssue[] {
  return (error as { readonly fields?: readonly FieldIssue[] }).fields ?? [];
}

/** Returns the fields of enums as bodies write them, with the wanted values of each. */
function fieldsFor(
  points: EnumReader['points'],
  isWanted: (key: string) => boolean,
): WantedField[] {
  const byName = Map.groupBy(points, ({ name }) => name.slice(name.lastIndexOf('.') + 1));
  return Array.from(byName, ([field, group]) => ({
    needle: `"${field}":"`,
    wanted: new Set(
      group.flatMap(({ name, values }) => values.filter((value) => isWanted(`${name}=${value}`))),
    ),
  }));
}

/**
 * Returns the values of enums in a body, in order; undefined if none of them is wanted. This takes a tenth of the time of
 * parsing the body.
 */
function signatureOf(body: string, fields: readonly WantedField[]): string | undefined {
  let signature = '';
  let isWanted = false;
  for (const { needle, wanted } of fields) {
    for (let at = body.indexOf(needle); at !== -1; at = body.indexOf(needle, at)) {
      at += needle.length;
      const value = body.slice(at, body.indexOf('"', at));
      if (wanted.has(value)) isWanted = true;
      signature += `${value} `;
    }
    signature += ',';
  }
  return isWanted ? signature : undefined;
}

/** A fault may have made the body unparsable. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns the names that a form does not have, up to ten, at any depth: `shippingAddress.zip`. */
function unknownNames(sent: unknown, children: FormChildren, path: string): string[] {
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) return [];
  return Object.entries(sent)
    .flatMap(([name, value]: [string, unknown]) => {
      const here = path === '' ? truncate(name, 60) : `${path}.${truncate(name, 60)}`;
      if (!Object.hasOwn(children, name)) return [here];
      const below = children[name];
      return below === undefined ? [] : unknownNames(value, below, here);
    })
    .slice(0, 10);
}
