import type { ApiContext } from '../definition/api.ts';
import { snakeCase } from '../lib/names.ts';
import { Problem } from '../lib/problem.ts';
import type { AnyTable } from '../store/database.ts';

export const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** The path of a collection: `blogArticles` → `/api/blog-articles/`. */
export function pathOf(key: string): string {
  return `/api/${snakeCase(key).replaceAll('_', '-')}/`;
}

/** The name of a view in documents: `wishlist` → `Wishlist`. */
export function viewName(singular: string): string {
  const words = singular.split(/[\s_-]+/);
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

export function tableOf({ shop }: Pick<ApiContext, 'shop'>, key: string): AnyTable {
  const table = shop.db[key];
  if (table === undefined) throw new Problem('fault', `There is no table ${key}`);
  return table;
}
