import { namedPath } from '../lib/api-path.ts';
import type { ApiDefinition } from './api.ts';

/**
 * Returns the paths below which clients find an API: its own, or those of its resources if its own is empty, so that other
 * paths of a page stay those of the page.
 */
export function rootsOf({ path, endpoints }: Pick<ApiDefinition, 'path' | 'endpoints'>): string[] {
  if (path !== '') return [path];
  const own = endpoints.filter((row) => row.path.startsWith(`${namedPath}/`));
  return [...new Set(own.map((row) => `/${row.path.split('/')[2]}`))];
}
