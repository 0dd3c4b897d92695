import type { ApiDefinition, ShownIds } from '../definition/api.ts';
import { isObject, mapValues, parseJson } from '../lib/json-value.ts';
import type { BackOffice } from '../office/back-office.ts';
import type { RouteMatch } from '../rest/router.ts';
import type { RequestTarget } from '../rest/message.ts';
import { definitionsByName } from '../store/database.ts';
import type { ServerRequest } from './request-target.ts';

/** Returns the id of a record of a table; undefined for other values. */
type IdOf = (table: string | undefined, value: unknown) => number | undefined;

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
  const idOf: IdOf = (table, value) =>
    table === undefined || typeof value !== 'string' ? undefined : ids.idOf(shop, table, value);
  const { params, route } = match;
  const there = Object.entries(params).reduce((whole, [name, value]) => {
    const id = idOf(tableOf(api, ids, name, params), value);
    return id === undefined ? whole : whole.replace(value, String(id));
  }, path);
  const rows = route.methods.get(request.method) ?? [];
  // The API of an extension converts what it sets up.
  const isConverted = isOwn(api, path) && !rows.some((row) => row.isExtension);
  return {
    ...request,
    url: request.url.replace(path, () => there),
    target: undefined,
    ...(isConverted && { body: bodyInside(text, ids, idOf) }),
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

function bodyInside(text: string, { names }: ShownIds, idOf: IdOf): string {
  const json = parseJson(text);
  if (json !== undefined) return JSON.stringify(valueInside(json, '', idOf, names));
  return text.replaceAll(
    /(?<!\w)(\w+)((?:%5D|\])?=)([\da-f-]{36})/gi,
    (all, name: string, between: string, uuid: string) => {
      const id = idOf(names.get(name), uuid);
      return id === undefined ? all : `${name}${between}${id}`;
    },
  );
}

function valueInside(value: unknown, name: string, idOf: IdOf, names: ShownIds['names']): unknown {
  if (Array.isArray(value)) return value.map((one) => valueInside(one, name, idOf, names));
  if (isObject(value))
    return mapValues(value, (one, inner) => valueInside(one, inner, idOf, names));
  return idOf(names.get(name), value) ?? value;
}

/** Whether what is sent to a control endpoint has a form that the API knows: rules of its script, and its own endpoints. */
function isOwn({ control }: ApiDefinition, path: string): boolean {
  const [, , name = ''] = path.split('/');
  const own = control?.parts().endpoints ?? [];
  return ['given', 'script'].includes(name) || own.some((row) => row.path.split('/')[2] === name);
}
