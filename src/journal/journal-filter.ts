import * as z from 'zod';
import { ScriptStep } from '../models/script-rule.ts';
import { firstOf, formatCount, Problem, shortened, type FieldProblem } from '../lib/problem.ts';
import { matchesPath, parsePattern, type PathPattern } from '../faults/path-pattern.ts';
import { nested } from '../rest/body.ts';
import { parseTarget } from '../rest/serve.ts';
import { endpointIssues, maxParameters } from '../faults/endpoint-match.ts';
import { issuesOf } from '../rest/issues.ts';
import type { JournalEntry } from './journal-entry.ts';
import { redactParameters } from './redaction.ts';
import { mask, redactText } from './shown-text.ts';

const Parameters = z.record(z.string(), z.unknown());

/** Which requests are meant; every condition given has to hold. */
export const JournalFilter = z.strictObject({
  request: z
    .string()
    .optional()
    .describe('Method and path: `PUT /api/checkouts/:order_id`, `/api/orders/*`, `DELETE`'),
  status: z
    .union([
      z.int().min(0).max(599),
      z.string().regex(/^[1-5]xx$/, 'expected a status such as 404, or 4xx'),
    ])
    .optional()
    .describe('Of the answer: 404, or `4xx`; 0 for a dropped connection'),
  step: ScriptStep.optional().describe('The step of the checkout'),
  query: Parameters.optional().describe('Parameters that the query has, beside others'),
  body: Parameters.optional().describe('Parameters that the body has, beside others'),
  fault: z
    .union([z.int().positive(), z.literal(true)])
    .optional()
    .describe('A fault that acted, or any'),
  script: z
    .union([z.int().positive(), z.literal(true)])
    .optional()
    .describe('A rule of the script that acted, or any'),
  reached: z.boolean().optional().describe('False: only what no endpoint could answer'),
  since: z.int().min(0).optional().describe('Only entries after the one with this id'),
});
export type JournalFilter = z.output<typeof JournalFilter>;

/** `'PUT /api/checkouts/:order_id'` says the same as `{ request: 'PUT /api/checkouts/:order_id' }`. */
export type JournalFilterInput = string | z.input<typeof JournalFilter>;

/** One condition: what was wanted, what there was, whether that fits. */
export interface Condition {
  readonly name: string;
  readonly wanted: unknown;
  of(entry: JournalEntry): unknown;
  matches(entry: JournalEntry): boolean;
}

