import type { ApiDefinition, ApiEndpoint } from '../definition/api.ts';
import { routerOf } from '../definition/api-router.ts';
import { Problem, truncate } from '../lib/problem.ts';
import type { ApiRequest } from '../rest/message.ts';
import { parseTarget } from '../rest/serve.ts';

/** Returns a row of the operation of a request that was answered before its body was decoded. */
export function rowOf(
  request: ApiRequest,
  error: unknown,
  api: ApiDefinition,
): ApiEndpoint | undefined {
  // The router of the back office found none.
  if (error instanceof Problem && error.kind === 'missing') return undefined;
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  return routerOf(api).find(pathOf(request))?.route.methods.get(method)?.[0];
}

function pathOf({ target, url }: ApiRequest): string {
  return (target ?? parseTarget(url)).path;
}

export function sentName(request: ApiRequest): string {
  return `${truncate(request.method, 20)} ${truncate(pathOf(request))}`;
}
