import { childContent, ChildMap } from './child-map.ts';
import { byNumber, byText, byTuple, type KeyOrder } from './key-order.ts';
import { OrderedMap } from './ordered-map.ts';
import { createPairs, fitsPair, sortPairs } from './number-pairs.ts';
import { isChildIndex, parentOf } from './row-index.ts';
import { entriesOf } from './row-order.ts';
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
        ? childMapOf(sorted, index, edit)
        : OrderedMap.lazy(byTuple, () => entriesOf(sorted, index), edit),
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
function childMapOf<R extends Row>(rows: readonly R[], index: ChildIndex<R>, edit: Edit): ChildMap {
  const pairs = createPairs(rows.length);
  let count = 0;
  let last = 0;
  let isAscending = true;
  for (const row of rows) {
    const parent = parentOf(index, row);
    if (parent === undefined) continue;
    if (!fitsPair(row.id) || !fitsPair(parent) || parent < 0)
      return childMapOfEach(rows, index, edit);
    pairs[2 * count] = row.id;
    pairs[2 * count + 1] = parent;
    count += 1;
    isAscending &&= parent >= last;
    last = parent;
  }
  const found = count === rows.length ? pairs : pairs.slice(0, 2 * count);
  return new ChildMap(() => childContent(isAscending ? found : sortPairs(found), edit));
}

/** Returns the index of children whose ids, or those of their parents, have no place in pairs. */
function childMapOfEach<R extends Row>(
  rows: readonly R[],
  index: ChildIndex<R>,
  edit: Edit,
): ChildMap {
  let map = new ChildMap();
  for (const row of rows) {
    const parent = parentOf(index, row);
    if (parent !== undefined) map = map.with(parent, row.id, edit);
  }
  return map;
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
