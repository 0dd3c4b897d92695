import * as z from 'zod';
import { LruCache } from '../lib/lru-cache.ts';
import type { TableName } from '../models/database.ts';

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
  return { href: below === undefined ? href : `${href}/${below}/${belowId ?? ''}` };
}

/**
 * Returns a function that memoizes views in an LRU cache. Rows and views are immutable, so a view is valid as long as its
 * row and its parts (the other rows or views that it contains) are the same objects.
 */
export function memoizeView<View extends object>(): (
  row: object,
  parts: readonly unknown[],
  make: () => View,
) => View {
  const cache = new LruCache<object, { readonly parts: readonly unknown[]; readonly view: View }>();
  return (row, parts, make) => {
    const cached = cache.get(row);
    if (cached !== undefined && isSame(cached.parts, parts)) return cached.view;
    const view = Object.freeze(make());
    cache.set(row, { parts, view });
    return view;
  };
}

function isSame(a: readonly unknown[], b: readonly unknown[]): boolean {
  if (a.length !== b.length) return false;
  for (let index = 0; index < a.length; index += 1) {
    if (a[index] !== b[index]) return false;
  }
  return true;
}
