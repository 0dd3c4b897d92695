import { Problem } from '../lib/problem.ts';
import type { KeyOrder } from './key-order.ts';
import type { Edit } from './transaction.ts';

/**
 * The nodes of an ordered map: a B+ tree. Leaves and branches have the same fields, so that engines read both fast. In a
 * branch, `items` are nodes, `keys[i]` (i > 0) is a lower bound of the keys in `items[i]`, and `sizes[i]` is the number of
 * entries there. A node owns its items under the token `edit`. It can share keys and sizes, which have their own tokens.
 */
interface Shared<K> {
  readonly edit: Edit;
  keysEdit: Edit;
  keys: K[];
  sizesEdit: Edit;
  size: number;
}

export interface Leaf<K, V> extends Shared<K> {
  readonly items: V[];
  readonly sizes: undefined;
}

export interface Branch<K, V> extends Shared<K> {
  readonly items: Node<K, V>[];
  sizes: number[];
}

export type Node<K, V> = Leaf<K, V> | Branch<K, V>;

/** Maximum number of entries of a leaf, and of children of a branch. */
export const maxWidth = 64;

/** A node with fewer entries or children is merged with a neighbour. */
const minWidth = 20;

/** Shared by all empty maps. Never written to, since its token is unknown elsewhere. */
const empty: Leaf<never, never> = leafOf([], [], {});

export function emptyLeaf<K, V>(): Leaf<K, V> {
  return empty;
}

/** Builds a tree of entries that are sorted. Compares no keys. */
export function treeOf<K, V>(keys: readonly K[], items: readonly V[], edit: Edit): Node<K, V> {
  if (keys.length === 0) return emptyLeaf<K, V>();
  let level: Node<K, V>[] = chunks(keys).map((part, at) =>
    leafOf(part, items.slice(at * maxWidth, (at + 1) * maxWidth), edit),
  );
  while (level.length > 1) {
    level = chunks(level).map((nodes) =>
      branchOf(
        nodes.map(({ keys: [first] }) => first!),
        nodes,
        nodes.map(({ size }) => size),
        edit,
      ),
    );
  }
  return level[0]!;
}

/** Returns the position of the child of a branch that a key belongs to. */
export function childOf<K>(keys: readonly K[], order: KeyOrder<K>, key: K): number {
  const at = order.find(keys, key);
  return at >= 0 ? at : Math.max(0, ~at - 1);
}

/**
 * Appends an entry in place if its key is the highest and no node has to be copied or split. Most new keys are the
 * highest.
 *
 * @returns whether the entry was appended; if not, nothing was changed
 */
export function tryAppend<K, V>(
  root: Node<K, V>,
  order: KeyOrder<K>,
  key: K,
  value: V,
  edit: Edit,
): boolean {
  let node = root;
  while (node.sizes !== undefined) {
    if (node.edit !== edit || node.sizesEdit !== edit) return false;
    node = node.items.at(-1)!;
  }
  const { keys } = node;
  if (node.edit !== edit || node.keysEdit !== edit || keys.length === maxWidth) return false;
  if (keys.length > 0 && order.compare(keys.at(-1)!, key) >= 0) return false;
  keys.push(key);
  node.items.push(value);
  for (let above = root; above.sizes !== undefined; above = above.items.at(-1)!) {
    above.size += 1;
    above.sizes[above.items.length - 1]! += 1;
  }
  node.size += 1;
  return true;
}

