import { memoized } from '../lib/memoized.ts';
import type { ApiRequest } from '../rest/message.ts';
import { createApiRouter, type Router } from '../rest/router.ts';
import { parseTarget } from '../rest/serve.ts';
import type { ApiContext, ApiDefinition, ApiEndpoint } from './api.ts';

/** Returns the router of an API, by the paths that clients send. Memoized. */
export const routerOf = /* @__PURE__ */ memoized(
  ({ endpoints, path }: ApiDefinition): Router<ApiContext> => createApiRouter(endpoints, path),
);

/** Returns the path of a request as a client sends it, and the first row of its method there, which is that of GET for HEAD. */
export function locate(
  api: ApiDefinition,
  { method, target, url }: ApiRequest,
): { readonly path: string; readonly row: ApiEndpoint | undefined } {
  const { path } = target ?? parseTarget(url);
  return {
    path,
    row: routerOf(api)
      .find(path)
      ?.route.methods.get(method === 'HEAD' ? 'GET' : method)?.[0],
  };
}

/** Returns the router of an API, by the paths that its rows have. Memoized. */
export const rowRouterOf = /* @__PURE__ */ memoized(
  ({ endpoints }: ApiDefinition): Router<ApiContext> => createApiRouter(endpoints),
);
