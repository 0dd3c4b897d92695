import type { KeyOrder } from './key-order.ts';
import type { Leaf, Node } from './ordered-tree.ts';

/** The entries in which one map differs from another. */
export interface Changes<K, V> {
  /** The values of keys that are new or have another value, by key. */
  readonly set: readonly V[];
  readonly removed: readonly K[];
}

const none = { set: [], removed: [] };

/** Returns the changes from one tree to another. Visits only nodes that the two do not share, and their neighbours. */
export function changesBetween<K, V>(
  before: Node<K, V>,
  after: Node<K, V>,
  order: KeyOrder<K>,
): Changes<K, V> {
  if (before === after) return none;
  let [ours, theirs]: [readonly Node<K, V>[], readonly Node<K, V>[]] = [[after], [before]];
  const [height, other] = [heightOf(after), heightOf(before)];
  for (let level = height; level > other; level--) ours = childrenOf(ours);
  for (let level = other; level > height; level--) theirs = childrenOf(theirs);
  for (let level = Math.min(height, other); ; level--) {
    // The keys of a node that both trees have are in no other node.
    const [own, shared] = [new Set(ours), new Set(theirs)];
    ours = ours.filter((node) => !shared.has(node));
    theirs = theirs.filter((node) => !own.has(node));
    if (level === 0) break;
    [ours, theirs] = [childrenOf(ours), childrenOf(theirs)];
  }
  return changesOfLeaves(theirs.filter(isLeaf), ours.filter(isLeaf), order);
}

/** Merges two lists of leaves, whose keys ascend. */
function changesOfLeaves<K, V>(
  before: readonly Leaf<K, V>[],
  after: readonly Leaf<K, V>[],
  order: KeyOrder<K>,
): Changes<K, V> {
  const set: V[] = [];
  const removed: K[] = [];
  const [old, now] = [cursorOf(before), cursorOf(after)];
  for (;;) {
    const [oldKey, nowKey] = [old.key(), now.key()];
    if (oldKey === undefined && nowKey === undefined) return { set, removed };
    const difference =
      oldKey === undefined ? 1 : nowKey === undefined ? -1 : order.compare(oldKey, nowKey);
    if (difference < 0) removed.push(oldKey!);
    else if (difference > 0 || old.value() !== now.value()) set.push(now.value());
    if (difference <= 0) old.next();
    if (difference >= 0) now.next();
  }
}

/** Iterates over the entries of leaves. */
function cursorOf<K, V>(leaves: readonly Leaf<K, V>[]) {
  let leaf = 0;
  let at = 0;
  const next = (step: number): void => {
    at += step;
    while (leaf < leaves.length && at >= leaves[leaf]!.keys.length) [leaf, at] = [leaf + 1, 0];
  };
  next(0);
  return {
    key: (): K | undefined => leaves[leaf]?.keys[at],
    value: (): V => leaves[leaf]!.items[at]!,
    next: () => next(1),
  };
}

function isLeaf<K, V>(node: Node<K, V>): node is Leaf<K, V> {
  return node.sizes === undefined;
}

function childrenOf<K, V>(nodes: readonly Node<K, V>[]): readonly Node<K, V>[] {
  return nodes.flatMap((node) => (node.sizes === undefined ? [] : node.items));
}

function heightOf<K, V>(root: Node<K, V>): number {
  let height = 0;
  for (let node = root; node.sizes !== undefined; node = node.items[0]!) height += 1;
  return height;
}
