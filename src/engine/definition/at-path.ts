import { assertApiPath } from '../lib/api-path.ts';
import { getOrCreate } from '../lib/maps.ts';
import { memoized } from '../lib/memoized.ts';
import type { ApiDefinition } from './api.ts';

/**
 * Returns the same API at another path (default: its own). Memoized, so that its back offices share a router.
 *
 * @throws Problem `invalid` for a wrong path
 */
export function atPath(api: ApiDefinition, path: string = api.path): ApiDefinition {
  if (path === api.path) return api;
  assertApiPath(path);
  return getOrCreate(moved(api), path, () => ({ ...api, path }));
}

const moved = /* @__PURE__ */ memoized<ApiDefinition, Map<string, ApiDefinition>>(() => new Map());
