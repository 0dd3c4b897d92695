import { AFTER, byTuple, byText, isSameKey, type Bound } from './key-order.ts';
import { OrderedMap } from './ordered-map.ts';
import type { Key, Row } from './row.ts';
import type { Edit } from './transaction.ts';

/** The content of a table as a value: later writes do not change it. */
export interface TableState {
  readonly definition: object;
  readonly rows: OrderedMap<number, Row>;
  readonly deleted: OrderedMap<number, Row>;
  readonly unique: readonly UniqueMap[];
  readonly indexes: readonly IndexMap[];
  readonly nextId: number;
}

/** The order of a page, and the part of an index it is of: `{ by: 'begun', prefix: [3], descending: true }` (default: all by id). */
export interface PageOrder<IndexName extends string = string> {
  readonly by?: IndexName | undefined;
  readonly prefix?: Key | undefined;
  readonly descending?: boolean | undefined;
}

/** The state that a table writes to, under the token of the transaction. */
export interface OwnState<R extends Row> extends TableState {
  rows: OrderedMap<number, R>;
  deleted: OrderedMap<number, R>;
  readonly unique: UniqueMap[];
  readonly indexes: IndexMap[];
  nextId: number;
}

/** A unique key or an index of a table: its name, and the key of a row. */
export interface Named<R, K> {
  readonly name: string;
  readonly keyOf: (row: R) => K | undefined;
}

/** The id of the row that has a unique key. */
export type UniqueMap = OrderedMap<string, number>;

/** The ids of rows, sorted by their keys and then by themselves. */
export type IndexMap = OrderedMap<Bound, number>;

export function named<R, K>(
  keys: Readonly<Record<string, (row: R) => K | undefined>> = {},
): Array<Named<R, K>> {
  return Object.entries(keys).map(([name, keyOf]) => ({ name, keyOf }));
}

/** Returns the position of the key with this name, or -1. */
export function placeAmong(keys: ReadonlyArray<{ readonly name: string }>, name: string): number {
  for (let at = 0; at < keys.length; at++) if (keys[at]!.name === name) return at;
  return -1;
}

export function emptyUnique(): UniqueMap {
  return new OrderedMap(byText);
}

export function emptyIndex(): IndexMap {
  return new OrderedMap(byTuple);
}

/** Returns the unique keys after a row was inserted, removed or replaced. */
export function uniqueWith<R extends Row>(
  map: UniqueMap,
  { keyOf }: Named<R, string>,
  previous: R | undefined,
  next: R | undefined,
  edit: Edit,
): UniqueMap {
  const before = previous && keyOf(previous);
  const after = next && keyOf(next);
  if (before === after) return map;
  const without = before === undefined ? map : map.delete(before, edit);
  return after === undefined ? without : without.set(after, next!.id, edit);
}

/** Returns the index after a row was inserted, removed or replaced. */
export function indexWith<R extends Row>(
  map: IndexMap,
  { keyOf }: Named<R, Key>,
  previous: R | undefined,
  next: R | undefined,
  edit: Edit,
): IndexMap {
  const before = previous && keyOf(previous);
  const after = next && keyOf(next);
  if (isSameKey(before, after)) return map;
  const without = before === undefined ? map : map.delete(withId(before, previous!.id), edit);
  return after === undefined ? without : without.set(withId(after, next!.id), next!.id, edit);
}

/** Returns the range of positions in an index whose keys begin with a prefix. */
export function prefixRange(index: IndexMap, prefix: Key): [first: number, last: number] {
  if (prefix.length === 0) return [0, index.size];
  return [index.rank(prefix), index.rank([...prefix, AFTER])];
}

/** Returns the ids whose keys begin with a prefix, in the order of the index. */
export function idsByPrefix(index: IndexMap, prefix: Key): number[] {
  return index.takeWhile(prefix, beginsWith);
}

function beginsWith(key: Bound, prefix: Bound): boolean {
  for (let at = 0; at < prefix.length; at++) if (key[at] !== prefix[at]) return false;
  return true;
}

/** Returns the key in an index, which the id makes unique. A spread would allocate room for 17 more parts in each key. */
export function withId(key: Key, id: number): Bound {
  if (key.length === 1) return [key[0]!, id];
  return key.length === 2 ? [key[0]!, key[1]!, id] : key.concat(id);
}
