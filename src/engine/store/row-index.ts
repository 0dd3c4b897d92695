import { ChildMap } from './child-map.ts';
import { AFTER, byTuple, type Bound } from './key-order.ts';
import { OrderedMap } from './ordered-map.ts';
import type { Key, Row, Values } from './row.ts';
import type { ChildIndex, FieldIndex, Index, SortedIndex } from './table-definition.ts';
import type { IndexMap } from './table-state.ts';
import type { Edit } from './transaction.ts';

export function emptyIndex<R extends Row>(index: Index<R>): IndexMap {
  return isChildIndex(index) ? new ChildMap() : new OrderedMap(byTuple);
}

export function isChildIndex<R>(index: Index<R>): index is ChildIndex<R> {
  return 'of' in index;
}

/** Returns the ids whose keys begin with a prefix, in the order of the index. */
export function idsBy(map: IndexMap, prefix: Key): readonly number[] {
  return map instanceof ChildMap ? map.idsBy(prefix) : map.takeWhile(prefix, beginsWith);
}

/** Returns the first id whose key begins with a prefix. */
export function firstBy(map: IndexMap, prefix: Key): number | undefined {
  if (map instanceof ChildMap) return map.idsBy(prefix)[0];
  return prefix.length === 0 ? map.first() : map.takeWhile(prefix, beginsWith, 1)[0];
}

function beginsWith(key: Bound, prefix: Bound): boolean {
  for (let at = 0; at < prefix.length; at++) if (key[at] !== prefix[at]) return false;
  return true;
}

/** Returns the number of ids whose keys begin with a prefix. */
export function countBy(map: IndexMap, prefix: Key): number {
  if (map instanceof ChildMap) return map.idsBy(prefix).length;
  const [first, last] = rangeOf(map, prefix);
  return last - first;
}

/** Returns up to `limit` ids whose keys begin with a prefix, from an offset on. */
export function pageBy(
  map: IndexMap,
  prefix: Key,
  { offset, limit, descending }: { offset: number; limit: number; descending: boolean },
): readonly number[] {
  const ids = map instanceof ChildMap ? map.idsBy(prefix) : map;
  const [first, last] = ids instanceof OrderedMap ? rangeOf(ids, prefix) : [0, ids.length];
  if (!descending) return ids.slice(first + offset, Math.min(last, first + offset + limit));
  const end = last - offset;
  return end <= first ? [] : ids.slice(Math.max(first, end - limit), end).toReversed();
}

function rangeOf(map: OrderedMap<Bound, number>, prefix: Key): [first: number, last: number] {
  if (prefix.length === 0) return [0, map.size];
  return [map.rank(prefix), map.rank([...prefix, AFTER])];
}

/** Returns the index after a row was inserted, removed or replaced. */
export function indexWith<R extends Row>(
  map: IndexMap,
  index: Index<R>,
  previous: R | undefined,
  next: R | undefined,
  edit: Edit,
): IndexMap {
  if (map instanceof ChildMap)
    return isChildIndex(index) ? childrenWith(map, index, previous, next, edit) : map;
  if (isChildIndex(index)) return map;
  const before = previous && indexKey(index, previous);
  const after = next && indexKey(index, next);
  if (before === undefined) return after === undefined ? map : map.set(after, next!.id, edit);
  if (after === undefined) return map.delete(before, edit);
  if (byTuple.compare(before, after) === 0) return map;
  return map.delete(before, edit).set(after, next!.id, edit);
}

function childrenWith<R extends Row>(
  map: ChildMap,
  index: ChildIndex<R>,
  previous: R | undefined,
  next: R | undefined,
  edit: Edit,
): ChildMap {
  const before = previous && parentOf(index, previous);
  const after = next && parentOf(index, next);
  if (before === after) return map;
  const rest = before === undefined ? map : map.without(before, previous!.id, edit);
  return after === undefined ? rest : rest.with(after, next!.id, edit);
}

/** Returns the id of the parent that a row is indexed by, if it is in the index. */
export function parentOf<R extends Row>(index: ChildIndex<R>, row: R): number | undefined {
  const { of, where } = index;
  const values: Values = row;
  const parent = values[of];
  return typeof parent === 'number' && isIn(values, where) ? parent : undefined;
}

/** Whether a row meets the condition of an index, if it has one. */
function isIn(values: Values, where: Where | undefined): boolean {
  if (where === undefined) return true;
  const [field, comparison, value] = where;
  return (values[field] === value) === (comparison === 'is');
}

/**
 * Returns the key of a row in an index, made unique by its id, or undefined if the row is not in the index.
 */
export function indexKey<R extends Row>(index: SortedIndex<R>, row: R): Bound | undefined {
  if (typeof index === 'function') return index(row)?.concat(row.id);
  const { by, where } = index;
  const values: Values = row;
  if (!isIn(values, where)) return undefined;
  const first = values[by[0]];
  const second = by.length === 1 ? row.id : values[by[1]];
  if (!isKeyPart(first) || !isKeyPart(second)) return undefined;
  return by.length === 1 ? [first, second] : [first, second, row.id];
}

function isKeyPart(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number';
}

/** Returns the first part of the key of a row, or undefined if the row is not in the index. */
export function leadingValue<R extends Row>(
  index: FieldIndex<R>,
  row: R,
): string | number | undefined {
  const { by, where } = index;
  const values: Values = row;
  if (!isIn(values, where)) return undefined;
  const first = values[by[0]];
  return isKeyPart(first) && (by.length === 1 || isKeyPart(values[by[1]])) ? first : undefined;
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
    const keys = isChildIndex(index) ? [index.of] : index.by;
    for (const name of [...keys, index.where?.[0] ?? keys[0]]) {
      if (!names.includes(name)) names.push(name);
      mask |= bitOf(names.indexOf(name));
    }
    return mask;
  });
  return { names, masks };
}

/** Returns the bits of the indexed fields in which two versions of a row differ, and `unknownFields`. */
export function changedBits<R extends Row>(names: readonly string[], previous: R, next: R): number {
  const before: Values = previous;
  const after: Values = next;
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

type Where = readonly [field: string, comparison: 'is' | 'is not', value: unknown];
