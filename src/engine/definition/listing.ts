import type * as z from 'zod';
import type { Row, RowOf, Table } from '../store/table.ts';
import { foldCase } from '../lib/fold-case.ts';
import type { Listing } from '../rest/page.ts';
import type { ApiContext } from './api.ts';

type Direction = 'asc' | 'desc';
export type Sorting<Field extends string> = Readonly<Partial<Record<Field, Direction | undefined>>>;

/**
 * The default order of a collection.
 *
 * @property by the index that has this order (default: by id)
 * @property fields the same order as fields, to sort rows without the index
 */
export interface ListOrder<Item, IndexName extends string> {
  readonly by?: IndexName;
  readonly fields: readonly (readonly [keyof Item & string, Direction])[];
}

/** The order by ids, of which every table has one. */
export const byId = { fields: [['id', 'asc']] } as const;

/** The parts of a call that choose and sort the rows of a list. */
interface ListCall<Field extends string> {
  readonly query: { readonly sorting?: Sorting<Field> | undefined };
  readonly where?: ApiContext['where'];
}

/**
 * Returns the rows of a table that a call asks for, by default in their default order. Without a filter or sorting, reads
 * only the rows of a page.
 *
 * @param only.among rows that an index has found for a filter
 * @param only.where filters; a row must pass all of them
 */
export function listing<
  Schema extends z.ZodType<Row>,
  IndexName extends string,
  UniqueName extends string,
  Field extends keyof RowOf<Schema> & string,
>(
  table: Table<Schema, IndexName, UniqueName>,
  order: ListOrder<RowOf<Schema>, NoInfer<IndexName>>,
  call: ListCall<Field>,
  only: {
    readonly among?: readonly RowOf<Schema>[] | undefined;
    readonly where?: readonly (((row: RowOf<Schema>) => boolean) | undefined)[];
  } = {},
): Listing<RowOf<Schema>> {
  const { by } = order;
  const descending = order.fields[0]?.[1] === 'desc';
  const indexOrder = by === undefined ? { descending } : { by, descending };
  const totalOf = (): number => (by === undefined ? table.count() : table.countBy(by));
  const where = [...(only.where ?? []), call.where].filter((test) => test !== undefined);
  const { sorting } = call.query;
  const isInDefaultOrder = only.among === undefined && Object.keys(sorting ?? {}).length === 0;
  if (isInDefaultOrder && where.length === 0) {
    return {
      total: totalOf(),
      slice: (offset, limit) => table.page(offset, limit, indexOrder),
    };
  }
  const all = only.among ?? table.page(0, totalOf(), indexOrder);
  const matching = all.filter((row) => where.every((test) => test(row)));
  return listingOf(isInDefaultOrder ? matching : sortRows(matching, sorting, order.fields));
}

/** Sorts rows by the requested fields, then in their default order. */
function sortRows<Item, Field extends keyof Item & string>(
  rows: readonly Item[],
  sorting: Sorting<Field> | undefined,
  order: readonly (readonly [keyof Item & string, Direction])[],
): readonly Item[] {
  const requested: (readonly [Field, Direction])[] = [];
  for (const field in sorting) {
    const direction = sorting[field];
    if (direction !== undefined) requested.push([field, direction]);
  }
  return rows.toSorted(comparison<Item>([...requested, ...order]));
}

/** Returns a listing of an array of sorted rows. */
function listingOf<Item>(rows: readonly Item[]): Listing<Item> {
  return { total: rows.length, slice: (offset, limit) => rows.slice(offset, offset + limit) };
}

/** Returns a case-insensitive substring filter, or undefined without a search term. */
export function contains(needle: string | undefined): ((text: string) => boolean) | undefined {
  if (needle === undefined) return undefined;
  const wanted = foldCase(needle);
  return (text) => foldCase(text).includes(wanted);
}

function comparison<Item>(
  fields: readonly (readonly [keyof Item, Direction])[],
): (a: Item, b: Item) => number {
  return (a, b) => {
    for (const [field, direction] of fields) {
      const order = compare(a[field], b[field]);
      if (order !== 0) return direction === 'asc' ? order : -order;
    }
    return 0;
  };
}

/** Sorts undefined first. */
function compare(a: unknown, b: unknown): number {
  if (a === b) return 0;
  if (a === undefined) return -1;
  if (b === undefined) return 1;
  return isLess(a, b) ? -1 : 1;
}

function isLess(a: unknown, b: unknown): boolean {
  if (typeof a === 'string' && typeof b === 'string') return a < b;
  return Array.isArray(a) && Array.isArray(b) ? a.join() < b.join() : Number(a) < Number(b);
}
