import { byTuple, type Bound } from './key-order.ts';
import type { Row } from './row.ts';
import type { FieldIndex, Index } from './table-definition.ts';
import type { IndexMap } from './table-state.ts';
import type { Edit } from './transaction.ts';

/** Returns the index after a row was inserted, removed or replaced. */
export function indexWith<R extends Row>(
  map: IndexMap,
  index: Index<R>,
  previous: R | undefined,
  next: R | undefined,
  edit: Edit,
): IndexMap {
  const before = previous && indexKey(index, previous);
  const after = next && indexKey(index, next);
  if (before === undefined) return after === undefined ? map : map.set(after, next!.id, edit);
  if (after === undefined) return map.delete(before, edit);
  if (byTuple.compare(before, after) === 0) return map;
  return map.delete(before, edit).set(after, next!.id, edit);
}

/**
 * Returns the key of a row in an index, made unique by its id, or undefined if the row is not in the index. Literals
 * allocate no room for more parts, as `push` and spreads do.
 */
export function indexKey<R extends Row>(index: Index<R>, row: R): Bound | undefined {
  if (typeof index === 'function') return index(row)?.concat(row.id);
  const { by, where } = index as FieldIndex<unknown> as FieldIndex<KeyValues>;
  const values = row as Row as Row & KeyValues;
  if (where !== undefined && (values[where[0]] === where[2]) !== (where[1] === 'is'))
    return undefined;
  const first = values[by[0]];
  const second = by.length === 1 ? row.id : values[by[1]];
  if (first === undefined || second === undefined) return undefined;
  return by.length === 1 ? [first, second] : [first, second, row.id];
}

/**
 * The fields that the indexes of a table read, each with a bit. A write to a row changes only the indexes that read one of
 * the changed fields.
 *
 * @property masks for each index, the bits of its fields; for a function, `unknownFields`
 */
export interface IndexedFields {
  readonly names: readonly string[];
  readonly masks: readonly number[];
}

const unknownFields = 1;

export function indexedFields<R extends Row>(indexes: ReadonlyArray<Index<R>>): IndexedFields {
  const names: string[] = [];
  const masks = indexes.map((index) => {
    if (typeof index === 'function') return unknownFields;
    let mask = 0;
    for (const name of [...index.by, index.where?.[0] ?? index.by[0]].map(String)) {
      if (!names.includes(name)) names.push(name);
      mask |= bitOf(names.indexOf(name));
    }
    return mask;
  });
  return { names, masks };
}

/** Returns the bits of the indexed fields in which two versions of a row differ, and `unknownFields`. */
export function changedBits<R extends Row>(names: readonly string[], previous: R, next: R): number {
  const before = previous as Row as Row & KeyValues;
  const after = next as Row as Row & KeyValues;
  let changed = unknownFields;
  for (let at = 0; at < names.length; at++) {
    const name = names[at]!;
    if (before[name] !== after[name]) changed |= bitOf(at);
  }
  return changed;
}

/** Returns the bit of a field. Beyond 30 fields, some share one. */
function bitOf(at: number): number {
  return 2 << (at % 30);
}

type KeyValues = Readonly<Record<string, string | number | undefined>>;
