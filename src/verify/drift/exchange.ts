import type * as z from 'zod';
import { addressOf, namedPath } from '../../engine/lib/api-path.ts';
import { parseJson } from '../../engine/lib/json-value.ts';
import { truncate } from '../../engine/lib/problem.ts';
import type { ApiDefinition, ApiEndpoint } from '../../engine/definition/api.ts';
import {
  matchRequest,
  possibleStatuses,
  type RequestMatch,
} from '../../engine/definition/match-request.ts';
import type {
  DriftDefinition,
  Facts,
  ReceivedResponse,
  Report,
  SentRequest,
} from '../../engine/definition/drift.ts';
import { curlOf, findingOf, type Finding } from './finding.ts';
import { withoutPrefix } from './rule.ts';
import { checkError } from './error-rules.ts';
import { checkView } from './rules.ts';
import { checkShape, viewsIn } from './shape.ts';

/** One request and its response. */
export interface Exchange {
  readonly request: SentRequest;
  readonly response: ReceivedResponse;
}

/** Known facts about the server, for more exact checks. */
export interface CheckOptions extends Omit<Facts, 'steps' | 'url'> {
  /** The API of the server. */
  readonly api: ApiDefinition;
  /** The checks of other servers in its definition (default: only those that follow from its rows). */
  readonly drift?: DriftDefinition | undefined;
  /** The origin for the curl line: `http://127.0.0.1:4000`. */
  readonly origin?: string | undefined;
}

/** Maximum number of findings of one exchange. */
export const maxFindings = 200;

/** Maximum length of a request in a report, and of its command, in characters. */
const [maxShown, maxCurl] = [1000, 10_000];

/**
 * Checks one response against the endpoint row of its request: status, headers, shape of the body, links, totals,
 * states and errors. Values are not compared. A request that no row serves must be answered with 404 or 405.
 */
export function checkExchange(exchange: Exchange, options: CheckOptions): Finding[] {
  const { request, response } = exchange;
  const match = matchRequest(request, options);
  const { row } = match;
  const findings: Finding[] = [];
  const about = describe(request, row, options);
  const report: Report = (...difference) => {
    if (findings.length < maxFindings) findings.push(findingOf(about, ...difference));
  };
  if (request.method === 'OPTIONS') return findings;
  if (!checkStatus(match, response, report, options)) return findings;
  if (request.method === 'HEAD') {
    if (response.body !== '') report('shape', 'body', 'nothing for HEAD', response.body);
    checkHeaders(match, response, undefined, report, options);
    return findings;
  }
  const body = checkJson(response, report);
  if (body === undefined && response.body !== '') return findings;
  if (response.status >= 400 && !(response.status === 402 && row?.answer !== undefined)) {
    checkError(match, response, body, report, options.api);
    return findings;
  }
  if (row !== undefined) checkSuccess(match, row, exchange, body, report, options);
  return findings;
}

/** Returns the parts of a finding that are known from its request. */
export function describe(
  request: SentRequest,
  row: ApiEndpoint | undefined,
  {
    origin = 'http://127.0.0.1:4000',
    prefix = '',
    apiPath = namedPath,
  }: Pick<CheckOptions, 'origin' | 'prefix' | 'apiPath'>,
): Pick<Finding, 'endpoint' | 'row' | 'extension' | 'request' | 'curl'> {
  const url = addressOf(apiPath, request.url);
  return {
    endpoint: row === undefined ? `${request.method} (no endpoint)` : `${row.method} ${row.path}`,
    row: row?.summary ?? 'Endpoint not found',
    ...(row?.isExtension === true && { extension: true as const }),
    request: truncate(`${request.method} ${url}`, maxShown),
    curl: truncate(curlOf(`${origin}${prefix}`, { ...request, url }), maxCurl),
  };
}

