import { LruCache } from '../lib/lru-cache.ts';

/**
 * Keeps the views of a kind that were made lately. Rows never change, so a view is good as long as it is of the same
 * row and of the same parts: the other rows, or views, that it shows.
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
