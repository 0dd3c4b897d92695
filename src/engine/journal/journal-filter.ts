import { isObject, valueAt } from '../lib/json-value.ts';
import * as z from 'zod';
import { asAddress } from '../lib/api-path.ts';
import { memoized } from '../lib/memoized.ts';
import { methods, type Method } from '../rest/endpoint.ts';
import { formatCount, Problem, truncate, type FieldIssue } from '../lib/problem.ts';
import {
  matchesParts,
  parsePattern,
  type MatchedApi,
  partsOf,
  endpointIssues,
  type EndpointMatch,
  maxParameters,
} from '../faults/endpoint-match.ts';
import { nestBrackets } from '../rest/body.ts';
import { parseTarget } from '../rest/serve.ts';
import { issuesOf } from '../lib/schema-issues.ts';
import type { JournalEntry } from './recorded-exchange.ts';
import { mask, redactParameters, redactText } from './redaction.ts';
import { documentTexts } from '../lib/document-texts.ts';

const Parameters = z.record(z.string(), z.unknown());

/** The part of an API that a filter depends on. */
export interface FilteredApi extends MatchedApi {
  readonly steps: readonly { readonly name: string }[];
  /** For messages: `PUT /api/users/:user_id`. */
  readonly exampleRequest?: string;
}

/** Returns the schema of a filter for the steps of an API: which requests to match. Every condition must hold. */
export const journalFilter = memoized(({ steps }: Pick<FilteredApi, 'steps'>) =>
  z.strictObject({
    request: z.string().optional().describe(documentTexts.filterRequest),
    status: z
      .union([
        z.int().min(0).max(599),
        z.string().regex(/^[1-5]xx$/, 'expected a status such as 404, or 4xx'),
      ])
      .optional()
      .describe('Status of the response: 404, or `4xx`; 0 if none was sent yet, or none will be'),
    step: z
      .enum(steps.map(({ name }) => name))
      .optional()
      .describe(documentTexts.filterStep),
    query: Parameters.optional().describe('Parameters that the query must have'),
    body: Parameters.optional().describe('Parameters that the body must have'),
    fault: z
      .union([z.int().positive(), z.literal(true)])
      .optional()
      .describe('Id of a fault that was applied; true: any fault'),
    script: z
      .union([z.int().positive(), z.literal(true)])
      .optional()
      .describe('Id of a script that was applied; true: any script'),
    reached: z.boolean().optional().describe('False: only requests that reached no endpoint'),
    since: z.int().min(0).optional().describe('Only entries after the one with this id'),
  }),
);
export type JournalFilter = z.output<ReturnType<typeof journalFilter>>;

/** `'PUT /api/checkouts/:order_id'` is short for `{ request: 'PUT /api/checkouts/:order_id' }`. */
export type JournalFilterInput<Step extends string = string> =
  | string
  | (Omit<JournalFilter, 'step'> & { readonly step?: Step | undefined });

/** One condition of a filter: its expected value, and how to compare it with an entry. */
export interface Condition {
  readonly name: string;
  readonly wanted: unknown;
  of(entry: JournalEntry): unknown;
  matches(entry: JournalEntry): boolean;
}

export interface ParsedFilter {
  /** For messages: `PUT /api/checkouts/:order_id with status 200`. */
  readonly title: string;
  readonly since: number;
  readonly path: string | undefined;
  readonly conditions: readonly Condition[];
}

export function matchesFilter({ since, conditions }: ParsedFilter, entry: JournalEntry): boolean {
  return entry.id > since && conditions.every((one) => one.matches(entry));
}

/** @throws Problem `invalid` for a malformed filter, one that no request can match, or one for a secret, which is not recorded */
export function parseFilter(api: FilteredApi, input: JournalFilterInput = {}): ParsedFilter {
  const schema = journalFilter(api);
  const given = typeof input === 'string' ? { request: input } : input;
  const result = schema.safeParse(given);
  if (!result.success) throw invalid(issuesOf(schema, result.error, given));
  const filter = result.data;
  const { method, path } = parseRequest(api, filter.request);
  if (filter.reached !== false) assertKnown(api, filter, method, path);
  const isSecret = (name: string): boolean =>
    isSecretIn(api, { method, path, step: filter.step }, name);
  const query = leavesIn(filter.query, 'query', isSecret);
  const body = leavesIn(filter.body, 'body', isSecret);
  const conditions = [
    ...condition('method', method, (entry) => entry.method, isMethod),
    ...pathCondition(path, api.path),
    ...condition('status', filter.status, (entry) => entry.answer.status, isStatus),
    ...condition('step', filter.step, (entry) => entry.step),
    ...condition('faults', filter.fault, (entry) => entry.faults, wasApplied),
    ...condition('script', filter.script, (entry) => entry.script, wasApplied),
    ...condition('reached', filter.reached, (entry) => entry.endpoint !== undefined),
    ...query.flatMap(([at, value]) =>
      condition(`query ${at}`, value, (entry) => valueAt(entry.request.query, at.split('.'))),
    ),
    ...body.flatMap(([at, value]) =>
      condition(`body ${at}`, value, (entry) => valueAt(entry.request.body, at.split('.'))),
    ),
  ];
  return { title: titleOf(filter), since: filter.since ?? 0, path, conditions };
}

