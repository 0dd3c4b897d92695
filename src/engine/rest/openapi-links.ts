import { operationIdOf } from './operation-id.ts';
import type { JsonObject } from '../lib/json-value.ts';
import type { Schemas } from './openapi-schemas.ts';
import type { Row } from './openapi-responses.ts';

/**
 * Returns the links of a response: operations whose path parameters are in it. A record leads to the operations on
 * itself, such as those on the items of an order, and a list of records in it to the first of them.
 */
export function linksOf(row: Row, rows: readonly Row[], schemas: Schemas): JsonObject | undefined {
  const record = recordPath(row, rows);
  const shape = row.answer === undefined ? {} : schemas.propertiesOf(row.answer);
  if (record === undefined || !('id' in shape)) return undefined;
  const own = parametersIn(record);
  const last = own.at(-1) ?? '';
  const values = Object.fromEntries(
    own.map((name) => [name, name === last ? '$response.body#/id' : `$request.path.${name}`]),
  );
  const ofRecord = rows
    .filter((one) => isOn(one, record, last))
    .map((one) => [one, values] as const);
  const ofParts = Object.keys(shape).flatMap((name) =>
    rows
      .filter((one) => one.method === 'GET' && itemOf(one.path) === `/api/${name}`)
      .map((one) => [one, firstOf(name, one)] as const),
  );
  const links = [...ofRecord, ...ofParts].map(([one, parameters]) => {
    const operationId = operationIdOf(one);
    return [operationId, { operationId, parameters, description: one.summary }] as const;
  });
  return links.length === 0 ? undefined : Object.fromEntries(links);
}

/** Returns the path of the record in the response: `/api/orders/:order_id`. */
function recordPath({ method, path }: Row, rows: readonly Row[]): string | undefined {
  const bare = path.replace(/\/$/, '');
  if (/\/:\w+$/.test(bare)) return method === 'GET' ? bare : undefined;
  if (method !== 'POST') return undefined;
  const record = rows.find((row) => row.method === 'GET' && itemOf(row.path) === bare);
  return record?.path.replace(/\/$/, '');
}

/** Returns the path of the collection of a record. */
function itemOf(path: string): string | undefined {
  return /^(.*)\/:\w+\/?$/.exec(path)?.[1];
}

/** Whether an operation takes the record, and nothing else, by its path. */
function isOn({ path }: Row, record: string, parameter: string): boolean {
  const names = parametersIn(path);
  if (path.startsWith(`${record}/`) || path === record) {
    return names.length === parametersIn(record).length;
  }
  return parameter !== 'id' && names.length === 1 && names[0] === parameter;
}

function firstOf(name: string, row: Row): JsonObject {
  return { [parametersIn(row.path)[0] ?? '']: `$response.body#/${name}/0/id` };
}

function parametersIn(path: string): string[] {
  return Array.from(path.matchAll(/:(\w+)/g), ([, name = '']) => name);
}
