/** Returns the value of a key. If there is none, creates and inserts it. */
export function getOrCreate<Key, Value>(
  map: Map<Key, Value>,
  key: Key,
  create: () => Value,
): Value {
  const found = map.get(key);
  if (found !== undefined) return found;
  const value = create();
  map.set(key, value);
  return value;
}

/**
 * A map whose keys are lists of numbers: a [trie](https://en.wikipedia.org/wiki/Trie), whose keys with a common prefix
 * share nodes. It creates no string for a look-up.
 */
export class TupleMap<Value> {
  readonly #root: Node<Value> = newNode();

  /** Returns the value of a key. If there is none, creates and inserts it. */
  getOrCreate(key: readonly number[], create: () => Value): Value {
    let node = this.#root;
    for (const number of key) {
      const children = (node.children ??= new Map<number, Node<Value>>());
      node = getOrCreate(children, number, newNode<Value>);
    }
    return (node.value ??= create());
  }
}

interface Node<Value> {
  children: Map<number, Node<Value>> | undefined;
  value: Value | undefined;
}

/** All nodes have the same shape, which keeps property access fast. */
function newNode<Value>(): Node<Value> {
  return { children: undefined, value: undefined };
}
