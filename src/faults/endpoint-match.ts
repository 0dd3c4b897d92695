import type { FaultMatch } from '../models/fault-rule.ts';
import { formatCount, type FieldProblem } from '../lib/problem.ts';
import type { ShopEndpoint } from '../resources/endpoint.ts';
import { contract } from '../resources/index.ts';
import { oauthEndpoints } from '../resources/oauth.ts';
import type { FormChildren } from '../rest/form.ts';
import { overlapsPattern, patternIssue, parsePattern } from './path-pattern.ts';
import { closestRow } from '../rest/router.ts';

const rows: readonly ShopEndpoint[] = [...contract, ...oauthEndpoints];

/** What requests are asked for by. */
export type EndpointMatch = Omit<FaultMatch, 'session'>;

/**
 * Why no request that the interface answers can be of this kind. What is looked for in vain should not stay unsaid,
 * as nobody would know why nothing happens.
 */
export function endpointIssues(match: EndpointMatch): FieldProblem[] {
  const { method, path, step, parameters = {} } = match;
  const mistake = path === undefined ? undefined : patternIssue(path);
  if (mistake !== undefined) return [{ path: ['path'], message: `Invalid pattern: ${mistake}.` }];
  const pattern = path === undefined ? undefined : parsePattern(path);
  const there = rows.filter((row) => pattern === undefined || overlapsPattern(pattern, row.path));
  if (there.length === 0) return [{ path: ['path'], message: noEndpoint(match) }];
  const asked = there.filter((row) => method === undefined || row.method === method);
  if (asked.length === 0) {
    const message = `No ${method} is answered there; expected ${names(there.map((row) => row.method))}.`;
    return [{ path: ['method'], message }];
  }
  const stepping = asked.filter((row) => step === undefined || row.step === step);
  if (stepping.length === 0) {
    return [{ path: ['step'], message: `The step ${step} is not taken there${stepHint(step)}.` }];
  }
  return parameterMistakes(Object.keys(parameters), stepping);
}

/** How many parameters can be looked for at once. */
export const maxParameters = 100;
const longestName = 255;

function parameterMistakes(wanted: readonly string[], asked: readonly ShopEndpoint[]) {
  if (wanted.length > maxParameters) {
    const message = `${formatCount(wanted.length)} parameters are looked for, at most ${maxParameters} are accepted.`;
    return [{ path: ['parameters'], message }];
  }
  const isKnown = (name: string): boolean => {
    const path = name.length > longestName ? [] : parseParameterName(name);
    return (takers.get(path[0] ?? '') ?? []).some(
      (row) => asked.includes(row) && hasParameter(row, path),
    );
  };
  const unknown = wanted.filter((name) => !isKnown(name));
  if (unknown.length === 0) return [];
  const message = `No such parameter is sent there${parameterHint(asked)}.`;
  return unknown.map((name) => ({ path: ['parameters', name], message }));
}

/** The parts of a parameter's name: `shippingAddress.city` and `shippingAddress[city]` are one. */
export function parseParameterName(name: string): string[] {
  return name.replaceAll(']', '').split(/[.[]/);
}

function noEndpoint({ method, path = '' }: EndpointMatch): string {
  const closest = closestRow(method ?? 'GET', path, rows);
  return `No endpoint has such a path; the closest is ${closest?.method} ${closest?.path}.`;
}

function stepHint(step: string | undefined): string {
  const row = rows.find((one) => one.step === step);
  return row === undefined ? '' : `; it is ${row.method} ${row.path}`;
}

function parameterHint(asked: readonly ShopEndpoint[]): string {
  const known = asked.flatMap(parametersOf);
  return known.length === 0 || known.length > 30 ? '' : `; expected ${names(known)}`;
}

function hasParameter(row: ShopEndpoint, path: readonly string[]): boolean {
  return (
    (path.length === 1 && pathParameters(row).includes(path[0] ?? '')) ||
    hasChild(row.query?.children, path) ||
    hasChild(row.body?.children, path)
  );
}

/** Below a parameter without named children there may be numbered ones. */
function hasChild(children: FormChildren | undefined, path: readonly string[]): boolean {
  const [first = '', ...rest] = path;
  if (children === undefined || !Object.hasOwn(children, first)) return false;
  const below = children[first];
  return rest.length === 0 || below === undefined || hasChild(below, rest);
}

function parametersOf(row: ShopEndpoint): string[] {
  return [
    ...pathParameters(row),
    ...Object.keys(row.query?.children ?? {}),
    ...Object.keys(row.body?.children ?? {}),
  ];
}

function pathParameters(row: ShopEndpoint): string[] {
  return Array.from(row.path.matchAll(/:(\w+)/g), ([, name = '']) => name);
}

/** The endpoints that take a parameter, by its name. */
const takers = new Map<string, ShopEndpoint[]>();
for (const row of rows) {
  for (const name of new Set(parametersOf(row)))
    takers.set(name, [...(takers.get(name) ?? []), row]);
}

function names(list: readonly string[]): string {
  return [...new Set(list)].join(', ');
}
