import { byNumber, byText, byTuple, type KeyOrder } from './key-order.ts';
import { OrderedMap, type Entries } from './ordered-map.ts';
import { indexKey } from './row-index.ts';
import type { OwnState, Unique } from './table-state.ts';
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
  const sorted = rows.toSorted((a, b) => a.id - b.id);
  const ids = sorted.map(({ id }) => id);
  const unique = keys.unique.map(({ keyOf }) => entriesOf(sorted, keyOf, byText));
  const areDistinct = unique.every((entries) => isAscending(entries.keys, byText));
  if (!areDistinct || !ids.every(isId) || !isAscending(ids, byNumber)) return undefined;
  return {
    rows: OrderedMap.of(byNumber, { keys: ids, values: sorted }, edit),
    unique: unique.map((entries) => OrderedMap.of(byText, entries, edit)),
    indexes: keys.indexes.map((index) =>
      OrderedMap.lazy(
        byTuple,
        () => entriesOf(sorted, (row) => indexKey(index, row), byTuple),
        edit,
      ),
    ),
  };
}

/** Returns the ids of the rows that have a key, in the order of their keys. */
function entriesOf<R extends Row, K>(
  rows: readonly R[],
  keyOf: (row: R) => K | undefined,
  order: KeyOrder<K>,
): Entries<K, number> {
  const found: { readonly key: K; readonly id: number }[] = [];
  for (const row of rows) {
    const key = keyOf(row);
    if (key !== undefined) found.push({ key, id: row.id });
  }
  found.sort((a, b) => order.compare(a.key, b.key));
  return { keys: found.map(({ key }) => key), values: found.map(({ id }) => id) };
}

function isAscending<K>(keys: readonly K[], order: KeyOrder<K>): boolean {
  return keys.every((key, at) => at === 0 || order.compare(keys[at - 1]!, key) < 0);
}
