import { Problem } from '../lib/problem.ts';
import { closestRow, withoutSlash } from './closest-row.ts';
import type { EndpointRow, Method } from './endpoint.ts';
import { LruCache } from '../lib/maps.ts';

/** A value and the parameters of the path that it was found by. */
export interface PathMatch<Value> {
  readonly value: Value;
  readonly params: Readonly<Record<string, string>>;
}

interface Node<Value> {
  readonly literals: Map<string, Node<Value>>;
  /** The node of any segment that is not empty. */
  parameter?: Node<Value>;
  leaf?: { readonly value: Value; readonly params: readonly PathParam[] };
}

/** A parameter of a path, and the position of its segment. */
interface PathParam {
  readonly name: string;
  readonly at: number;
}

/**
 * Values by paths such as `/api/users/:user_id`: a trie (https://en.wikipedia.org/wiki/Trie) of segments. A literal
 * segment takes precedence over a parameter.
 */
export class PathTrie<Value> {
  readonly #root = createNode<Value>();

  /** @param path a path without a trailing slash; segments that begin with a colon are parameters */
  add(path: string, value: Value): void {
    const segments = segmentsOf(path);
    let node = this.#root;
    for (const segment of segments) node = childOf(node, segment);
    node.leaf ??= { value, params: paramsOf(segments) };
  }

  /** Returns the value of a path, and the undecoded parameters of the path. */
  find(path: string): PathMatch<Value> | undefined {
    const sent = segmentsOf(path);
    const leaf = search(this.#root, sent, 0)?.leaf;
    if (leaf === undefined) return undefined;
    const params: Record<string, string> = {};
    for (const { name, at } of leaf.params) params[name] = sent[at]!;
    return { value: leaf.value, params };
  }
}

function createNode<Value>(): Node<Value> {
  return { literals: new Map() };
}

function paramsOf(segments: readonly string[]): PathParam[] {
  return segments.flatMap((segment, at) =>
    segment.startsWith(':') ? [{ name: segment.slice(1), at }] : [],
  );
}

function segmentsOf(path: string): string[] {
  return path.split('/').slice(1);
}

function childOf<Value>(node: Node<Value>, segment: string): Node<Value> {
  if (segment.startsWith(':')) return (node.parameter ??= createNode());
  const child = node.literals.get(segment) ?? createNode();
  node.literals.set(segment, child);
  return child;
}

/** Returns the node of a path, or tries the next branch if there is none. */
function search<Value>(
  node: Node<Value>,
  sent: readonly string[],
  at: number,
): Node<Value> | undefined {
  const segment = sent[at];
  if (segment === undefined) return node.leaf && node;
  const literal = node.literals.get(segment);
  const found = literal && search(literal, sent, at + 1);
  if (found !== undefined || node.parameter === undefined || segment === '') return found;
  return search(node.parameter, sent, at + 1);
}

/** The rows of one path, by method. */
export interface Route<Context> {
  readonly path: string;
  readonly methods: ReadonlyMap<Method, readonly EndpointRow<Context>[]>;
}

export interface RouteMatch<Context> {
  readonly route: Route<Context>;
  readonly params: Readonly<Record<string, string>>;
}

export interface Router<Context> {
  readonly routes: readonly Route<Context>[];
  find(path: string): RouteMatch<Context> | undefined;
  /** @throws Problem `missing` that names the closest endpoint */
  match(method: string, path: string): RouteMatch<Context>;
}

/** Creates a router: a trie of paths, whose speed does not depend on the number of rows. Ignores a trailing slash. */
export function createApiRouter<Context>(rows: readonly EndpointRow<Context>[]): Router<Context> {
  const groups = Map.groupBy(rows, (row) => pathKey(row.path)).values();
  const routes = Array.from(groups, (group): Route<Context> => ({
    path: group[0]?.path ?? '',
    methods: Map.groupBy(group, (row) => row.method),
  }));
  const trie = new PathTrie<Route<Context>>();
  const matches = new LruCache<string, RouteMatch<Context>>();
  for (const route of routes) trie.add(withoutSlash(route.path), route);
  const find = (path: string): RouteMatch<Context> | undefined => {
    const known = matches.get(path);
    if (known !== undefined) return known;
    const found = path.endsWith('//') ? undefined : trie.find(withoutSlash(path));
    if (found === undefined) return undefined;
    const match = { route: found.value, params: decodeParams(found.params) };
    if (path.length <= maxCachedPath) matches.set(path, match);
    return match;
  };
  return {
    routes,
    find,
    match(method, path) {
      const match = find(path);
      if (match === undefined) throw new Problem('missing', noEndpoint(method, path, rows));
      return match;
    },
  };
}

/** Matches of longer paths are not cached. */
const maxCachedPath = 200;

/** Returns the methods of a route, in the order of the `Allow` header. */
export function allowedMethods<Context>(route: Route<Context>): readonly string[] {
  const methods: string[] = [...route.methods.keys()];
  if (methods.includes('GET')) methods.push('HEAD');
  return [...methods, 'OPTIONS'];
}

/** Replaces the names of parameters: rows of one path may name them differently. */
function pathKey(path: string): string {
  return withoutSlash(path).replaceAll(/:\w+/g, ':');
}

function decodeParams(params: Readonly<Record<string, string>>): Record<string, string> {
  const decoded: Record<string, string> = {};
  for (const name in params) decoded[name] = decodeParam(params[name]!);
  return decoded;
}

function decodeParam(value: string): string {
  if (!value.includes('%')) return value;
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

function noEndpoint<Context>(
  method: string,
  path: string,
  rows: readonly EndpointRow<Context>[],
): string {
  const closest = closestRow(method, path, rows);
  const hint = closest === undefined ? '' : ` Did you mean ${closest.method} ${closest.path}?`;
  return `Endpoint ${method} ${path} not found.${hint}`;
}
