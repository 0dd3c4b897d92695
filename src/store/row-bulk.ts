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
  for (let at = 0; at < rows.length; at++) parents[at] = parentOf(index, rows[at]!) ?? -1;
  return new ChildMap(() => childContent(parents, ids));
}

/** Builds an index of rows that are sorted by id. */
function indexOf<R extends Row>(
  rows: readonly R[],
  index: Index<R>,
  edit: Edit,
): OrderedMap<Bound, number> {
  const keys: Bound[] = [];
  for (const row of rows) {
    const key = indexKey(index, row);
    if (key !== undefined) keys.push(key);
  }
  const sorted = sortedKeys(keys);
  const ids = sorted.map((key) => Number(key.at(-1)));
  return OrderedMap.of(byTuple, sorted, ids, edit);
}

/**
 * Sorts keys, which come by ascending ids. Those that begin with a number are grouped by it first: there are few groups,
 * and each is mostly sorted. Those that begin with a text, mostly a time, are sorted as numbers first.
 */
function sortedKeys(keys: readonly Bound[]): readonly Bound[] {
  if (isSorted(keys, byTuple)) return keys;
  if (typeof keys[0]?.[0] === 'number') {
    const groups = Array.from(Map.groupBy(keys, ([first]) => first!).values());
    return groups
      .toSorted(([a], [b]) => byTuple.compare(a!, b!))
      .flatMap((group) => inOrder(group, byTuple));
  }
  return sortedByText(keys) ?? inOrder(keys, byTuple);
}

/**
 * Sorts keys that begin with texts of one length, such as times. Each character in which the texts differ is a digit of a
 * number, and the position of the key its last digit, so that a typed array can be sorted without comparing texts.
 *
 * @returns undefined if the keys begin with other values, or the numbers would not be exact
 */
function sortedByText(keys: readonly Bound[]): Bound[] | undefined {
  const digits = digitsOf(keys);
  if (digits === undefined) return undefined;
  const count = keys.length;
  const numbers = new Float64Array(count);
  for (let at = 0; at < count; at++) {
    const text = keys[at]![0] as string;
    let number = 0;
    for (let digit = 0; digit < digits.length; digit++) {
      const { place, lowest, radix } = digits[digit]!;
      number = number * radix + text.charCodeAt(place) - lowest;
    }
    numbers[at] = number * count + at;
  }
  numbers.sort();
  const sorted: Bound[] = [];
  for (let start = 0, at = 0; at < count; at++) {
    const text = Math.floor(numbers[at]! / count);
    sorted.push(keys[numbers[at]! - text * count]!);
    const isLast = at + 1 === count || Math.floor(numbers[at + 1]! / count) !== text;
    if (isLast && at > start) sortRun(sorted, start);
    if (isLast) start = at + 1;
  }
  return sorted;
}

/** Sorts the keys from a position on, which begin with the same text. */
function sortRun(keys: Bound[], start: number): void {
  const run = keys.splice(start).toSorted((a, b) => byTuple.compare(a, b));
  for (const key of run) keys.push(key);
}

interface Digit {
  readonly place: number;
  readonly lowest: number;
  readonly radix: number;
}

function digitsOf(keys: readonly Bound[]): readonly Digit[] | undefined {
  const first = keys[0]?.[0];
  if (typeof first !== 'string') return undefined;
  const { length } = first;
  const lowest = Array.from({ length }, (_, place) => first.charCodeAt(place));
  const highest = [...lowest];
  for (let at = 1; at < keys.length; at++) {
    const text = keys[at]![0];
    if (typeof text !== 'string' || text.length !== length) return undefined;
    for (let place = 0; place < length; place++) {
      const code = text.charCodeAt(place);
      if (code < lowest[place]!) lowest[place] = code;
      else if (code > highest[place]!) highest[place] = code;
    }
  }
  const digits = lowest
    .map((low, place) => ({ place, lowest: low, radix: highest[place]! - low + 1 }))
    .filter(({ radix }) => radix > 1);
  const largest = digits.reduce((product, { radix }) => product * radix, keys.length);
  return largest > Number.MAX_SAFE_INTEGER ? undefined : digits;
}

function inOrder<K>(keys: readonly K[], order: KeyOrder<K>): readonly K[] {
  return isSorted(keys, order) ? keys : keys.toSorted((a, b) => order.compare(a, b));
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
