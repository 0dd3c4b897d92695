import { isObject, parseJson } from '../lib/json-value.ts';
import { getOrCreate } from '../lib/maps.ts';
import { truncate, type FieldIssue, type Problem } from '../lib/problem.ts';
import type { ApiDefinition, ApiEndpoint } from '../definition/api.ts';
import { parseBrackets } from '../rest/body.ts';
import { statusOf } from '../rest/errors.ts';
import { extraFields } from '../rest/form.ts';
import { noticeHeader, type ApiRequest, type ApiResponse } from '../rest/message.ts';
import type { Routed } from '../rest/serve.ts';
import type { CoverageCounts } from './counts.ts';
import { enumReader, noReader, type EnumPoint, type EnumReader, type EnumSink } from './enums.ts';
import { itemKey, operationOf, rowName, ruleId, stepAnswer, unknownNames } from './keys.ts';
import { addedResponses } from './statuses.ts';
import { rowOf, sentName } from './unrouted.ts';

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
  /** Looks for values of enums in what a handler returned: most responses have none that is not met yet. */
  readValue(row: ApiEndpoint, value: unknown, api: ApiDefinition): void;
  /** Counts a transition of a record, and the state that it leads to. */
  transition(machine: string, name: string, to: string): void;
  /** Returns a recorder for a session of a server, if its sessions are counted one by one. */
  ofSession?(name: string): CoverageRecorder;
}

/** The number of times that an item was met. */
interface Counter {
  count: number;
}

interface RowState {
  readonly operation: string;
  readonly statuses: Map<number, Counter>;
  readonly enums: EnumReader;
  /** Reads what is left to meet of `enums`. */
  left: EnumReader | undefined;
  /** The number of points that were closed when `left` was computed. Until a value is met, `left` is all of `enums`. */
  closed: number;
  /** Whether a handler returned a value of an enum that no response has shown yet. */
  hasNew: boolean;
  readonly notice: EnumSink;
}

/** Has the next response find out what is left to meet. */
const notPruned = -1;

/** Maximum number of different entries in each list of what the contract does not have. */
const maxEntries = 500;
/** Maximum number of different items. Messages with names of records are without number. */
const maxItems = 10_000;

