import type { ApiContext, ApiDefinition, ApiEndpoint } from '../definition/api.ts';
import { nameOf } from '../lib/api-path.ts';
import { Problem, truncate } from '../lib/problem.ts';
import type { ApiRequest } from '../rest/message.ts';
import { createApiRouter, type Router } from '../rest/router.ts';
import { parseTarget } from '../rest/serve.ts';

const routers = new WeakMap<ApiDefinition, Router<ApiContext>>();

/** Created at the first request that was answered before it was routed. Most suites have none. */
function routerOf(api: ApiDefinition): Router<ApiContext> {
  const router = routers.get(api) ?? createApiRouter(api.endpoints);
  routers.set(api, router);
  return router;
}

/** Returns a row of the operation of a request that was answered before its body was decoded. */
export function rowOf(
  request: ApiRequest,
  error: unknown,
  api: ApiDefinition,
): ApiEndpoint | undefined {
  // The router of the back office found none.
  if (error instanceof Problem && error.kind === 'missing') return undefined;
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  try {
    const { route } = routerOf(api).match(method, nameOf(api.path, pathOf(request)));
    return route.methods.get(method)?.[0];
  } catch {
    return undefined;
  }
}

function pathOf({ target, url }: ApiRequest): string {
  return (target ?? parseTarget(url)).path;
}

export function sentName(request: ApiRequest): string {
  return `${truncate(request.method, 20)} ${truncate(pathOf(request))}`;
}
