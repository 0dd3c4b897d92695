import * as z from 'zod';
import { LruCache } from '../lib/lru-cache.ts';
import type { TableName } from '../models/database.ts';
import { link } from '../rest/page.ts';

/** The names of views in documents: `ZoneView.register(views, { id: 'Zone' })`. */
export const views = z.registry<{ id: string }>();

type Hyphenated<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `-${Lowercase<First>}`}${Hyphenated<Rest>}`
  : Name;

/** A table's name as paths write it: `payment-methods`. */
type Collection = Hyphenated<TableName>;

/** Returns a link to a record, or to a collection or a record below it: `linkTo('countries', 16, 'provinces', 1)`. */
export function linkTo(collection: Collection, id: number, below?: Collection, belowId?: number) {
  const href = `/api/${collection}/${id}`;
  return link(below === undefined ? href : `${href}/${below}/${belowId ?? ''}`);
}

/**
 * Returns a function that memoizes views in an LRU cache. Rows and views never change, so a view is valid for the same
 * row and the same parts: the other rows or views that it shows.
 */
export function memoizeView<View extends object>(): (
  row: object,
  parts: readonly unknown[],
  make: () => View,
) => View {
  const recent = new LruCache<
    object,
    { readonly parts: readonly unknown[]; readonly view: View }
  >();
  return (row, parts, make) => {
    const known = recent.get(row);
    if (known !== undefined && isSame(known.parts, parts)) return known.view;
    const view = Object.freeze(make());
    recent.set(row, { parts, view });
    return view;
  };
}

function isSame(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((part, index) => part === b[index]);
}