function checkStatus(
  match: RequestMatch,
  { status }: ReceivedResponse,
  report: Report,
  { api }: CheckOptions,
): boolean {
  const { row, problem, issues } = match;
  if (problem !== undefined) {
    if ([problem.status, 401, 429].includes(status)) return true;
    report('status', 'status', `${problem.status}: ${problem.message}`, status);
    return false;
  }
  if (row === undefined) return true;
  // No faults are injected into another server: its 500 and 503 are drift.
  const possible = possibleStatuses(row, api);
  if (!possible.includes(status)) {
    report('status', 'status', `one of ${possible.join(', ')}`, status);
    return false;
  }
  if (issues.length > 0 && status < 400) {
    const [issue] = issues;
    report('status', 'status', `400: ${issue?.path.join('.')}: ${issue?.message}`, status);
  }
  return true;
}

function isJson(type: string | undefined): boolean {
  return type !== undefined && /^application\/json(\s*;.*)?$/i.test(type);
}

/** Returns the parsed body. Reports a body that is no JSON, and a content type that is not that of JSON. */
function checkJson({ status, headers, body, json }: ReceivedResponse, report: Report): unknown {
  const type = headers['content-type'];
  if (body === '') {
    if (status !== 204) report('shape', 'body', 'a JSON body', undefined);
    return undefined;
  }
  if (status === 204) {
    report('shape', 'body', 'nothing with status 204', body);
    return undefined;
  }
  if (!isJson(type)) report('header', 'header content-type', 'application/json', type);
  const value = json === undefined ? parseJson(body) : json;
  if (value === undefined) report('shape', 'body', 'JSON', body);
  return value;
}

function checkSuccess(
  match: RequestMatch,
  row: ApiEndpoint,
  { request, response }: Exchange,
  body: unknown,
  report: Report,
  options: CheckOptions,
): void {
  const differences = row.answer === undefined ? 0 : checkShape(row.answer, body, report);
  // Few rules would apply to what is left.
  if (differences >= maxFindings) return;
  const fits = differences === 0;
  if (row.answer !== undefined) {
    const { api } = options;
    const known = { ...options, steps: api.steps, url: request.url };
    const broken = fits ? [] : brokenPaths(row.answer, body);
    for (const viewed of viewsIn(row.answer, body, api.views())) {
      // Rules read fields without testing them, so they apply to whole views only.
      if (broken.every((path) => !areNested(path, viewed.path)))
        checkView(viewed, report, known, options);
    }
  }
  checkHeaders(match, response, fits ? body : undefined, report, options);
}

/** Returns the paths of what a body lacks, or has of another kind. Unknown fields break nothing. */
function brokenPaths(answer: z.ZodType, body: unknown): readonly (readonly PropertyKey[])[] {
  return answer.safeParse(body).error?.issues.map(({ path }) => path) ?? [];
}

/** Whether one of two places contains the other. */
function areNested(one: readonly PropertyKey[], other: readonly PropertyKey[]): boolean {
  const [outer, inner] = one.length < other.length ? [one, other] : [other, one];
  return outer.every((key, at) => inner[at] === key);
}

function checkHeaders(
  { row, params }: RequestMatch,
  { headers, status }: ReceivedResponse,
  body: unknown,
  report: Report,
  options: CheckOptions,
): void {
  if (row === undefined || status >= 400) return;
  const { location } = headers;
  if (row.location === undefined || status !== 201) {
    if (location !== undefined)
      report('header', 'header location', 'only with status 201', location);
    return;
  }
  if (location === undefined) {
    report('header', 'header location', 'the URL of the created record', undefined);
    return;
  }
  if (body === undefined) return;
  // Rows read the id of their subject only: no record of another server is at hand.
  const subject = { id: params['order_id'] };
  const expected = row.location(body, { subject } as Parameters<typeof row.location>[1]);
  const path = withoutPrefix(pathOf(location), options);
  // A row makes it of its own paths, or of a link in the body.
  if (![expected, withoutPrefix(expected, options)].includes(path))
    report('header', 'header location', expected, location);
}

/** A `Location` may be a whole URL. */
function pathOf(location: string): string {
  return location.replace(/^https?:\/\/[^/]+/, '');
}
