import type { ApiDefinition, ShownIds } from '../definition/api.ts';
import { parseJson } from '../lib/json-value.ts';
import type { BackOffice } from '../office/back-office.ts';
import type { RouteMatch } from '../rest/router.ts';
import type { RequestTarget } from '../rest/message.ts';
import { definitionsByName } from '../store/database.ts';
import type { ServerRequest } from './request-target.ts';

/**
 * Returns a request to a record, or what sets one up, with ids in the place of UUIDs. Clients know records by these.
 *
 * @param match the endpoint of the control API, if there is one
 */
export function uuidsToIds(
  request: ServerRequest,
  { path }: RequestTarget,
  office: () => BackOffice,
  match: RouteMatch<never> | undefined,
): ServerRequest {
  const text = typeof request.body === 'string' ? request.body : '';
  if (match === undefined || !/[\da-f]{8}-[\da-f]{4}-/i.test(`${path} ${text}`)) return request;
  const { shop } = office();
  const { api } = shop;
  const { ids } = api;
  if (ids === undefined) return request;
  const inside = (table: string | undefined, value: unknown): unknown =>
    table === undefined || typeof value !== 'string'
      ? value
      : (ids.idOf(shop, table, value) ?? value);
  const { params, route } = match;
  const there = Object.entries(params).reduce(
    (whole, [name, value]) =>
      whole.replace(value, String(inside(tableOf(api, ids, name, params), value))),
    path,
  );
  const rows = route.methods.get(request.method) ?? [];
  const body = parseJson(text);
  // The API of an extension converts what it sets up.
  const isConverted =
    body !== undefined && isOwn(api, path) && !rows.some((row) => row.isExtension);
  return {
    ...request,
    url: request.url.replace(path, () => there),
    target: undefined,
    ...(isConverted && {
      body: JSON.stringify(body, (name, value: unknown) => inside(ids.names.get(name), value)),
    }),
  };
}

/** Returns the table of the record that a parameter of a path names. */
function tableOf(
  { machines, tables }: ApiDefinition,
  { names }: ShownIds,
  name: string,
  params: RouteMatch<never>['params'],
): string | undefined {
  const machine = machines.find((one) => one.name === params['machine']);
  const named = name === 'record_id' ? params['name'] : name === 'id' ? machine?.table : undefined;
  return named === undefined ? names.get(name) : definitionsByName(tables).get(named)?.[0];
}

/** Whether what is sent to a control endpoint has a form that the API knows: rules of its script, and its own endpoints. */
function isOwn({ control }: ApiDefinition, path: string): boolean {
  const [, , name = ''] = path.split('/');
  const own = control?.parts().endpoints ?? [];
  return ['given', 'script'].includes(name) || own.some((row) => row.path.split('/')[2] === name);
}
