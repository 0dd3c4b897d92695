import type { ApiContext } from '../definition/api.ts';
import { snakeCase } from '../lib/names.ts';
import { Problem } from '../lib/problem.ts';
import type { AnyTable } from '../store/database.ts';
import type { ResourceOptions } from './resource.ts';

/** The path of a collection: `blogArticles` → `/api/blog-articles/`. */
export function pathOf(key: string): string {
  return `/api/${snakeCase(key).replaceAll('_', '-')}/`;
}

/** An endpoint of a resource, by method and path, and the parameters that it has already. */
interface ResourceRoute {
  readonly name: string;
  readonly sent: readonly string[];
}

/** Returns the endpoints of a resource. */
export function routesOf(
  key: string,
  { fields, endpoints = {} }: ResourceOptions,
): ResourceRoute[] {
  const path = pathOf(key);
  const sent = Object.keys(fields);
  const written = [`POST ${path}`, `PUT ${path}:id`, `PATCH ${path}:id`];
  const plain = [`GET ${path}`, `GET ${path}:id`, `DELETE ${path}:id`];
  return [
    ...written.map((name) => ({ name, sent })),
    ...plain.map((name) => ({ name, sent: [] })),
    ...Object.entries(endpoints).map(([route, { body = {} }]) => ({
      name: route.replace(' /', ` ${path}`),
      sent: Object.keys(body),
    })),
  ];
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