/** Returns the tree with an entry set. Its root may exceed `maxWidth` by one: see `splitRoot`. */
export function withEntry<K, V>(
  node: Node<K, V>,
  order: KeyOrder<K>,
  key: K,
  value: V,
  edit: Edit,
): Node<K, V> {
  if (node.sizes === undefined) return leafWithEntry(node, order, key, value, edit);
  const at = childOf(node.keys, order, key);
  const before = node.sizes[at]!;
  const child = node.items[at]!;
  const next = withEntry(child, order, key, value, edit);
  if (next === child && next.size === before) return node;
  const own = ownBranch(node, edit);
  own.items[at] = next;
  if (next.size !== before) resize(own, at, edit);
  // A key lower than all others goes to the first child, whose lower bound has to follow it in case the child splits.
  if (at === 0 && own.keys[0] !== next.keys[0]) ownKeys(own, edit)[0] = next.keys[0]!;
  if (next.keys.length > maxWidth) splitChild(own, at, edit);
  return own;
}

/** Returns the tree without an entry: the same tree if it has no such entry. */
export function without<K, V>(
  node: Node<K, V>,
  order: KeyOrder<K>,
  key: K,
  edit: Edit,
): Node<K, V> {
  if (node.sizes === undefined) return leafWithout(node, order, key, edit);
  const at = childOf(node.keys, order, key);
  const before = node.sizes[at]!;
  const next = without(node.items[at]!, order, key, edit);
  if (next.size === before) return node;
  const own = ownBranch(node, edit);
  own.items[at] = next;
  resize(own, at, edit);
  if (next.size === 0) dropChild(own, at, edit);
  else if (next.keys.length < minWidth) mergeChild(own, at, edit);
  return own;
}

/** Returns the tree with a new root, whose two children are the parts of the old one. */
export function splitRoot<K, V>(root: Node<K, V>, edit: Edit): Node<K, V> {
  const top = branchOf([root.keys[0]!], [root], [root.size], edit);
  splitChild(top, 0, edit);
  return top;
}

/** Returns the tree without roots that have only one child. */
export function shrunk<K, V>(root: Node<K, V>): Node<K, V> {
  let top = root;
  while (top.sizes !== undefined && top.items.length === 1) top = top.items[0]!;
  return top.size === 0 && top.sizes !== undefined ? emptyLeaf<K, V>() : top;
}

function leafWithEntry<K, V>(
  leaf: Leaf<K, V>,
  order: KeyOrder<K>,
  key: K,
  value: V,
  edit: Edit,
): Leaf<K, V> {
  const at = order.find(leaf.keys, key);
  if (at >= 0 && leaf.items[at] === value) return leaf;
  const own = ownLeaf(leaf, edit);
  if (at >= 0) {
    own.items[at] = value;
    return own;
  }
  insert(ownKeys(own, edit), ~at, key);
  insert(own.items, ~at, value);
  own.size += 1;
  return own;
}

function leafWithout<K, V>(leaf: Leaf<K, V>, order: KeyOrder<K>, key: K, edit: Edit): Leaf<K, V> {
  const at = order.find(leaf.keys, key);
  if (at < 0) return leaf;
  const own = ownLeaf(leaf, edit);
  ownKeys(own, edit).splice(at, 1);
  own.items.splice(at, 1);
  own.size -= 1;
  return own;
}

/** Splits a child that is too wide. The last child keeps `maxWidth` entries, so that ascending keys leave full nodes. */
function splitChild<K, V>(parent: Branch<K, V>, at: number, edit: Edit): void {
  const left = parent.items[at]!;
  const right = split(left, at === parent.items.length - 1 ? maxWidth : maxWidth >> 1, edit);
  ownSizes(parent, edit)[at] = left.size;
  insert(ownKeys(parent, edit), at + 1, right.keys[0]!);
  insert(parent.items, at + 1, right);
  insert(parent.sizes, at + 1, right.size);
}

/** Moves the entries from a position on to a new node and returns it. The node was made under this token. */
function split<K, V>(node: Node<K, V>, at: number, edit: Edit): Node<K, V> {
  const keys = ownKeys(node, edit).splice(at);
  const right =
    node.sizes === undefined
      ? leafOf(keys, node.items.splice(at), edit)
      : branchOf(keys, node.items.splice(at), ownSizes(node, edit).splice(at), edit);
  node.size -= right.size;
  return right;
}

