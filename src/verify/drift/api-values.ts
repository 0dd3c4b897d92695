import type { ApiDefinition } from '../../engine/definition/api.ts';
import { memoized } from '../../engine/lib/memoized.ts';

/** Returns the settings of an API by default. Memoized. */
export const defaultSettings = memoized(({ settings }: ApiDefinition) => settings.parse({}));

/** Returns the paths of single records by the name of their view, `*` for an id: `/api/orders/*`. Memoized. */
export const recordPathsOf = memoized(
  ({ endpoints, views }: ApiDefinition): ReadonlyMap<string, string> =>
    new Map(
      endpoints.flatMap(({ method, path, answer }) => {
        const view = answer && views().get(answer);
        if (view === undefined || method !== 'GET' || !/:\w+\/?$/.test(path)) return [];
        return [[view.id, path.replaceAll(/:\w+/g, '*').replace(/\/$/, '')] as const];
      }),
    ),
);
