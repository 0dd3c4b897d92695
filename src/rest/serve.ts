import { Problem, type FieldProblem } from '../lib/problem.ts';
import { parseBody, parseBrackets, parseFile } from './body.ts';
import type { RequestTarget, AnyCall, EndpointRow, Method } from './endpoint.ts';
import { jsonHeaders, problemResponse } from './errors.ts';
import { extraFields, type Form, type FormChildren } from './form.ts';
import { jsonOf } from './json.ts';
import { type ApiAnswer, type ApiRequest, withIgnored } from './message.ts';
import { allowedMethods, createApiRouter, type Route } from './router.ts';
import type { RestSettings } from './settings.ts';

/** A request whose endpoint is known; nothing has been done yet. */
export interface Routed<Context> {
  readonly request: ApiRequest;
  readonly target: RequestTarget;
  readonly row: EndpointRow<Context>;
  readonly params: Readonly<Record<string, string>>;
  /** The parameters of the body as they were sent. */
  readonly sent: Readonly<Record<string, unknown>>;
}

/** What stands behind the rows at one request. */
export interface Host<Context> {
  readonly settings: RestSettings;
  /** What the rows' handlers are given beside the request's own parts. */
  readonly context: Context;
  /** Rejects an unknown parameter of a query, which is otherwise ignored and named in a header. */
  readonly isQueryStrict?: true;
  /** Runs the work wholly or not at all: whatever it throws, nothing of it stays. */
  transaction<Result>(work: () => Result): Result;
  /** Reads what is at an address, or knows that it is as it was when it was read last. */
  reading?(target: RequestTarget, read: () => ApiAnswer): ApiAnswer;
  /** Hears of every unexpected fault; the client sees nothing of it. */
  report(fault: unknown, request: ApiRequest): void;
  /** May refuse a request, by a Problem, before it is known where it leads. */
  admit?(request: ApiRequest, target: RequestTarget): void;
}

/** An answer, and the endpoint that gave it where there is one. */
export interface Served<Context> {
  readonly answer: ApiAnswer;
  readonly routed?: Routed<Context>;
}

/** Called when the endpoint is known and nothing is done yet: may answer in its place, or refuse by a Problem. */
export type Intercept<Context> = (routed: Routed<Context>) => ApiAnswer | undefined;

export type Serve<Context> = (
  request: ApiRequest,
  host: Host<Context>,
  before?: Intercept<Context>,
) => Served<Context>;

/** Makes the function that answers requests from these rows: a HEAD as a GET, with its body. It never throws. */
export function createServe<Context>(rows: readonly EndpointRow<Context>[]): Serve<Context> {
  const router = createApiRouter(rows);
  return (request, host, before) => {
    let routed: Routed<Context> | undefined;
    try {
      const target = parseTarget(request.url);
      host.admit?.(request, target);
      const { route, params } = router.match(request.method, target.path);
      if (request.method === 'OPTIONS') return { answer: optionsResponse(route) };
      const sent = bodyOf(request, host.settings, route);
      const row = chooseRow(route, request.method, sent);
      const known = (routed = { request, target, row, params, sent });
      const answer = before?.(known) ?? runAtomically(known, host);
      return { answer, routed };
    } catch (error) {
      const problem = problemResponse(problemOf(error, request, host), childrenOf(routed?.row));
      if (routed === undefined) return { answer: problem };
      return { answer: withIgnored(problem, ignoredBy(routed, host)), routed };
    }
  };
}

function runAtomically<Context>(routed: Routed<Context>, host: Host<Context>): ApiAnswer {
  const work = (): ApiAnswer => validateAndHandle(routed, host);
  return routed.row.method === 'GET' && host.reading !== undefined
    ? host.reading(routed.target, () => host.transaction(work))
    : host.transaction(work);
}

function problemOf<Context>(error: unknown, request: ApiRequest, host: Host<Context>): Problem {
  if (error instanceof Problem && error.kind !== 'fault') return error;
  host.report(error, request);
  return new Problem('fault', 'unexpected');
}

/** The parameters that the error tree of a row names. */
function childrenOf<Context>(row: EndpointRow<Context> | undefined): FormChildren {
  return (row?.body ?? row?.query)?.children ?? {};
}

/** The path and the query of a URL; an origin in front of them is passed over. */
export function parseTarget(url: string): RequestTarget {
  const start = url.startsWith('/') ? 0 : Math.max(0, url.indexOf('/', url.indexOf('//') + 2));
  const hash = url.indexOf('#', start);
  const end = hash === -1 ? url.length : hash;
  const mark = url.indexOf('?', start);
  return mark === -1 || mark > end
    ? { path: url.slice(start, end), query: '' }
    : { path: url.slice(start, mark), query: url.slice(mark + 1, end) };
}

function bodyOf<Context>(
  request: ApiRequest,
  settings: RestSettings,
  route: Route<Context>,
): Readonly<Record<string, unknown>> {
  const { method, body, unreadable } = request;
  const isRead = method === 'GET' || method === 'HEAD';
  const isFile = !isRead && expectsFile(route, method);
  const isIgnored = isFile || (isRead && unreadable?.kind === 'malformed');
  if (unreadable !== undefined && !isIgnored) throw unreadable;
  if (isRead) return {};
  if (typeof body === 'string' && isLonger(body, settings.maxBodyBytes)) {
    throw bodyTooLarge(settings.maxBodyBytes);
  }
  return isFile ? parseFile(request) : parseBody(request);
}

