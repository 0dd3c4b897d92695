import * as z from 'zod';
import { normalizedPath } from '../lib/api-path.ts';
import { mapValues } from '../lib/json-value.ts';
import { Problem, type FieldIssue } from '../lib/problem.ts';
import { unwrapped } from '../lib/schema-parts.ts';
import { withoutBlanks } from './blank-parameters.ts';
import { parseBody, parseBrackets, parseFile, receivedFile } from './body.ts';
import type { RequestTarget, AnyCall, EndpointRow, RestSettings } from './endpoint.ts';
import { jsonHeaders, problemResponse, statusOf } from './errors.ts';
import { extraFields, type Form, type FormChildren } from './form.ts';
import { type ApiResponse, type ApiRequest, withIgnored, LongPoll } from './message.ts';
import { allowedMethods, optionsResponse, type Route, type Router } from './router.ts';

/** A decoded request and its endpoint, before validation. */
export interface Routed<Context> {
  readonly request: ApiRequest;
  readonly target: RequestTarget;
  readonly row: EndpointRow<Context>;
  readonly params: Readonly<Record<string, string>>;
  /** The parameters of the body, before validation. */
  readonly sent: Readonly<Record<string, unknown>>;
}

/** The requirements of endpoints for the host that serves them. */
export interface Host<Context> {
  readonly settings: RestSettings;
  /** Passed to the handlers together with the parts of the request. */
  readonly context: Context;
  /** Rejects unknown query parameters. By default, they are ignored and named in a header. */
  readonly isQueryStrict?: true;
  /** Changes the links of a response, if clients know them by others. */
  readonly withLinks?: (answer: ApiResponse) => ApiResponse;
  /** Runs work atomically: if it throws, everything that it wrote is rolled back. */
  transaction<Result>(work: () => Result): Result;
  /** Receives each unexpected error. The client receives only status 500. */
  report(fault: unknown, request: ApiRequest): void;
}

/** Serves one request. The response to HEAD has the body of GET. Errors are responses. */
export function serve<Context>(
  router: Router<Context>,
  request: ApiRequest,
  host: Host<Context>,
): ApiResponse {
  let route: Route<Context> | undefined;
  let routed: Routed<Context> | undefined;
  try {
    const target = request.target ?? parseTarget(request.url);
    const found = router.match(request.method, target.path);
    ({ route } = found);
    if (request.method === 'OPTIONS') return optionsResponse(route);
    const decoded = decodeRequest(request, target, route, found.params, host.settings);
    routed = decoded;
    return host.transaction(() => respond(decoded, host));
  } catch (error) {
    return errorResponse(error, request, host, routed, route);
  }
}

/**
 * Decodes the body of a request and chooses its endpoint.
 *
 * @throws Problem as `parseBody`, `too large` for a longer body than the settings allow, and `not allowed` for a method
 *   that the route does not have
 */
export function decodeRequest<Context>(
  request: ApiRequest,
  target: RequestTarget,
  route: Route<Context>,
  params: Readonly<Record<string, string>>,
  settings: RestSettings,
): Routed<Context> {
  const { method } = request;
  const rows = route.methods.get(method === 'HEAD' ? 'GET' : method) ?? none;
  const sent = bodyOf(request, settings, rows);
  const row = chooseRow(rows, sent);
  if (row === undefined) throw notAllowed(method, route);
  if (route.nameOf) target = { ...target, path: route.nameOf(target.path) };
  const isParsed = request.isParsedForm === true && row.body !== undefined;
  return { request, target, row, params, sent: isParsed ? lastValues(row.body, sent) : sent };
}

/** Returns the last value of each parameter that was sent twice, as in PHP: of a list, if the form has none there. */
function lastValues(
  { schema }: Form<unknown>,
  sent: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const shape: z.ZodRawShape = schema.shape;
  return mapValues(sent, (value, name): unknown =>
    Array.isArray(value) && !isList(shape[name]) ? value.at(-1) : value,
  );
}

function isList(schema: z.core.$ZodType | undefined): boolean {
  const inner = schema && unwrapped(schema);
  return inner instanceof z.ZodArray || inner instanceof z.ZodRecord;
}

/**
 * Returns the response to an error. Any error but a Problem is reported and becomes status 500.
 *
 * @param routed the decoded request, unless it could not be decoded
 * @param route the route of the path, if it has one
 */
