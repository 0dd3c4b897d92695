import { addressOf, asAddress, decoded } from '../lib/api-path.ts';
import { memoized } from '../lib/memoized.ts';
import { formatCount, truncate, type FieldIssue } from '../lib/problem.ts';
import type { FaultMatch } from './fault-rule.ts';
import type { EndpointRow } from '../rest/endpoint.ts';
import type { FormChildren } from '../rest/form.ts';
import { closestEndpoint } from '../rest/closest-row.ts';

/** A path pattern: in `/api/orders/:id`, `:id` matches any segment; `/api/orders/*` matches any path below. */
export interface PathPattern {
  readonly parts: readonly string[];
  /** Whether it matches only paths with further segments. */
  readonly open: boolean;
}

/** Returns why a pattern is invalid; undefined for a valid one. */
export function patternIssue(text: string): string | undefined {
  const expected = 'expected a path such as /api/orders/:id or /api/orders/*';
  if (!text.startsWith('/')) return `${expected}, not '${truncate(text)}'`;
  if (text.length > maxLength) {
    return `it has ${formatCount(text.length)} characters, at most ${formatCount(maxLength)} are accepted`;
  }
  if (/[?#]/.test(text)) return `${expected}, without a query`;
  const parts = partsOf(text);
  const wrong = parts.find(
    (part, at) =>
      part === '' ||
      part === ':' ||
      /\s/.test(part) ||
      (part.includes('*') && !(part === '*' && at === parts.length - 1)),
  );
  if (wrong === undefined) return undefined;
  if (wrong.includes('*')) return `${expected}: * must be the whole last segment`;
  return `${expected}: '${truncate(wrong)}' is not a path segment`;
}

const maxLength = 1000;

/** Parses a valid pattern. */
export function parsePattern(text: string): PathPattern {
  const parts = partsOf(text);
  const open = parts.at(-1) === '*';
  return { parts: open ? parts.slice(0, -1) : parts, open };
}

/** Whether a pattern matches the segments of a path. A trailing slash makes no difference. */
export function matchesParts({ parts, open }: PathPattern, path: readonly string[]): boolean {
  return matchesEach(parts.length, open, path, (part, at) => {
    const wanted = parts[at] ?? '';
    return wanted.startsWith(':') || wanted === part || isEncoded(wanted, part);
  });
}

/** Percent-encoding makes a UTF-16 code unit at most nine characters long. */
function isEncoded(wanted: string, part: string): boolean {
  return part.length <= wanted.length * 9 && wanted === decoded(part);
}

/** Whether a pattern and the path of an endpoint, such as `/api/orders/:order_id`, have a path in common. */
export function overlapsPattern({ parts, open }: PathPattern, endpoint: string): boolean {
  return matchesEach(parts.length, open, partsOf(endpoint), (part, at) => {
    const wanted = parts[at] ?? '';
    return wanted.startsWith(':') || part.startsWith(':') || wanted === part;
  });
}

function matchesEach(
  length: number,
  open: boolean,
  parts: readonly string[],
  matches: (part: string, at: number) => boolean,
): boolean {
  const isLength = open ? parts.length > length : parts.length === length;
  return isLength && parts.slice(0, length).every(matches);
}

/** Splits a path into its segments. */
export function partsOf(path: string): string[] {
  return path.slice(1, path.length > 1 && path.endsWith('/') ? -1 : undefined).split('/');
}

type Row = EndpointRow<never>;

/** The parts of an API that conditions on its endpoints depend on. */
export interface MatchedApi {
  readonly endpoints: readonly Row[];
  readonly path: string;
}

/** Conditions on a request that depend only on its endpoint. */
export type EndpointMatch = Omit<FaultMatch, 'session'>;

/**
 * Returns the issues of a match that no endpoint of the store API can meet, so that a misspelling is reported instead of
 * a rule or a filter that silently never matches.
 */
export function endpointIssues(match: EndpointMatch, api: MatchedApi): FieldIssue[] {
  const { endpoints: rows, path: apiPath } = api;
  const { method, path, step, parameters = {} } = match;
  const wrong = path === undefined ? undefined : patternIssue(path);
  if (wrong !== undefined) return [{ path: ['path'], message: `Invalid pattern: ${wrong}.` }];
  const pattern = path === undefined ? undefined : parsePattern(asAddress(apiPath, path));
  const onPath = rows.filter(
    (row) => pattern === undefined || overlapsPattern(pattern, addressOf(apiPath, row.path)),
  );
  if (onPath.length === 0) {
    const closest = closestEndpoint(method ?? 'GET', path ?? '', api);
    const message = `No endpoint has this path; the closest is ${closest}.`;
    return [{ path: ['path'], message }];
  }
  const ofMethod = onPath.filter((row) => method === undefined || row.method === method);
  if (ofMethod.length === 0) {
    const message = `No endpoint on this path has method ${method}; expected ${list(onPath.map((row) => row.method))}.`;
    return [{ path: ['method'], message }];
  }
  const ofStep = ofMethod.filter((row) => step === undefined || row.step === step);
  if (ofStep.length === 0) {
    return [
      { path: ['step'], message: `This endpoint is not the step ${step}${stepHint(step, rows)}.` },
    ];
  }
  return parameterIssues(Object.keys(parameters), ofStep, rows);
}

/** Maximum number of parameters in one match. */
export const maxParameters = 100;
const maxNameLength = 255;

function parameterIssues(
  wanted: readonly string[],
  among: readonly Row[],
  rows: readonly Row[],
): FieldIssue[] {
  const endpointsByParameter = byParameter(rows);
  if (wanted.length > maxParameters) {
    const message = `There are ${formatCount(wanted.length)} parameters, at most ${maxParameters} are accepted.`;
    return [{ path: ['parameters'], message }];
  }
  const isKnown = (name: string): boolean => {
    const path = name.length > maxNameLength ? [] : parseParameterName(name);
    return (endpointsByParameter.get(path[0] ?? '') ?? []).some(
      (row) => among.includes(row) && hasParameter(row, path),
    );
  };
  const unknown = wanted.filter((name) => !isKnown(name));
  if (unknown.length === 0) return [];
  const message = `The endpoint has no such parameter${parameterHint(among)}.`;
  return unknown.map((name) => ({ path: ['parameters', name], message }));
}

/** Splits a parameter's name: `shippingAddress.city` and `shippingAddress[city]` have the same parts. */
export function parseParameterName(name: string): string[] {
  return name.replaceAll(']', '').split(/[.[]/);
}

function stepHint(step: string | undefined, rows: readonly Row[]): string {
  const row = rows.find((one) => one.step === step);
  return row === undefined ? '' : `; ${row.method} ${row.path} is`;
}

function parameterHint(among: readonly Row[]): string {
  const known = among.flatMap(parametersOf);
  return known.length === 0 || known.length > 30 ? '' : `; expected ${list(known)}`;
}

function hasParameter(row: Row, path: readonly string[]): boolean {
  return (
    (path.length === 1 && pathParameters(row).includes(path[0] ?? '')) ||
    hasChild(row.query?.children, path) ||
    hasChild(row.body?.children, path)
  );
}

/** Whether a form has a field. Below a field without named children, any path is accepted: they may be numbered. */
function hasChild(children: FormChildren | undefined, path: readonly string[]): boolean {
  const [first = '', ...rest] = path;
  if (children === undefined || !Object.hasOwn(children, first)) return false;
  const below = children[first];
  return rest.length === 0 || below === undefined || hasChild(below, rest);
}

function parametersOf(row: Row): string[] {
  return [
    ...pathParameters(row),
    ...Object.keys(row.query?.children ?? {}),
    ...Object.keys(row.body?.children ?? {}),
  ];
}

function pathParameters(row: Row): string[] {
  return Array.from(row.path.matchAll(/:(\w+)/g), ([, name = '']) => name);
}

/** Returns the endpoints by the names of their parameters. */
const byParameter = memoized((rows: readonly Row[]): ReadonlyMap<string, readonly Row[]> => {
  const named = rows.flatMap((row) =>
    [...new Set(parametersOf(row))].map((name) => ({ name, row })),
  );
  const groups = Map.groupBy(named, ({ name }) => name);
  return new Map(Array.from(groups, ([name, group]) => [name, group.map(({ row }) => row)]));
});

function list(names: readonly string[]): string {
  return [...new Set(names)].join(', ');
}
