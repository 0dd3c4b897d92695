import { namedPath } from '../../engine/lib/api-path.ts';
import type { ApiDefinition } from '../../engine/definition/api.ts';
import { openBackOffice } from '../../engine/office/open-back-office.ts';
import { configFile, loadApi } from '../config.ts';
import { declinedOrder, type FirstRequest } from './texts.ts';

/** The part of a project's definition that `init` reads. */
export interface ProjectApi {
  /** The path at which clients find it. */
  readonly path: string;
  /** Undefined if the API has nothing to read. */
  readonly first: FirstRequest | undefined;
}

/** Returns the API of the working directory: that of its definition, if it has one that can be read, or else the store. */
export async function projectApi(apiPath: string | undefined): Promise<ProjectApi> {
  const store = { path: apiPath ?? namedPath, first: declinedOrder };
  if (configFile({}) === undefined) return store;
  // `npx backlot check` says what is wrong with it.
  const api = await loadApi({ apiPath }).catch(() => undefined);
  return api === undefined ? store : { path: api.path, first: firstRequest(api) };
}

/** Returns a request for an order of the store, or else for the first list, or for the first record. */
function firstRequest(api: ApiDefinition): FirstRequest | undefined {
  const reads = api.endpoints.filter(({ method }) => method === 'GET');
  const row = reads.find(({ path }) => !path.includes('/:')) ?? reads[0];
  if (row === undefined) return undefined;
  const path = row.path.slice(namedPath.length).replaceAll(/:\w+/g, '1');
  const office = openBackOffice({ api });
  const { status } = office.dryRun({ method: 'GET', url: `${api.path}${path}`, headers: {} });
  const isStore = api.endpoints.some((one) => one.path === '/api/checkouts/:order_id');
  if (isStore && status === 200) return declinedOrder;
  const name = `GET ${row.path}`;
  return { title: `${name} returns ${status}`, path, name, status, isDeclined: false };
}
