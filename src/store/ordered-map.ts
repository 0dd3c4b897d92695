import type { KeyOrder } from './key-order.ts';
import {
  childOf,
  emptyLeaf,
  grown,
  tryAppend,
  shrunk,
  treeOf,
  without,
  withEntry,
  type Leaf,
  type Node,
} from './ordered-tree.ts';
import type { Edit } from './transaction.ts';

/**
 * A sorted map that is a value: `set` and `delete` give a new map, which shares with the old one whatever did not
 * change. It counts its parts, so that any position is as near as any key: everything here costs O(log n), and O(log n + results).
 *
 * Nodes made under one token of ownership are changed in place by later writes under the same token, so that many
 * writes in a row make few copies. Until there is a new token, only the newest of these maps is to be used.
 */
export class OrderedMap<K, V> {
  readonly #order: KeyOrder<K>;
  /** Or what makes it, as long as nobody has asked. */
  #tree: Node<K, V> | (() => Node<K, V>);

  constructor(order: KeyOrder<K>, tree: Node<K, V> | (() => Node<K, V>) = emptyLeaf<K, V>()) {
    this.#order = order;
    this.#tree = tree;
  }

  /** A map of many keys at once, which are all different and sorted, each with its value. */
  static of<K, V>(
    order: KeyOrder<K>,
    keys: readonly K[],
    values: readonly V[],
    edit: Edit,
  ): OrderedMap<K, V> {
    return new OrderedMap(order, treeOf(keys, values, edit));
  }

  /** A map that is made when it is first asked for something, once for all who hold it. */
  static lazy<K, V>(order: KeyOrder<K>, make: () => OrderedMap<K, V>): OrderedMap<K, V> {
    return new OrderedMap(order, () => make().#root);
  }

  get size(): number {
    return this.#root.size;
  }

  get(key: K): V | undefined {
    const leaf = this.#leafOf(key);
    const at = this.#order.find(leaf.keys, key);
    return at < 0 ? undefined : leaf.items[at];
  }

  has(key: K): boolean {
    return this.#order.find(this.#leafOf(key).keys, key) >= 0;
  }

  set(key: K, value: V, edit: Edit): OrderedMap<K, V> {
    if (tryAppend(this.#root, this.#order, key, value, edit)) return this;
    return this.#with(grown(withEntry(this.#root, this.#order, key, value, edit), edit));
  }

  delete(key: K, edit: Edit): OrderedMap<K, V> {
    return this.#with(shrunk(without(this.#root, this.#order, key, edit)));
  }

  /** How many keys stand before this one, which need not be there. */
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

  /** The value of the lowest key. */
  first(): V | undefined {
    let node = this.#root;
    while (node.sizes !== undefined) node = node.items[0]!;
    return node.items[0];
  }

  /** The value at a position, 0 is the first. */
  at(position: number): V | undefined {
    const place = this.#placeOf(position);
    return place?.leaf.items[place.at];
  }

  /** The values from one position up to, and without, another. */
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

  /** The values from a key on, which need not be there, as long as their keys belong to it. Most often they stand in one leaf. */
  takeWhile(from: K, belongs: (key: K, from: K) => boolean): V[] {
    const values: V[] = [];
    let node = this.#root;
    /** No key behind this leaf stands before that one. */
    let next: K | undefined;
    while (node.sizes !== undefined) {
      const child = childOf(node.keys, this.#order, from);
      next = node.keys[child + 1] ?? next;
      node = node.items[child]!;
    }
    const found = this.#order.find(node.keys, from);
    const goesOn = collect(node, found < 0 ? ~found : found, belongs, from, values);
    if (!goesOn || next === undefined || !belongs(next, from)) return values;
    const first = this.rank(from);
    for (;;) {
      const place = this.#placeOf(first + values.length);
      if (place === undefined || !collect(place.leaf, place.at, belongs, from, values))
        return values;
    }
  }

  /** Values upwards from a position. */
  *values(start = 0): Generator<V, undefined, undefined> {
    for (let position = start; position < this.size;) {
      const place = this.#placeOf(position)!;
      for (let at = place.at; at < place.leaf.items.length; at++) yield place.leaf.items[at]!;
      position += place.leaf.items.length - place.at;
    }
  }

  /** Values downwards from a position. */
  *valuesBack(start: number = this.size - 1): Generator<V, undefined, undefined> {
    for (let position = Math.min(start, this.size - 1); position >= 0;) {
      const place = this.#placeOf(position)!;
      for (let at = place.at; at >= 0; at--) yield place.leaf.items[at]!;
      position -= place.at + 1;
    }
  }

  get #root(): Node<K, V> {
    if (typeof this.#tree === 'function') this.#tree = this.#tree();
    return this.#tree;
  }

  #with(root: Node<K, V>): OrderedMap<K, V> {
    return root === this.#root ? this : new OrderedMap(this.#order, root);
  }

  #leafOf(key: K): Leaf<K, V> {
    let node = this.#root;
    while (node.sizes !== undefined) node = node.items[childOf(node.keys, this.#order, key)]!;
    return node;
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

/**
 * Puts the values of a leaf that belong to a key behind the others.
 *
 * @returns whether its last one does, too
 */
function collect<K, V>(
  { keys, items }: Leaf<K, V>,
  start: number,
  belongs: (key: K, from: K) => boolean,
  from: K,
  values: V[],
): boolean {
  for (let at = start; at < keys.length; at++) {
    if (!belongs(keys[at]!, from)) return false;
    values.push(items[at]!);
  }
  return true;
}
