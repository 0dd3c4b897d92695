import { byNumber } from './key-order.ts';
import { OrderedMap } from './ordered-map.ts';
import type { Key } from './row.ts';
import type { Edit } from './transaction.ts';

/**
 * Children that a map starts with, by their parents: a compressed sparse row format
 * (https://en.wikipedia.org/wiki/Sparse_matrix). The ids of the children of parent `p` are those from `starts[p]` up to
 * `starts[p + 1]`, excluded.
 */
interface Base {
  readonly starts: Uint32Array;
  readonly ids: Float64Array | readonly number[];
}

/** The ids of the children of one parent, ascending. They are changed in place under the token of the list. */
interface ChildList {
  readonly edit: Edit;
  readonly parent: number;
  readonly ids: number[];
}

/** The lists replace those of the base. */
interface Content {
  readonly base: Base;
  readonly lists: OrderedMap<number, ChildList>;
}

/**
 * The index of a field with the id of another record, its parent: the ids of the children of each parent. It is
 * persistent, as OrderedMap is. It is built in a fraction of the time of a sorted index and read faster: the first
 * children are in two arrays, and only those of parents that have changed since are in a map.
 */
export class ChildMap {
  /** The content, or a function that builds it on first use. */
  #content: Content | (() => Content);

  constructor(content: Content | (() => Content) = none) {
    this.#content = content;
  }

  /** Returns the ids under a prefix of the key `[parent, id]`. */
  idsBy([parent, id]: Key): readonly number[] {
    const { base, lists } = this.#read();
    if (parent === undefined) return this.#all();
    const ids = lists.get(parent as number)?.ids ?? idsIn(base, parent as number);
    return id === undefined ? ids : ids.filter((one) => one === id);
  }

  /** Returns the map with a child, which it does not have yet. */
  with(parent: number, id: number, edit: Edit): ChildMap {
    const list = this.#listOf(parent, edit);
    list.ids.splice(placeOf(list.ids, id), 0, id);
    return this.#set(list, edit);
  }

  /** Returns the map without a child. */
  without(parent: number, id: number, edit: Edit): ChildMap {
    const list = this.#listOf(parent, edit);
    list.ids.splice(placeOf(list.ids, id), 1);
    return this.#set(list, edit);
  }

  /** Returns a list that may be changed under this token. */
  #listOf(parent: number, edit: Edit): ChildList {
    const list = this.#read().lists.get(parent);
    return list?.edit === edit ? list : { edit, parent, ids: this.idsBy([parent]).slice() };
  }

  #set(list: ChildList, edit: Edit): ChildMap {
    const { base, lists } = this.#read();
    const next = lists.set(list.parent, list, edit);
    return next === lists ? this : new ChildMap({ base, lists: next });
  }

  #all(): readonly number[] {
    const { base, lists } = this.#read();
    const parents = new Set(lists.slice().map(({ parent }) => parent));
    for (let parent = 0; parent < base.starts.length - 1; parent++) parents.add(parent);
    return [...parents].toSorted((a, b) => a - b).flatMap((parent) => this.idsBy([parent]));
  }

  #read(): Content {
    if (typeof this.#content === 'function') this.#content = this.#content();
    return this.#content;
  }
}

const noChildren: Base = { starts: new Uint32Array(), ids: new Float64Array() };
const none: Content = { base: noChildren, lists: new OrderedMap(byNumber) };

function idsIn({ starts, ids }: Base, parent: number): readonly number[] {
  const found: number[] = [];
  const end = starts[parent + 1] ?? 0;
  for (let at = starts[parent] ?? end; at < end; at++) found.push(ids[at]!);
  return found;
}

/** Returns the position of an id among ascending ids, or where it would be inserted. */
function placeOf(ids: readonly number[], id: number): number {
  let low = 0;
  let high = ids.length;
  // Most new ids are the highest.
  if (high === 0 || ids[high - 1]! < id) return high;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (ids[middle]! < id) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Returns the content for the children of many parents, by a counting sort.
 *
 * @param parents the id of the parent of each child
 * @param children their ids, ascending
 */
export function childContent(parents: Float64Array, children: readonly number[]): Content {
  const base = ascendingBase(parents, children);
  if (base !== undefined) return { base, lists: none.lists };
  // It runs once, so plain loops: engines have not compiled it yet.
  let highest = 0;
  for (let at = 0; at < parents.length; at++) if (parents[at]! > highest) highest = parents[at]!;
  if (isSparse(highest, parents)) return sparseContent(parents, children);
  const starts = new Uint32Array(highest + 2);
  for (let at = 0; at < parents.length; at++) starts[parents[at]! + 1]! += 1;
  for (let at = 1; at < starts.length; at++) starts[at]! += starts[at - 1]!;
  const ends = starts.slice();
  const ids = new Float64Array(parents.length);
  for (let at = 0; at < parents.length; at++) ids[ends[parents[at]!]!++] = children[at]!;
  return { base: { starts, ids }, lists: none.lists };
}

/** Returns the content if the parents ascend, too, as in a shop that was generated. Nothing has to be sorted. */
function ascendingBase(parents: Float64Array, children: readonly number[]): Base | undefined {
  const highest = parents.at(-1) ?? 0;
  if (isSparse(highest, parents)) return undefined;
  const starts = new Uint32Array(highest + 2);
  let parent = 0;
  for (let at = 0; at < parents.length; at++) {
    const next = parents[at]!;
    if (next < parent || next > highest) return undefined;
    while (parent < next) starts[++parent] = at;
  }
  starts[highest + 1] = parents.length;
  return { starts, ids: children };
}

function isSparse(highest: number, parents: Float64Array): boolean {
  return highest > parents.length * maxSparseness + 1000;
}

/** How many possible parents there may be for each child. */
const maxSparseness = 16;

function sparseContent(parents: Float64Array, children: readonly number[]): Content {
  const edit: Edit = {};
  const lists = new Map<number, ChildList>();
  for (const [at, parent] of parents.entries()) {
    const list = lists.get(parent);
    if (list === undefined) lists.set(parent, { edit, parent, ids: [children[at]!] });
    else list.ids.push(children[at]!);
  }
  const sorted = [...lists.keys()].toSorted((a, b) => a - b);
  const values = sorted.map((parent) => lists.get(parent)!);
  return { base: noChildren, lists: OrderedMap.of(byNumber, sorted, values, edit) };
}
