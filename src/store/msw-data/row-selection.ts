import { isPlain, type Row } from '../row.ts';
import type { RowSet } from '../row-set.ts';

/** Which of the matching rows, and in which order, in the library's words. */
export interface Selection {
  readonly cursor?: Row | undefined;
  readonly take?: number | undefined;
  readonly skip?: number | undefined;
  readonly orderBy?: unknown;
}

/** What a query says of rows: which match, and which id alone can match, where it names one. */
export interface Wanted {
  readonly id: number | undefined;
  matches(row: Row): boolean;
}

type Compare = (a: Row, b: Row) => number;

/**
 * The rows that match, in order (by id, where none is given), from the cursor on, itself included; of these some are
 * skipped and some taken. A negative `take` goes the other way.
 */
export function select<R extends Row>(
  rows: RowSet<R>,
  wanted: Wanted,
  selection: Selection = {},
): R[] {
  const { cursor, skip = 0, take = Infinity, orderBy } = selection;
  const start = cursor && rows.get(cursor.id);
  if (cursor !== undefined && start === undefined) return [];
  const direction = take < 0 ? -1 : 1;
  if (orderBy === undefined) {
    const candidates = candidatesOf(rows, wanted, start, direction);
    return matching(candidates, wanted, skip + Math.abs(take)).slice(skip);
  }
  const compare = comparison(orderBy);
  return matching(candidatesOf(rows, wanted), wanted)
    .filter((row) => start === undefined || compare(row, start) * direction >= 0)
    .toSorted((a, b) => compare(a, b) * direction)
    .slice(skip, skip + Math.abs(take));
}

/** Sorts rows by the library's `orderBy`; those that are alike by id. */
export function sortRows<R extends Row>(rows: readonly R[], orderBy: unknown): R[] {
  return orderBy === undefined ? [...rows] : rows.toSorted(comparison(orderBy));
}

/** The rows among which to look, by id: all, those from a row on, or the one that a query names. */
function candidatesOf<R extends Row>(
  rows: RowSet<R>,
  { id }: Wanted,
  start?: Row,
  direction: 1 | -1 = 1,
): Iterable<R> {
  if (id === undefined) return rows.values(start?.id, direction < 0);
  const row = rows.get(id);
  return row === undefined || (start !== undefined && (id - start.id) * direction < 0) ? [] : [row];
}

function matching<R extends Row>(candidates: Iterable<R>, wanted: Wanted, most = Infinity): R[] {
  const found: R[] = [];
  if (most <= 0) return found;
  for (const row of candidates) {
    if (!wanted.matches(row)) continue;
    found.push(row);
    if (found.length >= most) break;
  }
  return found;
}

function comparison(orderBy: unknown): Compare {
  const criteria = (Array.isArray(orderBy) ? orderBy : [orderBy]).flatMap((entry) =>
    criteriaOf(entry),
  );
  return (a, b) => {
    for (const { path, direction } of criteria) {
      const difference = compareValues(valueAt(a, path), valueAt(b, path)) * direction;
      if (difference !== 0) return difference;
    }
    return a.id - b.id;
  };
}

interface Criterion {
  readonly path: readonly string[];
  readonly direction: 1 | -1;
}

function criteriaOf(entry: unknown, path: readonly string[] = []): Criterion[] {
  if (!isPlain(entry)) return [{ path, direction: entry === 'desc' ? -1 : 1 }];
  return Object.entries(entry).flatMap(([key, inner]) => criteriaOf(inner, [...path, key]));
}

function valueAt(row: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, key) => (isPlain(value) ? value[key] : undefined), row);
}

/** Numbers and texts by size; what cannot be compared with the other stands first, as null does in most databases. */
function compareValues(a: unknown, b: unknown): number {
  if (typeof a === 'string' && typeof b === 'string') return a === b ? 0 : a < b ? -1 : 1;
  return measure(a) - measure(b) || 0;
}

function measure(value: unknown): number {
  if (
    typeof value === 'number' ||
    typeof value === 'boolean' ||
    typeof value === 'bigint' ||
    value instanceof Date
  )
    return Number(value);
  return typeof value === 'string' ? Infinity : -Infinity;
}
