import { memoized } from '../lib/memoized.ts';
import { createApiRouter, type Router } from '../rest/router.ts';
import type { ApiContext, ApiDefinition } from './api.ts';

/** Returns the router of an API, by the paths that clients send. Memoized. */
export const routerOf = /* @__PURE__ */ memoized(
  ({ endpoints, path }: ApiDefinition): Router<ApiContext> => createApiRouter(endpoints, path),
);

/** Returns the router of an API, by the paths that its rows have. Memoized. */
export const rowRouterOf = /* @__PURE__ */ memoized(
  ({ endpoints }: ApiDefinition): Router<ApiContext> => createApiRouter(endpoints),
);
