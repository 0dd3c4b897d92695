import type { ApiDefinition } from './api.ts';

/** The name of an API, and the URLs with which clients begin. */
export interface AboutApi {
  /** `store` */
  readonly name: string;
  /** The path of the contract of a first list: `/api/orders/`; undefined if the API has none. */
  readonly list: string | undefined;
  /** Whether the studio has pages for it in addition to those of any API. */
  readonly hasPages: boolean;
}

export function aboutApi({ control, endpoints }: ApiDefinition): AboutApi {
  const { documents, overview, endpoints: others = [] } = control?.parts() ?? {};
  const row = endpoints.find(({ method, path }) => method === 'GET' && !path.includes('/:'));
  const list = overview?.lists[0] ?? row?.path;
  return {
    name: documents?.title ?? 'store',
    list: list?.replace(/\?.*/, ''),
    hasPages: others.length > 0,
  };
}