/** Counts for any number of back offices. */
export class Coverage implements CoverageRecorder {
  #requests = 0;
  readonly #items = new Map<string, Counter>();
  readonly #lists = {
    unmatched: new Map<string, number>(),
    parameters: new Map<string, number>(),
    extensions: new Map<string, number>(),
    documented: new Map<string, number>(),
  };
  /** The APIs whose added endpoints are listed. */
  readonly #apis = new Set<ApiDefinition>();
  readonly #rows = new Map<ApiEndpoint, RowState>();
  /** The values of enums that are left to meet, by the names of points. */
  readonly #open = new Map<string, Set<string>>();
  /** The number of points without a value left to meet. */
  #closed = 0;

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
    if (row.isExtension === true) {
      addTo(this.#lists.extensions, `${operationOf(row)} ${status}`);
      return;
    }
    const state = this.#stateOf(row, api);
    const counter = state.statuses.get(status);
    if (counter === undefined) {
      state.statuses.set(status, this.#add(itemKey('statuses', `${state.operation} ${status}`)));
    } else counter.count += 1;
    if (routed === undefined) return;
    const problem = isProblem(error) && statusOf[error.kind] === status ? error : undefined;
    if (row.step !== undefined && isOwn(row, status, problem))
      this.#add(itemKey('steps', `${row.step} ${stepAnswer(status, problem?.kind)}`));
    if (answer.headers[noticeHeader] !== undefined) this.#addIgnored(state.operation, routed);
    if (problem === undefined) this.#readEnums(state, answer);
    else if (problem.kind === 'invalid')
      this.#addIssues(state.operation, routed, problem.fields, api);
  }

  /** Records an exchange whose value was not read, by the text of the response. */
  recordText(exchange: CoveredExchange, api: ApiDefinition): void {
    const { routed, answer } = exchange;
    if (routed !== undefined && answer.body !== undefined)
      this.readValue(routed.row, parseJson(answer.body), api);
    this.record(exchange, api);
  }

  readValue(row: ApiEndpoint, value: unknown, api: ApiDefinition): void {
    if (row.isExtension === true) return;
    const state = this.#stateOf(row, api);
    if (state.hasNew) return;
    if (state.closed !== this.#closed) {
      state.closed = this.#closed;
      state.left = state.enums.prune((point) => this.#openOf(point));
    }
    // A fault may change the response, so that it does not show what is new.
    state.left?.read(value, state.notice);
  }

  transition(machine: string, name: string, to: string): void {
    this.#add(itemKey('transitions', `${machine}.${name}`));
    this.#add(itemKey('states', `${machine}.${to}`));
  }

  /** Returns the counts, and starts at zero if `reset` is true. */
  counts({ reset = false }: { readonly reset?: boolean } = {}): CoverageCounts {
    const counts = {
      requests: this.#requests,
      items: Object.fromEntries(
        Array.from(this.#items, ([key, { count }]) => [key, count] as const),
      ),
      unmatched: Object.fromEntries(this.#lists.unmatched),
      parameters: Object.fromEntries(this.#lists.parameters),
      extensions: Object.fromEntries(this.#lists.extensions),
      documented: Object.fromEntries(this.#lists.documented),
    };
    if (!reset) return counts;
    this.#requests = 0;
    this.#closed = 0;
    this.#apis.clear();
    this.#items.clear();
    for (const list of Object.values(this.#lists)) list.clear();
    this.#rows.clear();
    this.#open.clear();
    return counts;
  }

  #list(api: ApiDefinition): void {
    this.#apis.add(api);
    for (const response of addedResponses(api)) this.#lists.documented.set(response, 1);
  }

  /** Counts an item. Returns its counter, which counts for nothing beyond the maximum of items. */
  #add(key: string): Counter {
    const known = this.#items.get(key);
    if (known !== undefined) {
      known.count += 1;
      return known;
    }
    const counter = { count: 1 };
    if (this.#items.size < maxItems) this.#items.set(key, counter);
    return counter;
  }

  #stateOf(row: ApiEndpoint, api: ApiDefinition): RowState {
    const known = this.#rows.get(row);
    if (known !== undefined) return known;
    const operation = operationOf(row);
    const enums = row.answer === undefined ? noReader : enumReader(row.answer, operation, api);
    const state: RowState = {
      operation,
      statuses: new Map(),
      enums,
      left: enums === noReader ? undefined : enums,
      closed: 0,
      hasNew: false,
      notice: () => {
        state.hasNew = true;
      },
    };
    this.#rows.set(row, state);
    return state;
  }

  /** Reads the text of a response, because a fault may have changed it. */
  #readEnums(state: RowState, answer: ApiResponse): void {
    if (!state.hasNew || answer.body === undefined) return;
    if (answer.status >= 300 && answer.status !== statusOf.declined) return;
    if (state.left === state.enums) state.closed = notPruned;
    const { size } = this.#items;
    state.enums.read(parseJson(answer.body), this.#meet);
    // If a fault hid what is new, the next response may show it, even one that was made before.
    state.hasNew = this.#items.size === size;
  }

  readonly #meet: EnumSink = (point, value) => {
    const open = this.#openOf(point);
    if (!open.delete(value)) return;
    if (open.size === 0) this.#closed += 1;
    this.#items.set(itemKey('enums', `${point.name}=${value}`), { count: 1 });
    if (point.machine === undefined) return;
    const shown = itemKey('states', `${point.machine}.${value}`);
    if (!this.#items.has(shown)) this.#items.set(shown, { count: 1 });
  };

  #openOf({ name, values }: EnumPoint): Set<string> {
    return getOrCreate(this.#open, name, () => new Set(values));
  }

  #addIssues(
    operation: string,
    { sent, row, target }: RoutedRow,
    issues: readonly FieldIssue[],
    api: ApiDefinition,
  ): void {
    for (const issue of issues) {
      this.#add(itemKey('rules', `${rowName(row, api)} ${truncate(ruleId(issue), 300)}`));
      if (issue.path.length > 0 || issue.message !== extraFields) continue;
      const form = row.body ?? row.query;
      const tree = row.method === 'GET' ? parseBrackets(target.query) : sent;
      for (const name of unknownNames(tree, form?.children ?? {}, ''))
        addTo(this.#lists.parameters, `${operation} ${name}`);
    }
  }

  #addIgnored(operation: string, { row, target }: RoutedRow): void {
    const children = row.query?.children ?? {};
    for (const name of Object.keys(parseBrackets(target.query)))
      if (!Object.hasOwn(children, name))
        addTo(this.#lists.parameters, `${operation} ?${truncate(name, 60)}`);
  }
}

function addTo(map: Map<string, number>, key: string): void {
  const count = map.get(key);
  if (count === undefined && map.size >= maxEntries) return;
  map.set(key, (count ?? 0) + 1);
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