export interface ParsedFilter {
  /** As it is said in messages: `PUT /api/checkouts/:order_id with status 200`. */
  readonly title: string;
  readonly since: number;
  readonly path: string | undefined;
  readonly conditions: readonly Condition[];
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
type Method = (typeof methods)[number];

/** @throws Problem `invalid` for what is malformed, what no request can be, and secrets, which nobody can look for */
export function parseFilter(input: JournalFilterInput = {}): ParsedFilter {
  const result = JournalFilter.safeParse(typeof input === 'string' ? { request: input } : input);
  if (!result.success) throw invalid(issuesOf(JournalFilter, result.error));
  const filter = result.data;
  const { method, path } = readRequest(filter.request);
  if (filter.reached !== false) refuseUnknown(filter, method, path);
  const query = tree(filter.query, 'query');
  const body = tree(filter.body, 'body');
  const conditions = [
    ...condition('method', method, (entry) => entry.method, isMethod),
    ...pathCondition(path),
    ...condition('status', filter.status, (entry) => entry.answer.status, isStatus),
    ...condition('step', filter.step, (entry) => entry.step),
    ...condition('faults', filter.fault, (entry) => entry.faults, hasActed),
    ...condition('script', filter.script, (entry) => entry.script, hasActed),
    ...condition('reached', filter.reached, (entry) => entry.endpoint !== undefined),
    ...query.flatMap(([at, value]) =>
      condition(`query ${at}`, value, (entry) => valueAt(entry.request.query, at)),
    ),
    ...body.flatMap(([at, value]) =>
      condition(`body ${at}`, value, (entry) => valueAt(entry.request.body, at)),
    ),
  ];
  return { title: titleOf(filter), since: filter.since ?? 0, path, conditions };
}

function readRequest(request = ''): { method: Method | undefined; path: string | undefined } {
  const words = request.split(/\s+/).filter((word) => word !== '');
  const method = methods.find((one) => one === words[0]?.toUpperCase());
  const rest = method === undefined ? words : words.slice(1);
  if (rest.length > 1 || (rest.length === 1 && rest[0]?.startsWith('/') === false)) {
    const message = `Expected a method and a path such as PUT /api/checkouts/:order_id, not '${shortened(request)}'; methods are ${methods.join(', ')}.`;
    throw invalid([{ path: ['request'], message }]);
  }
  return { method, path: rest[0] };
}

function refuseUnknown(
  { step, query = {}, body = {} }: JournalFilter,
  method: Method | undefined,
  path: string | undefined,
): void {
  const parameters = Object.fromEntries(
    [...Object.keys(query), ...Object.keys(body)].map((name) => [name, '']),
  );
  const mistakes = endpointIssues({ method, path, step, parameters });
  if (mistakes.length === 0) return;
  throw invalid(
    mistakes.map(({ path: at, message }) => ({
      path: at[0] === 'path' || at[0] === 'method' ? ['request'] : at,
      message,
    })),
  );
}

function condition<Value>(
  name: string,
  wanted: Value | undefined,
  of: (entry: JournalEntry) => unknown,
  fits: (wanted: Value, found: unknown) => boolean = (a, b) => text(a) === text(b),
): Condition[] {
  if (wanted === undefined) return [];
  return [{ name, wanted, of, matches: (entry) => fits(wanted, of(entry)) }];
}

function pathCondition(path: string | undefined): Condition[] {
  if (path === undefined) return [];
  const pattern: PathPattern = parsePattern(path);
  const shown = redactText(path);
  // Entries hold no secrets: a path that has one is looked for without it.
  const fits = (_: string, found: unknown): boolean =>
    found === shown || matchesPath(pattern, String(found));
  return condition('path', shown, pathOf, fits);
}

function isMethod(wanted: string, found: unknown): boolean {
  return wanted === found || (wanted === 'GET' && found === 'HEAD');
}

function isStatus(wanted: string | number, found: unknown): boolean {
  if (typeof wanted === 'number') return wanted === found;
  return Math.floor(Number(found) / 100) === Number(wanted.slice(0, 1));
}

function hasActed(wanted: number | true, found: unknown): boolean {
  const ids = found as readonly number[];
  return wanted === true ? ids.length > 0 : ids.includes(wanted);
}

/** The leaves of a tree of parameters, each with its path: `shippingAddress.city`, in whichever form they are given. */
function tree(sent: Record<string, unknown> | undefined, what: string): [string, unknown][] {
  const leaves = leavesOf(redactParameters(nested(sent ?? {})), []);
  if (leaves.length > maxParameters) {
    const message = `There are ${formatCount(leaves.length)} parameters, at most ${maxParameters} are accepted.`;
    throw invalid([{ path: [what], message }]);
  }
  const long = leaves.find(([at]) => at.length > longestTitle);
  if (long !== undefined) {
    const message = `The name of a parameter has ${formatCount(long[0].length)} characters, at most ${formatCount(longestTitle)} are accepted.`;
    throw invalid([{ path: [what], message }]);
  }
  const secret = leaves.find(([, value]) => value === mask);
  if (secret === undefined) return leaves;
  const message = `No ${secret[0]} is kept, so none can be looked for.`;
  throw invalid([{ path: [what, ...secret[0].split('.')], message }]);
}

function leavesOf(value: unknown, path: readonly string[]): [string, unknown][] {
  if (typeof value !== 'object' || value === null) return [[path.join('.'), value]];
  return Object.entries(value).flatMap(([key, one]) => leavesOf(one, [...path, key]));
}

function valueAt(sent: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>(
      (value, key) =>
        typeof value === 'object' && value !== null && Object.hasOwn(value, key)
          ? (value as Record<string, unknown>)[key]
          : undefined,
      sent,
    );
}

/** `1` of a JSON body and `"1"` of a form are one. */
function text(value: unknown): string {
  if (typeof value === 'string') return value;
  // What is looked for is never a list or a block.
  return value === undefined || isTree(value) ? '' : JSON.stringify(value);
}

function isTree(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

/** Characters of a name, and of each part of a filter that a message repeats. */
const longestTitle = 1000;

function titleOf({ request = 'any request', since, ...rest }: JournalFilter): string {
  const more = Object.entries(rest)
    .filter(([, value]) => value !== undefined)
    .map(
      ([name, value]) =>
        `${name} ${shortened(typeof value === 'object' ? JSON.stringify(redactParameters(value)) : String(value), longestTitle)}`,
    );
  const after = since === undefined ? [] : [`after entry ${since}`];
  return [
    shortened(redactText(request), longestTitle),
    ...(more.length > 0 ? [`with ${more.join(', ')}`] : []),
    ...after,
  ].join(' ');
}

function invalid(fields: readonly FieldProblem[]): Problem {
  const lines = fields.map(({ path, message }) => `${path.join('.') || '(filter)'}: ${message}`);
  const list = firstOf(lines, (note) => note);
  return new Problem('invalid', list.join('; '), { fields });
}

function pathOf({ url }: JournalEntry): string {
  return parseTarget(url).path;
}