function dropChild<K, V>(parent: Branch<K, V>, at: number, edit: Edit): void {
  ownKeys(parent, edit).splice(at, 1);
  ownSizes(parent, edit).splice(at, 1);
  parent.items.splice(at, 1);
}

/** Merges a narrow child with a neighbour if both together are not too wide. */
function mergeChild<K, V>(parent: Branch<K, V>, at: number, edit: Edit): void {
  for (const left of [at - 1, at]) {
    const one = parent.items[left];
    const other = parent.items[left + 1];
    if (one === undefined || other === undefined) continue;
    if (one.keys.length + other.keys.length > maxWidth) continue;
    parent.items[left] = merge(one, other, edit);
    dropChild(parent, left + 1, edit);
    parent.sizes[left] = one.size + other.size;
    return;
  }
}

function merge<K, V>(left: Node<K, V>, right: Node<K, V>, edit: Edit): Node<K, V> {
  const keys = [...left.keys, ...right.keys];
  if (left.sizes === undefined && right.sizes === undefined)
    return leafOf(keys, [...left.items, ...right.items], edit);
  if (left.sizes === undefined || right.sizes === undefined)
    throw new Problem('fault', 'the leaves of an ordered map are at different depths');
  return branchOf(keys, [...left.items, ...right.items], [...left.sizes, ...right.sizes], edit);
}

function leafOf<K, V>(keys: K[], items: V[], edit: Edit): Leaf<K, V> {
  return {
    edit,
    items,
    keysEdit: edit,
    keys,
    sizesEdit: edit,
    sizes: undefined,
    size: keys.length,
  };
}

function branchOf<K, V>(keys: K[], items: Node<K, V>[], sizes: number[], edit: Edit): Branch<K, V> {
  const size = sizes.reduce((total, one) => total + one, 0);
  return { edit, items, keysEdit: edit, keys, sizesEdit: edit, sizes, size };
}

/** Returns the leaf, or a copy of it, to be written to under this token. */
function ownLeaf<K, V>(leaf: Leaf<K, V>, edit: Edit): Leaf<K, V> {
  if (leaf.edit === edit) return leaf;
  const { keysEdit, keys, sizesEdit, size } = leaf;
  return { edit, items: leaf.items.slice(), keysEdit, keys, sizesEdit, sizes: undefined, size };
}

function ownBranch<K, V>(node: Branch<K, V>, edit: Edit): Branch<K, V> {
  if (node.edit === edit) return node;
  const { keysEdit, keys, sizesEdit, sizes, size } = node;
  return { edit, items: node.items.slice(), keysEdit, keys, sizesEdit, sizes, size };
}

/** Returns the keys of an owned node, copied first if they may be shared. */
function ownKeys<K, V>(node: Node<K, V>, edit: Edit): K[] {
  if (node.keysEdit !== edit) {
    node.keysEdit = edit;
    node.keys = node.keys.slice();
  }
  return node.keys;
}

function ownSizes<K, V>(node: Branch<K, V>, edit: Edit): number[] {
  if (node.sizesEdit !== edit) {
    node.sizesEdit = edit;
    node.sizes = node.sizes.slice();
  }
  return node.sizes;
}

/** Updates the sizes after one child has changed. */
function resize<K, V>(node: Branch<K, V>, at: number, edit: Edit): void {
  const { size } = node.items[at]!;
  node.size += size - node.sizes[at]!;
  ownSizes(node, edit)[at] = size;
}

/** Splits a list into lists of up to `maxWidth` items. */
function chunks<T>(list: readonly T[]): T[][] {
  const count = Math.ceil(list.length / maxWidth);
  return Array.from({ length: count }, (_, at) => list.slice(at * maxWidth, (at + 1) * maxWidth));
}

function insert<T>(list: T[], at: number, item: T): void {
  list.push(item);
  for (let to = list.length - 1; to > at; to--) list[to] = list[to - 1]!;
  list[at] = item;
}
