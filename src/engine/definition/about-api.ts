import type { ApiDefinition } from './api.ts';

/**
 * Returns the name of an API, the path of the contract of a first list if it has one, `/api/orders/`, and whether the studio has
 * pages for it in addition to those of any API.
 */
export function aboutApi({ control, endpoints }: ApiDefinition) {
  const { documents, overview, endpoints: others = [] } = control?.parts() ?? {};
  const row = endpoints.find(({ method, path }) => method === 'GET' && !path.includes('/:'));
  const list = overview?.lists[0] ?? row?.path;
  return {
    name: documents?.title ?? 'store',
    list: list?.replace(/\?.*/, ''),
    hasPages: others.length > 0,
  };
}
