import { childContent, ChildMap } from './child-map.ts';
import { byNumber, byText, byTuple, type Bound, type KeyOrder } from './key-order.ts';
import { OrderedMap } from './ordered-map.ts';
import { indexKey, isChildIndex, parentOf } from './row-index.ts';
import type { OwnState, Unique, UniqueMap } from './table-state.ts';
import { isId, type Row } from './row.ts';
import type { ChildIndex, Index } from './table-definition.ts';
import type { Edit } from './transaction.ts';

/** The keys of a table. */
interface Keys<R> {
  readonly unique: ReadonlyArray<Unique<R>>;
  readonly indexes: ReadonlyArray<Index<R>>;
}

/**
 * Builds the maps of many rows, their unique keys and indexes. Each index is built when it is first read, once for all
 * states that share it, since most indexes of a large shop are never read.
 *
 * @returns undefined if two rows have the same id or unique key, or an id is invalid
 */
export function buildRows<R extends Row>(
  rows: readonly R[],
  keys: Keys<R>,
  edit: Edit,
): Pick<OwnState<R>, 'rows' | 'unique' | 'indexes'> | undefined {
  let sorted = rows;
  let ids = ascendingIds(rows);
  if (ids === undefined) {
    sorted = rows.toSorted((a, b) => a.id - b.id);
    ids = ascendingIds(sorted);
  }
  if (ids === undefined) return undefined;
  const unique = keys.unique.map((key) => uniqueOf(sorted, key, edit));
  if (!unique.every((map) => map !== undefined)) return undefined;
  return {
    rows: OrderedMap.of(byNumber, ids, sorted, edit),
    unique,
    indexes: keys.indexes.map((index) =>
      isChildIndex(index)
        ? childMapOf(sorted, ids, index)
        : OrderedMap.lazy(byTuple, () => indexOf(sorted, index, edit)),
    ),
  };
}

/** Returns the unique keys of many rows, or undefined if two rows have the same key. */
function uniqueOf<R extends Row>(
  rows: readonly R[],
  { keyOf }: Unique<R>,
  edit: Edit,
): UniqueMap | undefined {
  let keys: string[] = [];
  let ids: number[] = [];
  for (const row of rows) {
    const key = keyOf(row);
    if (key === undefined) continue;
    keys.push(key);
    ids.push(row.id);
  }
  if (!isSorted(keys, byText)) {
    const places = [...keys.keys()].toSorted((a, b) => byText.compare(keys[a]!, keys[b]!));
    [keys, ids] = [places.map((at) => keys[at]!), places.map((at) => ids[at]!)];
  }
  return isSorted(keys, byText) ? OrderedMap.of(byText, keys, ids, edit) : undefined;
}

/**
 * Prepares the index of children in rows that are sorted by id. Parents are read at once, since the rows are at hand: later,
 * each row would have to come from memory again.
 */
function childMapOf<R extends Row>(
  rows: readonly R[],
  ids: readonly number[],
  index: ChildIndex<R>,
): ChildMap {
  const parents = new Float64Array(rows.length);
  const children: number[] = [];
  for (const row of rows) {
    const parent = parentOf(index, row);
    if (parent !== undefined) parents[children.push(row.id) - 1] = parent;
  }
  const all = children.length === ids.length ? ids : children;
  return new ChildMap(() => childContent(parents.subarray(0, all.length), all));
}

/** Builds an index of rows that are sorted by id. Memory is read in order as far as possible: rows and keys lie apart. */
function indexOf<R extends Row>(
  rows: readonly R[],
  index: Index<R>,
  edit: Edit,
): OrderedMap<Bound, number> {
  const keys: Bound[] = [];
  const ids: number[] = [];
  for (const row of rows) {
    const key = indexKey(index, row);
    if (key === undefined) continue;
    keys.push(key);
    ids.push(row.id);
  }
  const places = sortedPlaces(keys);
  if (places === undefined) return OrderedMap.of(byTuple, keys, ids, edit);
  const sortedKeys: Bound[] = [];
  const sortedIds: number[] = [];
  for (const place of places) {
    sortedKeys.push(keys[place]!);
    sortedIds.push(ids[place]!);
  }
  return OrderedMap.of(byTuple, sortedKeys, sortedIds, edit);
}