/** Whether the body is a file, which has no parameters. */
function expectsFile<Context>({ methods }: Route<Context>, method: string): boolean {
  return methods.get(method as Method)?.some((row) => row.body?.isFile === true) ?? false;
}

export function bodyTooLarge(maxBodyBytes: number): Problem {
  return new Problem('too large', `The body is larger than ${maxBodyBytes} bytes.`);
}

/** A character has three bytes at the most, so most bodies need not be counted. */
function isLonger(text: string, bytes: number): boolean {
  return text.length * 3 > bytes && new TextEncoder().encode(text).length > bytes;
}

/** @throws Problem `not allowed`, with the methods that are */
function chooseRow<Context>(
  route: Route<Context>,
  method: string,
  body: Readonly<Record<string, unknown>>,
): EndpointRow<Context> {
  const rows = route.methods.get((method === 'HEAD' ? 'GET' : method) as Method) ?? [];
  const chosen =
    rows.find((row) => row.chosenBy?.some((name) => name in body)) ??
    rows.find((row) => row.chosenBy === undefined);
  if (chosen !== undefined) return chosen;
  const allow = allowedMethods(route).join(', ');
  throw new Problem(
    'not allowed',
    `${method} is not allowed on ${route.path}; allowed: ${allow}.`,
    {
      headers: { allow },
    },
  );
}

function validateAndHandle<Context>(routed: Routed<Context>, host: Host<Context>): ApiAnswer {
  const { row, params, sent, target } = routed;
  const { context, settings } = host;
  const subject = row.subject?.({ ...context, params });
  const { known, ignored } = queryOf(routed, host);
  const query = parseForm(row.query, known, settings);
  const body = parseForm(row.body, sent, settings, sent);
  const call = { ...context, params, target, subject, query: query.values, body: body.values };
  const fields = mergeIssues(query.issues, body.issues, row.check?.(call) ?? none);
  if (fields.length > 0) throw new Problem('invalid', 'Validation Failed', { fields });
  return withIgnored(successResponse(row, call), ignored);
}

function successResponse<Context>(row: EndpointRow<Context>, call: AnyCall<Context>): ApiAnswer {
  const value = row.handle(call);
  if (row.status === 204) return { status: 204, headers: {} };
  const status = row.statusFor?.(call) ?? row.status;
  if (row.headers === undefined) {
    const location = row.location?.(value, call);
    const headers = location === undefined ? jsonHeaders : { ...jsonHeaders, location };
    return { status, headers, body: jsonOf(value) };
  }
  const headers: Record<string, string> = { ...jsonHeaders, ...row.headers };
  const isJson = headers['content-type'] === jsonHeaders['content-type'];
  return { status, headers, body: isJson ? jsonOf(value) : String(value) };
}

/** The parameters of the query that the endpoint knows, and the names of the others. */
function queryOf<Context>(
  { row, target }: Routed<Context>,
  { isQueryStrict }: Host<Context>,
): { readonly known: Readonly<Record<string, unknown>>; readonly ignored: readonly string[] } {
  if (target.query === '') return { known: nothing, ignored: none };
  const sent = parseBrackets(target.query);
  if (isQueryStrict) return { known: sent, ignored: none };
  const children = row.query?.children ?? nothing;
  const [known = [], others = []] = [true, false].map((isKnown) =>
    Object.entries(sent).filter(([name]) => Object.hasOwn(children, name) === isKnown),
  );
  return { known: Object.fromEntries(known), ignored: others.map(([name]) => name) };
}

function ignoredBy<Context>(routed: Routed<Context>, host: Host<Context>): readonly string[] {
  try {
    return queryOf(routed, host).ignored;
  } catch {
    return none;
  }
}

/** Of a parameter that is wrong in itself there is no more to say. */
function mergeIssues(
  query: readonly FieldProblem[],
  body: readonly FieldProblem[],
  further: readonly (FieldProblem | undefined)[],
): readonly FieldProblem[] {
  const isGood = query.length === 0 && body.length === 0;
  if (isGood && further.every((problem) => problem === undefined)) return none;
  const ofForm = [...query, ...body];
  const said = new Set(ofForm.map(({ path }) => path.join('.')));
  const more = further.filter((problem) => problem !== undefined);
  return [...ofForm, ...more.filter(({ path }) => !said.has(path.join('.')))];
}

const none: readonly never[] = [];

function parseForm(
  form: Form<unknown> | undefined,
  sent: unknown,
  settings: RestSettings,
  refuseIfAny: Readonly<Record<string, unknown>> = nothing,
): { readonly values: unknown; readonly issues: readonly FieldProblem[] } {
  if (form !== undefined) return form.parse(sent, settings.unknownParameters);
  const extra = settings.unknownParameters === 'reject' && Object.keys(refuseIfAny).length > 0;
  return { values: nothing, issues: extra ? [{ path: [], message: extraFields }] : none };
}

const nothing = Object.freeze({});

function optionsResponse<Context>(route: Route<Context>): ApiAnswer {
  return { status: 204, headers: { allow: allowedMethods(route).join(', ') } };
}
