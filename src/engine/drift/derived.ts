import type { ApiContext, ApiDefinition, EngineSettings } from '../definition/api.ts';
import { createApiRouter, type Router } from '../rest/router.ts';

/** What checks compute of an API once. */
interface Derived {
  /** The router of the paths as the rows have them. */
  readonly router: Router<ApiContext>;
  /** The settings by default. */
  readonly settings: EngineSettings;
  /** The paths of single records by the name of their view, `*` for an id: `/api/orders/*`. */
  readonly selves: ReadonlyMap<string, string>;
}

const known = new WeakMap<ApiDefinition, Derived>();

/** Returns what follows from an API. Memoized. */
export function derivedOf(api: ApiDefinition): Derived {
  const derived = known.get(api) ?? {
    router: createApiRouter(api.endpoints),
    settings: api.settings.parse({}),
    selves: selvesOf(api),
  };
  known.set(api, derived);
  return derived;
}

function selvesOf({ endpoints, views }: ApiDefinition): ReadonlyMap<string, string> {
  return new Map(
    endpoints.flatMap(({ method, path, answer }) => {
      const view = answer && views().get(answer);
      if (view === undefined || method !== 'GET' || !/:\w+\/?$/.test(path)) return [];
      return [[view.id, path.replaceAll(/:\w+/g, '*').replace(/\/$/, '')] as const];
    }),
  );
}
