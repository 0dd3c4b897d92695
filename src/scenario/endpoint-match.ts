import type { FaultMatch } from '../models/fault-rule.ts';
import type { FieldProblem } from '../problem.ts';
import type { ShopEndpoint } from '../resources/endpoint.ts';
import { contract } from '../resources/index.ts';
import { oauthEndpoints } from '../resources/oauth.ts';
import type { FormChildren } from '../rest/form.ts';
import { meetsPattern, patternMistake, readPattern } from './path-pattern.ts';
import { closestRow } from '../rest/router.ts';

const rows: readonly ShopEndpoint[] = [...contract, ...oauthEndpoints];

/** What requests are asked for by. */
export type EndpointMatch = Omit<FaultMatch, 'session'>;

/**
 * Why no request that the interface answers can be of this kind. What is looked for in vain should not stay unsaid,
 * as nobody would know why nothing happens.
 */
export function endpointMistakes(match: EndpointMatch): FieldProblem[] {
  const { method, path, step, parameters = {} } = match;
  const mistake = path === undefined ? undefined : patternMistake(path);
  if (mistake !== undefined) return [{ path: ['path'], message: `Invalid pattern: ${mistake}.` }];
  const pattern = path === undefined ? undefined : readPattern(path);
  const there = rows.filter((row) => pattern === undefined || meetsPattern(pattern, row.path));
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
  return Object.keys(parameters)
    .filter((name) => !stepping.some((row) => hasParameter(row, name)))
    .map((name) => ({
      path: ['parameters', name],
      message: `No such parameter is sent there${parameterHint(stepping)}.`,
    }));
}

/** The parts of a parameter's name: `shippingAddress.city` and `shippingAddress[city]` are one. */
export function parameterPath(name: string): string[] {
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
  const known = asked.flatMap((row) => [
    ...pathParameters(row),
    ...Object.keys(row.query?.children ?? {}),
    ...Object.keys(row.body?.children ?? {}),
  ]);
  return known.length === 0 || known.length > 30 ? '' : `; expected ${names(known)}`;
}

function hasParameter(row: ShopEndpoint, name: string): boolean {
  const path = parameterPath(name);
  return (
    (path.length === 1 && pathParameters(row).includes(name)) ||
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

function pathParameters(row: ShopEndpoint): string[] {
  return Array.from(row.path.matchAll(/:(\w+)/g), ([, name = '']) => name);
}

function names(list: readonly string[]): string {
  return [...new Set(list)].join(', ');
}
