import { Query, type Condition, type PredicateFunction } from '@msw/data';
import { valueAt } from '../../lib/json-value.ts';
import { isPlain, type Row } from '../row.ts';
import type { RowSet } from '../row-set.ts';

type Part<T> = Query<T> | Condition<T> | PredicateFunction<T>;

/**
 * The library's query with stricter matching:
 *
 * - A function receives the value of its field: an object, an array or undefined, too.
 * - A condition on a list matches if the list is not empty and all its items match.
 * - null and undefined match only themselves.
 *
 * A query on an id has that id, so that a table reads one row instead of all.
 */
export class RowQuery<T> extends Query<T> {
  /** The only id that can match. If undefined, any can. */
  readonly id: number | undefined;
  readonly #predicate: PredicateFunction<T> | undefined;

  constructor(predicate?: PredicateFunction<NoInfer<T>>, id?: number) {
    super(predicate);
    this.#predicate = predicate;
    this.id = id;
  }

  override where(condition: Condition<T> | PredicateFunction<T>): RowQuery<T> {
    return this.and(condition);
  }

  override and(...parts: Part<T>[]): RowQuery<T> {
    const predicates = this.#with(parts);
    const id = [this.id, ...parts.map(idOf)].find((one) => one !== undefined);
    return new RowQuery<T>((row) => predicates.every((predicate) => predicate(row)), id);
  }

  override or(...parts: Part<T>[]): RowQuery<T> {
    const predicates = this.#with(parts);
    return new RowQuery<T>((row) => predicates.some((predicate) => predicate(row)));
  }

  #with(parts: readonly Part<T>[]): PredicateFunction<T>[] {
    return [this.#predicate, ...parts.map(predicateOf)].filter((one) => one !== undefined);
  }
}

function predicateOf<T>(part: Part<T>): PredicateFunction<T> {
  if (part instanceof Query) return (row) => part.test(row);
  if (typeof part === 'function' || isPlain(part)) return matcherOf(part);
  throw new TypeError(
    `Failed to build a query: expected an object, a function or a query but got ${JSON.stringify(part)}`,
  );
}

function idOf(part: unknown): number | undefined {
  if (part instanceof RowQuery) return part.id;
  return isPlain(part) && typeof part['id'] === 'number' ? part['id'] : undefined;
}

/** Returns the predicate of a selector for the value of its field. */
function matcherOf(selector: unknown): (value: unknown) => boolean {
  if (isPredicate(selector)) return (value) => Boolean(selector(value));
  if (Array.isArray(selector)) return listMatcher(selector.map(matcherOf));
  const matchesOne = isPlain(selector)
    ? fieldsMatcher(selector)
    : (value: unknown) => value === selector;
  return (value) =>
    Array.isArray(value) ? value.length > 0 && value.every(matchesOne) : matchesOne(value);
}

function fieldsMatcher(selector: Readonly<Record<string, unknown>>): (value: unknown) => boolean {
  const fields = Object.entries(selector).map(([key, inner]) => ({
    key,
    matches: matcherOf(inner),
  }));
  return (value) => isPlain(value) && fields.every(({ key, matches }) => matches(value[key]));
}

function listMatcher(
  items: ReadonlyArray<(value: unknown) => boolean>,
): (value: unknown) => boolean {
  return (value) =>
    Array.isArray(value) &&
    value.length === items.length &&
    items.every((matches, at) => matches(value[at]));
}

function isPredicate(selector: unknown): selector is PredicateFunction<unknown> {
  return typeof selector === 'function';
}

/** The order and the range of the matching rows, as the library's options. */
export interface Selection {
  readonly cursor?: Row | undefined;
  readonly take?: number | undefined;
  readonly skip?: number | undefined;
  readonly orderBy?: unknown;
}

/** Selects rows: by a predicate, and by an id if only that one can match. */
export interface RowFilter<R extends Row> {
  readonly id: number | undefined;
  matches(row: R): boolean;
}

type Compare = (a: Row, b: Row) => number;

/**
 * Returns up to `take` matching rows in order (default: by id), from the cursor on, without the first `skip` rows. The
 * cursor is included. A negative `take` reverses the order.
 */
export function select<R extends Row>(
  rows: RowSet<R>,
  filter: RowFilter<R>,
  selection: Selection = {},
): R[] {
  const { cursor, skip = 0, take = Infinity, orderBy } = selection;
  const start = cursor && rows.current.rows.get(cursor.id);
  if (cursor !== undefined && start === undefined) return [];
  const direction = take < 0 ? -1 : 1;
  if (orderBy === undefined) {
    const candidates = candidatesOf(rows, filter, start, direction);
    return matching(candidates, filter, skip + Math.abs(take)).slice(skip);
  }
  const compare = comparison(orderBy);
  return matching(candidatesOf(rows, filter), filter)
    .filter((row) => start === undefined || compare(row, start) * direction >= 0)
    .toSorted((a, b) => compare(a, b) * direction)
    .slice(skip, skip + Math.abs(take));
}

/** Sorts rows by the library's `orderBy`, then by id. */
export function sortRows<R extends Row>(rows: readonly R[], orderBy: unknown): R[] {
  return orderBy === undefined ? [...rows] : rows.toSorted(comparison(orderBy));
}

/** Returns the rows that can match, by id: all, those from a row on, or the row of an id. */
function candidatesOf<R extends Row>(
  { current: { rows } }: RowSet<R>,
  { id }: RowFilter<R>,
  start?: Row,
  direction: 1 | -1 = 1,
): Iterable<R> {
  if (id === undefined && direction > 0) return rows.values(start && rows.rank(start.id));
  if (id === undefined) return rows.valuesBack(start && rows.rank(start.id));
  const row = rows.get(id);
  return row === undefined || (start !== undefined && (id - start.id) * direction < 0) ? [] : [row];
}

function matching<R extends Row>(
  candidates: Iterable<R>,
  filter: RowFilter<R>,
  max = Infinity,
): R[] {
  const found: R[] = [];
  if (max <= 0) return found;
  for (const row of candidates) {
    if (!filter.matches(row)) continue;
    found.push(row);
    if (found.length >= max) break;
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

/** Compares numbers and texts by size. Other values sort first, as null does in most databases. */
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
