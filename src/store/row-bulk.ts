import { byNumber, byText, byTuple, type Bound, type KeyOrder } from './key-order.ts';
import { OrderedMap } from './ordered-map.ts';
import { indexKey } from './row-index.ts';
import type { IndexMap, OwnState, Unique, UniqueMap } from './table-state.ts';
import { isId, type Row } from './row.ts';
import type { Index } from './table-definition.ts';
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
      OrderedMap.lazy(byTuple, () => indexOf(sorted, index, edit)),
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

/** Builds an index of rows that are sorted by id. */
function indexOf<R extends Row>(rows: readonly R[], index: Index<R>, edit: Edit): IndexMap {
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
 * Sorts keys. Those that begin with a number are grouped by it first: there are few groups, and each is mostly sorted,
 * since ids ascend.
 */
function sortedKeys(keys: readonly Bound[]): readonly Bound[] {
  if (typeof keys[0]?.[0] !== 'number' || isSorted(keys, byTuple)) return inOrder(keys, byTuple);
  const groups = Array.from(Map.groupBy(keys, ([first]) => first!).values());
  return groups
    .toSorted(([a], [b]) => byTuple.compare(a!, b!))
    .flatMap((group) => inOrder(group, byTuple));
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
