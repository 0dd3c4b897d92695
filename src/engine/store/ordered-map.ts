import type { KeyOrder } from './key-order.ts';
import {
  childOf,
  emptyLeaf,
  maxWidth,
  tryAppend,
  shrunk,
  splitRoot,
  treeOf,
  without,
  withEntry,
  type Leaf,
  type Node,
} from './ordered-tree.ts';
import type { Edit } from './transaction.ts';

/** Distinct keys in their order, and the value of each. */
export interface Entries<K, V> {
  readonly keys: readonly K[];
  readonly values: readonly V[];
}

/**
 * A persistent sorted map: a copy-on-write B+ tree that counts its entries. `set` and `delete` return a new map, which
 * shares unchanged nodes with the old one. Keys and positions are found in O(log n).
 *
 * Nodes are changed in place by later writes under the token that they were made under, so that a series of writes makes
 * few copies. Until the token changes, only the newest of these maps may be used.
 */
export class OrderedMap<K, V> {
  readonly #order: KeyOrder<K>;
  /** The root, or a function that builds the tree on first use. */
  #tree: Node<K, V> | (() => Node<K, V>);

  constructor(order: KeyOrder<K>, tree: Node<K, V> | (() => Node<K, V>) = emptyLeaf<K, V>()) {
    this.#order = order;
    this.#tree = tree;
  }

  /** Builds a map of entries. */
  static of<K, V>(order: KeyOrder<K>, { keys, values }: Entries<K, V>, edit: Edit) {
    return new OrderedMap(order, treeOf(keys, values, edit));
  }

  /** Returns a map whose entries are made on first use, once for all references to it. */
  static lazy<K, V>(order: KeyOrder<K>, make: () => Entries<K, V>, edit: Edit) {
    return new OrderedMap(order, () => {
      const { keys, values } = make();
      return treeOf(keys, values, edit);
    });
  }

  get size(): number {
    return this.#root.size;
  }

  get(key: K): V | undefined {
    let node = this.#root;
    while (node.sizes !== undefined) node = node.items[childOf(node.keys, this.#order, key)]!;
    const at = this.#order.find(node.keys, key);
    return at < 0 ? undefined : node.items[at];
  }

  /** Whether the map has a key. Values are never undefined. */
  has(key: K): boolean {
    return this.get(key) !== undefined;
  }

  set(key: K, value: V, edit: Edit): OrderedMap<K, V> {
    if (tryAppend(this.#root, this.#order, key, value, edit)) return this;
    const root = withEntry(this.#root, this.#order, key, value, edit);
    // A root that was changed in place can be too wide, too.
    const top = root.keys.length > maxWidth ? splitRoot(root, edit) : root;
    return top === this.#tree ? this : new OrderedMap(this.#order, top);
  }

  delete(key: K, edit: Edit): OrderedMap<K, V> {
    const root = shrunk(without(this.#root, this.#order, key, edit));
    return root === this.#tree ? this : new OrderedMap(this.#order, root);
  }

  /** Returns the map with a value at another key. An undefined key is none. */
  moved(before: K | undefined, after: K | undefined, value: V, edit: Edit): OrderedMap<K, V> {
    if (before !== undefined && after !== undefined && this.#order.compare(before, after) === 0)
      return this;
    const rest = before === undefined ? this : this.delete(before, edit);
    return after === undefined ? rest : rest.set(after, value, edit);
  }

  /** Returns the number of keys before this one, which need not be in the map. */
  rank(key: K): number {
    let node = this.#root;
    let before = 0;
    while (node.sizes !== undefined) {
      const child = childOf(node.keys, this.#order, key);
      for (let at = 0; at < child; at++) before += node.sizes[at]!;
      node = node.items[child]!;
    }
    const at = this.#order.find(node.keys, key);
    return before + (at < 0 ? ~at : at);
  }

  /** Returns the value at a position, counted from 0. */
  at(position: number): V | undefined {
    const place = this.#placeOf(position);
    return place?.leaf.items[place.at];
  }

  /** Returns the values from one position up to another, excluded. */
  slice(start = 0, end: number = this.size): V[] {
    const values: V[] = [];
    let position = Math.max(0, start);
    while (position < end) {
      const place = this.#placeOf(position);
      if (place === undefined) break;
      const { items } = place.leaf;
      const stop = Math.min(items.length, place.at + end - position);
      for (let at = place.at; at < stop; at++) values.push(items[at]!);
      position += stop - place.at;
    }
    return values;
  }

  /** Returns up to `limit` values from a key on, while `belongs` returns true for their keys. */
  takeWhile(from: K, belongs: (key: K, from: K) => boolean, limit = Infinity): V[] {
    const values: V[] = [];
    /** A lower bound of the keys that are left. */
    let next: K | undefined = from;
    while (next !== undefined && belongs(next, from)) {
      const start: K = next;
      next = undefined;
      let node = this.#root;
      while (node.sizes !== undefined) {
        const child = childOf(node.keys, this.#order, start);
        next = node.keys[child + 1] ?? next;
        node = node.items[child]!;
      }
      const { keys, items } = node;
      const found = this.#order.find(keys, start);
      for (let at = found < 0 ? ~found : found; at < keys.length; at++) {
        if (values.length === limit || !belongs(keys[at]!, from)) return values;
        values.push(items[at]!);
      }
    }
    return values;
  }

  /** Iterates over the values from a position on. */
  *values(start = 0): Generator<V, undefined, undefined> {
    for (let position = start; position < this.size;) {
      const place = this.#placeOf(position)!;
      for (let at = place.at; at < place.leaf.items.length; at++) yield place.leaf.items[at]!;
      position += place.leaf.items.length - place.at;
    }
  }

  /** Iterates over the values from a position on, in reverse. */
  *valuesBack(start: number = this.size - 1): Generator<V, undefined, undefined> {
    for (let position = Math.min(start, this.size - 1); position >= 0;) {
      const place = this.#placeOf(position)!;
      for (let at = place.at; at >= 0; at--) yield place.leaf.items[at]!;
      position -= place.at + 1;
    }
  }

  /** The tree of the map. Maps that share nodes are compared by it. */
  get root(): Node<K, V> {
    return this.#root;
  }

  get #root(): Node<K, V> {
    if (typeof this.#tree === 'function') this.#tree = this.#tree();
    return this.#tree;
  }

  #placeOf(position: number): { leaf: Leaf<K, V>; at: number } | undefined {
    if (position < 0 || position >= this.size) return undefined;
    let node = this.#root;
    let at = position;
    while (node.sizes !== undefined) {
      let child = 0;
      while (at >= node.sizes[child]!) at -= node.sizes[child++]!;
      node = node.items[child]!;
    }
    return { leaf: node, at };
  }
}
