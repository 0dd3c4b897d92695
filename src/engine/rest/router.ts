import { addressOf, isBelow, namedPath, nameOf } from '../lib/api-path.ts';
import { Problem } from '../lib/problem.ts';
import { closestEndpoint, withoutSlash } from './closest-row.ts';
import type { EndpointRow } from './endpoint.ts';
import type { ApiResponse } from './message.ts';

/** A value and the parameters of the path that it was found by. */
export interface PathMatch<Value> {
  readonly value: Value;
  readonly params: Readonly<Record<string, string>>;
}

interface Node<Value> {
  readonly literals: Map<string, Node<Value>>;
  /** The node of any segment that is not empty. */
  parameter?: Node<Value>;
  leaf?: Leaf<Value>;
}

interface Leaf<Value> {
  readonly value: Value;
  /** The names of the parameters, from the last to the first. */
  readonly params: readonly string[];
}

/**
 * Values by paths such as `/api/users/:user_id`: a trie (https://en.wikipedia.org/wiki/Trie) of segments. A literal
 * segment takes precedence over a parameter.
 */
export class PathTrie<Value> {
  readonly #root = createNode<Value>();

  /** @param path a path without a trailing slash; segments that begin with a colon are parameters */
  add(path: string, value: Value): void {
    const segments = path.split('/').slice(1);
    let node = this.#root;
    for (const segment of segments) node = childOf(node, segment);
    const params = segments.filter(isParameter).map((segment) => segment.slice(1));
    node.leaf ??= { value, params: params.toReversed() };
  }

  /** Returns the value of a path, and the decoded parameters of the path. */
  find(path: string): PathMatch<Value> | undefined {
    const sent: string[] = [];
    const leaf = search(this.#root, path, 1, sent);
    if (leaf === undefined) return undefined;
    const params: Record<string, string> = {};
    for (let at = sent.length - 1; at >= 0; at--) params[leaf.params[at]!] = decodeParam(sent[at]!);
    return { value: leaf.value, params };
  }
}

function createNode<Value>(): Node<Value> {
  return { literals: new Map() };
}

function childOf<Value>(node: Node<Value>, segment: string): Node<Value> {
  if (isParameter(segment)) return (node.parameter ??= createNode());
  const child = node.literals.get(segment) ?? createNode();
  node.literals.set(segment, child);
  return child;
}

function isParameter(segment: string): boolean {
  return segment.startsWith(':');
}

/**
 * Returns the leaf of a path, or tries the next branch if there is none.
 *
 * @param start where the segment begins that the branches of the node are for
 * @param sent receives the parameters, from the last to the first
 */
function search<Value>(
  node: Node<Value>,
  path: string,
  start: number,
  sent: string[],
): Leaf<Value> | undefined {
  if (start > path.length) return node.leaf;
  const slash = path.indexOf('/', start);
  const end = slash === -1 ? path.length : slash;
  const segment = path.slice(start, end);
  const literal = node.literals.size === 0 ? undefined : node.literals.get(segment);
  const found = literal && search(literal, path, end + 1, sent);
  if (found !== undefined || node.parameter === undefined || segment === '') return found;
  const leaf = search(node.parameter, path, end + 1, sent);
  if (leaf !== undefined) sent.push(segment);
  return leaf;
}

/** The rows of one path, by method. */
export interface RouteOf<Row> {
  /** Its path for clients: `/api/v1/users/:user_id`. */
  readonly path: string;
  /** Returns the path that the contract has for the path of a request. Undefined if they are the same. */
  readonly nameOf: ((path: string) => string) | undefined;
  readonly methods: ReadonlyMap<string, readonly Row[]>;
}

export type Route<Context> = RouteOf<EndpointRow<Context>>;

export interface RouteMatch<Context> {
  readonly route: Route<Context>;
  readonly params: Readonly<Record<string, string>>;
}

export interface Router<Context> {
  find(path: string): RouteMatch<Context> | undefined;
  /** @throws Problem `missing` that names the closest endpoint */
  match(method: string, path: string): RouteMatch<Context>;
}

/** Returns the routes of rows, in their order. @param apiPath where clients find the paths below `/api` */
export function routesOf<Row extends Pick<EndpointRow<never>, 'method' | 'path'>>(
  rows: readonly Row[],
  apiPath: string = namedPath,
): readonly RouteOf<Row>[] {
  const groups = Map.groupBy(rows, (row) => pathKey(row.path)).values();
  return Array.from(groups, (group) => {
    const { path } = group[0]!;
    const isMoved = apiPath !== namedPath && isBelow(namedPath, path);
    return {
      path: addressOf(apiPath, path),
      nameOf: isMoved ? (sent) => nameOf(apiPath, sent) : undefined,
      methods: Map.groupBy(group, (row) => row.method),
    };
  });
}

/**
 * Creates a router: a trie of paths, whose speed does not depend on the number of rows. Ignores a trailing slash.
 *
 * @param apiPath where clients find the paths below `/api`
 */
export function createApiRouter<Context>(
  rows: readonly EndpointRow<Context>[],
  apiPath: string = namedPath,
): Router<Context> {
  const trie = new PathTrie<Route<Context>>();
  for (const route of routesOf(rows, apiPath)) trie.add(withoutSlash(route.path), route);
  // A server looks up the path of each request twice: to answer and to count it.
  let last: { readonly path: string; readonly match: RouteMatch<Context> } | undefined;
  const find = (path: string): RouteMatch<Context> | undefined => {
    if (last?.path === path) return last.match;
    const found = path.endsWith('//') ? undefined : trie.find(withoutSlash(path));
    if (found === undefined) return undefined;
    const match = { route: found.value, params: found.params };
    last = { path, match };
    return match;
  };
  return {
    find,
    match(method, path) {
      const match = find(path);
      if (match === undefined) {
        const closest = closestEndpoint(method, path, { endpoints: rows, path: apiPath });
        const hint = closest === undefined ? '' : ` Did you mean ${closest}?`;
        throw new Problem('missing', `Endpoint ${method} ${path} not found.${hint}`);
      }
      return match;
    },
  };
}

/** Returns the methods of a route, in the order of the `Allow` header. */
export function allowedMethods<Context>(route: Route<Context>): readonly string[] {
  const methods: string[] = [...route.methods.keys()];
  if (methods.includes('GET')) methods.push('HEAD');
  return [...methods, 'OPTIONS'];
}

/** Returns the response to an OPTIONS request: the allowed methods. */
export function optionsResponse<Context>(route: Route<Context>): ApiResponse {
  return { status: 204, headers: { allow: allowedMethods(route).join(', ') } };
}

/** Replaces the names of parameters: rows of one path may name them differently. */
function pathKey(path: string): string {
  return withoutSlash(path).replaceAll(/:\w+/g, ':');
}

function decodeParam(value: string): string {
  if (!value.includes('%')) return value;
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