export function errorResponse<Context>(
  error: unknown,
  request: ApiRequest,
  host: Pick<Host<Context>, 'report' | 'isQueryStrict'>,
  routed: Routed<Context> | undefined,
  route?: Route<Context>,
): ApiResponse {
  const isExpected =
    error instanceof Problem && error.kind !== 'fault' && Object.hasOwn(statusOf, error.kind);
  if (!isExpected) host.report(error, request);
  const problem = isExpected ? error : new Problem('fault', 'unexpected');
  const row = routed?.row ?? route?.methods.values().next().value?.[0];
  const answer = problemResponse(problem, childrenOf(routed?.row), row?.errorBody);
  return routed === undefined ? answer : withIgnored(answer, ignoredBy(routed, host));
}

/** Returns the parameters that the error tree of a row names. */
function childrenOf<Context>(row: EndpointRow<Context> | undefined): FormChildren {
  return (row?.body ?? row?.query)?.children ?? {};
}

/** Parses the path, which is normalized, and the query of a URL. Ignores its origin and fragment. */
export function parseTarget(url: string): RequestTarget {
  const start = url.startsWith('/') ? 0 : Math.max(0, url.indexOf('/', url.indexOf('//') + 2));
  const hash = url.indexOf('#', start);
  const end = hash === -1 ? url.length : hash;
  const mark = url.indexOf('?', start);
  const hasQuery = mark !== -1 && mark <= end;
  const path = url.slice(start, hasQuery ? mark : end);
  return {
    prefix: '',
    session: undefined,
    path: path.includes('%') ? normalizedPath(path) : path,
    query: hasQuery ? url.slice(mark + 1, end) : '',
  };
}