/**
 * Returns the places of keys, which come by ascending ids, in their order, or undefined if they are sorted. Keys that begin
 * with a number are grouped by it first: there are few groups, and each is mostly sorted. Those that begin with a text,
 * mostly a time, are sorted as numbers first.
 */
function sortedPlaces(keys: readonly Bound[]): (ArrayLike<number> & Iterable<number>) | undefined {
  if (isSorted(keys, byTuple)) return undefined;
  const places = [...keys.keys()];
  if (typeof keys[0]?.[0] === 'number') {
    const groups = Array.from(Map.groupBy(places, (place) => keys[place]![0]!).values());
    return groups
      .toSorted(([a], [b]) => byTuple.compare(keys[a!]!, keys[b!]!))
      .flatMap((group) => inOrder(group, keys));
  }
  return placesByText(keys) ?? inOrder(places, keys);
}

/**
 * Sorts keys that begin with texts which differ only in their digits, such as times: as numbers, in a typed array, each
 * with the place of its key as the last digits.
 *
 * @returns the places of the keys; undefined if they begin with other values, or the numbers would not be exact
 */
function placesByText(keys: readonly Bound[]): Float64Array | undefined {
  const numbers = digitsOf(keys);
  if (numbers === undefined) return undefined;
  const count = keys.length;
  let [lowest, highest] = [Infinity, 0];
  for (let at = 0; at < count; at++) {
    if (numbers[at]! < lowest) lowest = numbers[at]!;
    if (numbers[at]! > highest) highest = numbers[at]!;
  }
  const isExact = highest <= Number.MAX_SAFE_INTEGER;
  if (!isExact || (highest - lowest + 1) * count > Number.MAX_SAFE_INTEGER) return undefined;
  for (let at = 0; at < count; at++) numbers[at] = (numbers[at]! - lowest) * count + at;
  numbers.sort();
  let start = 0;
  let text = -1;
  for (let at = 0; at < count; at++) {
    const number = numbers[at]!;
    const next = Math.floor(number / count);
    if (next !== text) {
      if (at > start + 1) sortRun(numbers.subarray(start, at), keys);
      start = at;
      text = next;
    }
    numbers[at] = number - next * count;
  }
  sortRun(numbers.subarray(start), keys);
  return numbers;
}

/**
 * Returns the digits of the texts that keys begin with, as numbers. All texts must have the form of an ISO 8601 time, with
 * the same time zone: texts may differ only in the digits of their first 19 characters.
 *
 * @returns undefined for other texts
 */
function digitsOf(keys: readonly Bound[]): Float64Array | undefined {
  const form = keys[0]?.[0];
  if (typeof form !== 'string') return undefined;
  const numbers = new Float64Array(keys.length);
  for (let at = 0; at < keys.length; at++) {
    const text = keys[at]![0];
    if (typeof text !== 'string' || text.length !== form.length) return undefined;
    let number = 0;
    for (let place = 0; place < form.length; place++) {
      const digit = text.charCodeAt(place) - zero;
      const isDigit = digit >= 0 && digit <= 9 && place < timeLength;
      if (isDigit) number = number * 10 + digit;
      else if (digit !== form.charCodeAt(place) - zero) return undefined;
    }
    numbers[at] = number;
  }
  return numbers;
}

const zero = 48;

/** The length of `2026-03-01T20:50:30`. */
const timeLength = 19;

/** Sorts the places of keys that begin with the same text. */
function sortRun(places: Float64Array, keys: readonly Bound[]): void {
  places.sort((a, b) => byTuple.compare(keys[a]!, keys[b]!));
}

function inOrder(places: readonly number[], keys: readonly Bound[]): readonly number[] {
  const isDone = places.every(
    (place, at) => at === 0 || byTuple.compare(keys[places[at - 1]!]!, keys[place]!) < 0,
  );
  return isDone ? places : places.toSorted((a, b) => byTuple.compare(keys[a]!, keys[b]!));
}

function isSorted<K>(keys: readonly K[], order: KeyOrder<K>): boolean {
  return keys.every((key, at) => at === 0 || order.compare(keys[at - 1]!, key) < 0);
}

/** Returns the ids of the rows if they ascend and are valid. */
function ascendingIds(rows: readonly Row[]): readonly number[] | undefined {
  const ids: number[] = [];
  let last = 0;
  for (const { id } of rows) {
    if (!isId(id) || id <= last) return undefined;
    ids.push(id);
    last = id;
  }
  return ids;
}
