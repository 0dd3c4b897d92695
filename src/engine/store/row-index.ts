import { AFTER, byTuple, type Bound } from './key-order.ts';
import { OrderedMap } from './ordered-map.ts';
import type { Key, Row } from './row.ts';
import type { Index } from './table-definition.ts';
import type { Edit } from './transaction.ts';

/** The ids of rows, sorted by their keys and then by themselves. */
export type IndexMap = OrderedMap<Bound, number>;

export function emptyIndex(): IndexMap {
  return new OrderedMap(byTuple);
}

/** Returns the key of a row in an index, made unique by its id, or undefined if the row is not in the index. */
export function indexKey<R extends Row>(index: Index<R>, row: R): Bound | undefined {
  const key = index(row);
  return key?.every(isDefined) === true ? [...key, row.id] : undefined;
}

function isDefined(part: string | number | undefined): part is string | number {
  return part !== undefined;
}

/** Returns the index after a row was inserted, removed or replaced. */
export function indexWith<R extends Row>(
  map: IndexMap,
  index: Index<R>,
  previous: R | undefined,
  next: R | undefined,
  edit: Edit,
): IndexMap {
  if (previous !== undefined && next !== undefined && hasSameKey(index, previous, next)) return map;
  const before = previous && indexKey(index, previous);
  return map.moved(before, next && indexKey(index, next), next?.id ?? 0, edit);
}

function hasSameKey<R extends Row>(index: Index<R>, previous: R, next: R): boolean {
  const before = index(previous);
  const after = index(next);
  if (before === undefined || after === undefined) return before === after;
  for (let at = 0; at < before.length; at++) if (before[at] !== after[at]) return false;
  return true;
}

/** Returns the ids whose keys begin with a prefix, in the order of the index. */
export function idsBy(map: IndexMap, prefix: Key, limit?: number): readonly number[] {
  return map.takeWhile(prefix, beginsWith, limit);
}

function beginsWith(key: Bound, prefix: Bound): boolean {
  for (let at = 0; at < prefix.length; at++) if (key[at] !== prefix[at]) return false;
  return true;
}

/** Returns the number of ids whose keys begin with a prefix. */
export function countBy(map: IndexMap, prefix: Key): number {
  const [first, last] = rangeOf(map, prefix);
  return last - first;
}

/** Returns up to `limit` ids whose keys begin with a prefix, from an offset on. */
export function pageBy(
  map: IndexMap,
  prefix: Key,
  { offset, limit, descending }: { offset: number; limit: number; descending: boolean },
): readonly number[] {
  const [first, last] = rangeOf(map, prefix);
  if (!descending) return map.slice(first + offset, Math.min(last, first + offset + limit));
  const end = last - offset;
  return end <= first ? [] : map.slice(Math.max(first, end - limit), end).toReversed();
}

function rangeOf(map: IndexMap, prefix: Key): [first: number, last: number] {
  if (prefix.length === 0) return [0, map.size];
  return [map.rank(prefix), map.rank([...prefix, AFTER])];
}