/** Returns a URL with a normalized path and without an origin, which clients send to proxies: https://www.rfc-editor.org/rfc/rfc9112#section-3.2.2 */
export function stripOrigin(url: string): string {
  if (url.startsWith('/') && !url.includes('%')) return url;
  const start = url.startsWith('/') ? 0 : url.indexOf('/', url.indexOf('//') + 2);
  if (start === -1) return '/';
  return url.slice(start).replace(/^[^?#]+/, normalizedPath);
}

/** Returns the parameters of the body. A request with GET or HEAD has none. */
function bodyOf<Context>(
  request: ApiRequest,
  { maxBodyBytes }: RestSettings,
  rows: readonly EndpointRow<Context>[],
): Readonly<Record<string, unknown>> {
  const { method, body, unreadable } = request;
  if (method === 'GET' || method === 'HEAD') {
    if (unreadable !== undefined && unreadable.kind !== 'malformed') throw unreadable;
    return {};
  }
  // A row that receives a file is the only one of its method and path.
  const file = rows[0]?.body?.file;
  if (unreadable !== undefined && file === undefined) throw unreadable;
  // A UTF-16 code unit has at most three bytes in UTF-8, so few bodies are encoded here.
  if (typeof body === 'string' && body.length * 3 > maxBodyBytes) {
    if (new TextEncoder().encode(body).length > maxBodyBytes) throw bodyTooLarge(maxBodyBytes);
  }
  if (file === 'received') return { ...receivedFile(request) };
  return file === 'parsed' ? parseFile(request) : parseBody(request);
}

export function bodyTooLarge(maxBodyBytes: number): Problem {
  return new Problem('too large', `The body is larger than ${maxBodyBytes} bytes.`);
}

/** Returns the first row that a body parameter chooses, else the first one without `chosenBy`. */
function chooseRow<Context>(
  rows: readonly EndpointRow<Context>[],
  body: Readonly<Record<string, unknown>>,
): EndpointRow<Context> | undefined {
  let byDefault: EndpointRow<Context> | undefined;
  for (const row of rows) {
    if (row.chosenBy === undefined) byDefault ??= row;
    else if (row.chosenBy.some((name) => name in body)) return row;
  }
  return byDefault;
}

function notAllowed<Context>(method: string, route: Route<Context>): Problem {
  const allow = allowedMethods(route).join(', ');
  return new Problem(
    'not allowed',
    `${method} is not allowed on ${route.path}; allowed: ${allow}.`,
    { headers: { allow } },
  );
}

/**
 * Validates the parameters, calls the handler and creates the response.
 *
 * @throws Problem `invalid` with an issue for each invalid parameter, and every error of the handler
 */
export function respond<Context>(routed: Routed<Context>, host: Host<Context>): ApiResponse {
  const { row, params, sent, target, request } = routed;
  const { context, settings } = host;
  const subject = row.subject?.({ ...context, params });
  const { known, ignored } = target.query === '' ? noQuery : queryOf(routed, host);
  const query = parseForm(row.query, known, settings);
  const body = parseForm(row.body, sent, settings, sent);
  const call = {
    ...context,
    params,
    target,
    subject,
    query: query.values,
    body: body.values,
    headers: request.headers,
    sent,
  };
  const fields = mergeIssues(query.issues, body.issues, row.check?.(call) ?? none);
  if (fields.length > 0) throw new Problem('invalid', 'Validation Failed', { fields });
  const value = row.handle(call);
  const made =
    value instanceof LongPoll
      ? longPollResponse(value, routed, call, host)
      : successResponse(row, call, value);
  const answer = host.withLinks?.(made) ?? made;
  return ignored.length === 0 ? answer : withIgnored(answer, ignored);
}

/** Returns the current response of a long poll, with the deferred one. */
function longPollResponse<Context>(
  poll: LongPoll<unknown>,
  routed: Routed<Context>,
  call: AnyCall<Context>,
  host: Host<Context>,
): ApiResponse {
  const { row, request } = routed;
  const settle = async (signal: AbortSignal): Promise<ApiResponse> => {
    try {
      return successResponse(row, call, await poll.wait(signal));
    } catch (error) {
      return errorResponse(error, request, host, routed);
    }
  };
  const deferred = { timeout: poll.timeout, answer: settle };
  try {
    return { ...successResponse(row, call, poll.current()), deferred };
  } catch (error) {
    return { ...errorResponse(error, request, host, routed), deferred };
  }
}

function successResponse<Context>(
  row: EndpointRow<Context>,
  call: AnyCall<Context>,
  value: unknown,
): ApiResponse {
  if (row.status === 204) return { status: 204, headers: {} };
  const status = row.statusFor?.(call) ?? row.status;
  if (row.textType !== undefined && typeof value === 'string')
    return { status, headers: { ...row.headers, 'content-type': row.textType }, body: value };
  if (row.headers === undefined) {
    const location = row.location?.(value, call);
    const headers = location === undefined ? jsonHeaders : { ...jsonHeaders, location };
    return { status, headers, body: JSON.stringify(value) };
  }
  const headers: Record<string, string> = { ...jsonHeaders, ...row.headers };
  const isJson = headers['content-type'] === jsonHeaders['content-type'];
  return { status, headers, body: isJson ? JSON.stringify(value) : String(value) };
}

/** Returns the query parameters that the endpoint knows, and the names of the others. */
function queryOf<Context>(
  { row, target }: Routed<Context>,
  { isQueryStrict }: Pick<Host<Context>, 'isQueryStrict'>,
): { readonly known: Readonly<Record<string, unknown>>; readonly ignored: readonly string[] } {
  const sent = withoutBlanks(parseBrackets(target.query), row.query?.children ?? nothing);
  if (isQueryStrict) return { known: sent, ignored: none };
  const children = row.query?.children ?? nothing;
  const [known = [], others = []] = [true, false].map((isKnown) =>
    Object.entries(sent).filter(([name]) => Object.hasOwn(children, name) === isKnown),
  );
  return { known: Object.fromEntries(known), ignored: others.map(([name]) => name) };
}

function ignoredBy<Context>(
  routed: Routed<Context>,
  host: Pick<Host<Context>, 'isQueryStrict'>,
): readonly string[] {
  try {
    return queryOf(routed, host).ignored;
  } catch {
    return none;
  }
}

/** Adds the issues that `check` found, except those of parameters that already have one. */
function mergeIssues(
  ofQuery: readonly FieldIssue[],
  ofBody: readonly FieldIssue[],
  ofCheck: readonly (FieldIssue | undefined)[],
): readonly FieldIssue[] {
  const issues = [...ofQuery, ...ofBody];
  let reported: ReadonlySet<string> | undefined;
  for (const issue of ofCheck) {
    if (issue === undefined) continue;
    reported ??= new Set(issues.map(({ path }) => path.join('.')));
    if (!reported.has(issue.path.join('.'))) issues.push(issue);
  }
  return issues;
}

const none: readonly never[] = [];

function parseForm(
  form: Form<unknown> | undefined,
  sent: unknown,
  settings: RestSettings,
  rejected: Readonly<Record<string, unknown>> = nothing,
): { readonly values: unknown; readonly issues: readonly FieldIssue[] } {
  if (form !== undefined) return form.parse(sent, settings.unknownParameters);
  const extra = settings.unknownParameters === 'reject' && Object.keys(rejected).length > 0;
  return { values: nothing, issues: extra ? [{ path: [], message: extraFields }] : none };
}

const nothing = Object.freeze({});
const noQuery = { known: nothing, ignored: none };
