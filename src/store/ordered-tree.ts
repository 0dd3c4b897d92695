import { Problem } from '../lib/problem.ts';
import type { KeyOrder } from './key-order.ts';
import type { Edit } from './transaction.ts';

/**
 * The nodes of an ordered map: a B+ tree. Leaves and branches have one shape, so that reading them is fast: in a
 * branch, `items` are nodes, `keys[i]` is a key from which on (i > 0) to look in `items[i]`, and `sizes[i]` says how many
 * entries are there. A node owns its items under the token `edit`; keys and sizes it may share with the node that it is a
 * copy of, and owns them under tokens of their own: a value that is replaced changes neither.
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

/** The most entries of a leaf, and the most children of a branch. */
export const maxWidth = 64;

/** A node with less looks for a neighbour to become one with. */
const minWidth = 20;

/** All empty maps share this one: no one has its token, so it is never written to. */
const empty: Leaf<never, never> = leafOf([], [], {});

export function emptyLeaf<K, V>(): Leaf<K, V> {
  return empty;
}

/** A tree of entries that are sorted already. Takes no comparisons. */
export function treeOf<K, V>(keys: readonly K[], items: readonly V[], edit: Edit): Node<K, V> {
  if (keys.length === 0) return emptyLeaf<K, V>();
  let level: Node<K, V>[] = parts(keys).map((part, at) =>
    leafOf(part, items.slice(at * maxWidth, (at + 1) * maxWidth), edit),
  );
  while (level.length > 1) {
    level = parts(level).map((nodes) =>
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

/** In which child of a branch the key belongs. */
export function childOf<K>(keys: readonly K[], order: KeyOrder<K>, key: K): number {
  const at = order.find(keys, key);
  return at >= 0 ? at : Math.max(0, ~at - 1);
}

/**
 * Puts an entry behind all others, where nothing has to be copied or split for it. Most keys that are set do stand there.
 *
 * @returns whether it was put there; otherwise nothing was changed
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

/** The tree with an entry set. The answer can be one too wide: see `splitRoot`. */
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
  // A key before all others belongs to the first child, whose own keys must not begin behind it when it splits.
  if (at === 0 && own.keys[0] !== next.keys[0]) ownKeys(own, edit)[0] = next.keys[0]!;
  if (next.keys.length > maxWidth) splitChild(own, at, edit);
  return own;
}

/** The tree without an entry; the same tree where it has none. */
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

/** The tree without roots that have one child only. */
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

/** Splits a child that is too wide. The last one gives off just its end: keys that only rise leave full nodes behind. */
function splitChild<K, V>(parent: Branch<K, V>, at: number, edit: Edit): void {
  const left = parent.items[at]!;
  const right = split(left, at === parent.items.length - 1 ? maxWidth : maxWidth >> 1, edit);
  ownSizes(parent, edit)[at] = left.size;
  insert(ownKeys(parent, edit), at + 1, right.keys[0]!);
  insert(parent.items, at + 1, right);
  insert(parent.sizes, at + 1, right.size);
}

/** Takes off, and gives, what stands from a position on. The node was made under this token. */
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

/** Makes a narrow child one with a neighbour, if both together are not too wide. */
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
    throw new Problem('fault', 'an ordered map has lost its balance');
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

/** This leaf, to be written to under this token. */
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

/** The keys of a node of one's own, to be written to. */
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

/** Counts one child anew. */
function resize<K, V>(node: Branch<K, V>, at: number, edit: Edit): void {
  const { size } = node.items[at]!;
  node.size += size - node.sizes[at]!;
  ownSizes(node, edit)[at] = size;
}

/** A list cut up into nodes. */
function parts<T>(list: readonly T[]): T[][] {
  const count = Math.ceil(list.length / maxWidth);
  return Array.from({ length: count }, (_, at) => list.slice(at * maxWidth, (at + 1) * maxWidth));
}

function insert<T>(list: T[], at: number, item: T): void {
  list.push(item);
  for (let to = list.length - 1; to > at; to--) list[to] = list[to - 1]!;
  list[at] = item;
}
