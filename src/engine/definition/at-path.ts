import { assertApiPath } from '../lib/api-path.ts';
import type { ApiDefinition } from './api.ts';

/**
 * Returns the same API at another path (default: its own). Memoized, so that its back offices share a router.
 *
 * @throws Problem `invalid` for a wrong path
 */
export function atPath(api: ApiDefinition, path: string = api.path): ApiDefinition {
  if (path === api.path) return api;
  const known = moved.get(api) ?? new Map<string, ApiDefinition>();
  moved.set(api, known);
  let there = known.get(path);
  if (there === undefined) {
    assertApiPath(path);
    known.set(path, (there = { ...api, path }));
  }
  return there;
}

const moved = new WeakMap<ApiDefinition, Map<string, ApiDefinition>>();
