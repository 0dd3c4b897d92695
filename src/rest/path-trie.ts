/** A value and the parameters of the path that it was found by. */
export interface PathMatch<Value> {
  readonly value: Value;
  readonly params: Readonly<Record<string, string>>;
}

interface Node<Value> {
  readonly literals: Map<string, Node<Value>>;
  /** The node of any segment that is not empty. */
  parameter?: Node<Value>;
  leaf?: { readonly value: Value; readonly segments: readonly string[] };
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
    node.leaf ??= { value, segments };
  }

  /** Returns the value of a path, and the undecoded parameters of the path. */
  find(path: string): PathMatch<Value> | undefined {
    const sent = segmentsOf(path);
    const leaf = search(this.#root, sent, 0)?.leaf;
    if (leaf === undefined) return undefined;
    const params: Record<string, string> = {};
    for (const [at, segment] of leaf.segments.entries())
      if (segment.startsWith(':')) params[segment.slice(1)] = sent[at]!;
    return { value: leaf.value, params };
  }
}

function createNode<Value>(): Node<Value> {
  return { literals: new Map() };
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