function parseRequest(
  { path: root, exampleRequest: example = `GET ${root}` }: FilteredApi,
  request = '',
): { method: Method | undefined; path: string | undefined } {
  const words = request.split(/\s+/).filter((word) => word !== '');
  const method = methods.find((one) => one === words[0]?.toUpperCase());
  const rest = method === undefined ? words : words.slice(1);
  if (rest.length > 1 || (rest.length === 1 && rest[0]?.startsWith('/') === false)) {
    const message = `Expected a method and a path such as ${example}, not '${truncate(request)}'; methods are ${methods.join(', ')}.`;
    throw invalid([{ path: ['request'], message }]);
  }
  return { method, path: rest[0] };
}

function assertKnown(
  api: FilteredApi,
  { step, query = {}, body = {} }: JournalFilter,
  method: Method | undefined,
  path: string | undefined,
): void {
  const parameters = Object.fromEntries(
    [...Object.keys(query), ...Object.keys(body)].map((name) => [name, '']),
  );
  const issues = endpointIssues({ method, path, step, parameters }, api);
  if (issues.length === 0) return;
  throw invalid(
    issues.map(({ path: at, message }) => ({
      path: at[0] === 'path' || at[0] === 'method' ? ['request'] : at,
      message,
    })),
  );
}

/** Whether each endpoint that a filter matches, and that has a parameter, records no values of it. */
function isSecretIn(api: FilteredApi, match: EndpointMatch, name: string): boolean {
  const field = name.split('.').at(-1)!;
  const endpoints = api.endpoints.filter(({ secret }) => secret?.has(field) !== true);
  if (endpoints.length === api.endpoints.length) return false;
  const parameters = { [name]: '' };
  return endpointIssues({ ...match, parameters }, { ...api, endpoints }).length > 0;
}

function condition<Value, Found>(
  name: string,
  wanted: Value | undefined,
  of: (entry: JournalEntry) => Found,
  matches: (wanted: Value, found: Found) => boolean = (a, b) => text(a) === text(b),
): Condition[] {
  if (wanted === undefined) return [];
  return [{ name, wanted, of, matches: (entry) => matches(wanted, of(entry)) }];
}

function pathCondition(path: string | undefined, apiPath: string): Condition[] {
  if (path === undefined) return [];
  const pattern = parsePattern(asAddress(apiPath, path));
  const shown = redactText(path);
  // Entries have no secrets, so a path with a secret is compared in its redacted form.
  const matches = (_: string, found: string): boolean =>
    found === shown || matchesParts(pattern, partsOf(found));
  return condition('path', shown, pathOf, matches);
}

function isMethod(wanted: string, found: string): boolean {
  return wanted === found || (wanted === 'GET' && found === 'HEAD');
}

function isStatus(wanted: string | number, found: number): boolean {
  if (typeof wanted === 'number') return wanted === found;
  return Math.floor(found / 100) === Number(wanted.slice(0, 1));
}

function wasApplied(wanted: number | true, ids: readonly number[]): boolean {
  return wanted === true ? ids.length > 0 : ids.includes(wanted);
}

/** Returns the leaves of a tree of parameters with their paths: `shippingAddress.city`, for dots and for brackets. */
function leavesIn(
  sent: Record<string, unknown> | undefined,
  field: string,
  isSecret: (name: string) => boolean,
): [string, unknown][] {
  const leaves = leavesOf(redactParameters(nestBrackets(sent ?? {})), []);
  if (leaves.length > maxParameters) {
    const message = `There are ${formatCount(leaves.length)} parameters, at most ${maxParameters} are accepted.`;
    throw invalid([{ path: [field], message }]);
  }
  const long = leaves.find(([at]) => at.length > maxTitle);
  if (long !== undefined) {
    const message = `A parameter name has ${formatCount(long[0].length)} characters, at most ${formatCount(maxTitle)} are accepted.`;
    throw invalid([{ path: [field], message }]);
  }
  const secret = leaves.find(([at, value]) => value === mask || isSecret(at));
  if (secret === undefined) return leaves;
  const message = `Secrets such as ${secret[0]} are not recorded, so they cannot be matched.`;
  throw invalid([{ path: [field, ...secret[0].split('.')], message }]);
}

function leavesOf(value: unknown, path: readonly string[]): [string, unknown][] {
  if (!isObject(value)) return [[path.join('.'), value]];
  return Object.entries(value).flatMap(([key, one]) => leavesOf(one, [...path, key]));
}

/** Converts a value to text: `1` in a JSON body equals `"1"` in a form. */
function text(value: unknown): string {
  if (typeof value === 'string') return value;
  // The expected value is never a list or an object.
  return value === undefined || isObject(value) ? '' : JSON.stringify(value);
}

/** Maximum length of a parameter name, and of each part of a filter that a message repeats. */
const maxTitle = 1000;

function titleOf({ request = 'any request', since, ...rest }: JournalFilter): string {
  const more = Object.entries(rest)
    .filter(([, value]) => value !== undefined)
    .map(
      ([name, value]) =>
        `${name} ${truncate(typeof value === 'object' ? JSON.stringify(redactParameters(value)) : String(value), maxTitle)}`,
    );
  const after = since === undefined ? [] : [`after entry #${since}`];
  return [
    truncate(redactText(request), maxTitle),
    ...(more.length > 0 ? [`with ${more.join(', ')}`] : []),
    ...after,
  ].join(' ');
}

/** Returns the error for malformed parameters of a filter or an expectation. */
export function invalid(fields: readonly FieldIssue[]): Problem {
  const lines = fields.map(({ path, message }) => `${path.join('.') || '(filter)'}: ${message}`);
  return new Problem('invalid', lines.join('; '), { fields });
}

function pathOf({ url }: JournalEntry): string {
  return parseTarget(url).path;
}
