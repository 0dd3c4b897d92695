import type { ApiContext, ApiEndpoint } from '../definition/api.ts';
import { byId, listing } from '../definition/listing.ts';
import { findOrThrow, mustBeUnique, pageOf } from '../definition/records.ts';
import type { FieldIssue } from '../lib/problem.ts';
import type { AnyCall } from '../rest/endpoint.ts';
import { form, partialForm } from '../rest/form.ts';
import { Page, pageForm } from '../rest/page.ts';
import type { Row } from '../store/row.ts';
import {
  bodyShape,
  criteriaShape,
  exampleBody,
  filterOf,
  referenceIssues,
  sortedFields,
  storedValues,
} from './field-set.ts';
import { endpoint, pathOf, tableOf } from './resource-parts.ts';
import type { ResourceOptions, ResourceViews } from './resource.ts';

/** A resource and its table. */
interface Served {
  readonly key: string;
  readonly options: ResourceOptions;
  readonly views: ResourceViews;
  /** The path of the collection. */
  readonly collection: string;
}

type RecordCall = Pick<AnyCall<ApiContext>, 'shop' | 'params'>;

/** A call whose parameters the form of the resource has parsed. */
type FieldCall = Pick<AnyCall<ApiContext>, 'shop' | 'body'>;

/** Creates the endpoints that every resource has. */
export function resourceEndpoints(
  key: string,
  options: ResourceOptions,
  views: ResourceViews,
): ApiEndpoint[] {
  const served = { key, options, views, collection: pathOf(key) };
  return [
    listRow(served),
    readRow(served),
    createRow(served),
    updateRow(served, 'PUT'),
    updateRow(served, 'PATCH'),
    deleteRow(served),
  ];
}

function subjectOf({ key }: Served, call: RecordCall): Row {
  return findOrThrow(tableOf(call, key), call.params['id'] ?? '');
}

function viewOf({ views }: Served) {
  return Object.values(views.views)[0];
}

function shownBy({ views }: Served, { shop }: Pick<ApiContext, 'shop'>, record: Row): unknown {
  return views.show(shop, record as never);
}

interface ListQuery {
  readonly criteria?: object;
  readonly sorting?: Readonly<Record<string, 'asc' | 'desc'>>;
}

function listRow(served: Served): ApiEndpoint {
  const { key, collection, options } = served;
  const { fields } = options;
  return endpoint({
    method: 'GET',
    path: collection,
    summary: `List ${collection.slice('/api/'.length, -1).replaceAll('-', ' ')}`,
    query: pageForm({
      criteria: criteriaShape(fields),
      sorting: ['id', ...sortedFields(fields), 'created_at', 'updated_at'],
    }),
    status: 200,
    answer: Page(viewOf(served)!),
    errors: ['invalid'],
    example: { url: collection },
    handle(call) {
      const { criteria, sorting } = call.query as ListQuery;
      const { where } = call;
      const only = { where: [filterOf(fields, criteria)] };
      const rows = listing(tableOf(call, key), byId, { query: { sorting }, where }, only);
      return pageOf(rows, (row) => shownBy(served, call, row), call);
    },
  });
}

function readRow(served: Served): ApiEndpoint {
  const { collection, options } = served;
  return endpoint({
    method: 'GET',
    path: `${collection}:id`,
    summary: `Read a ${options.singular}`,
    status: 200,
    answer: viewOf(served),
    errors: ['missing'],
    example: { url: `${collection}1` },
    handle: (call) => shownBy(served, call, subjectOf(served, call)),
  });
}

function createRow(served: Served): ApiEndpoint {
  const { key, collection, options } = served;
  const { singular, fields } = options;
  return endpoint({
    method: 'POST',
    path: collection,
    summary: `Create a ${singular}`,
    body: form(bodyShape(fields)),
    status: 201,
    answer: viewOf(served),
    errors: ['invalid'],
    example: { url: collection, body: exampleBody(fields) },
    check: (call) => issuesIn(served, call),
    handle(call) {
      const values = storedValues(fields, call.body, 'POST', call.shop.settings);
      return shownBy(served, call, tableOf(call, key).add(values));
    },
    location: (value) => `${collection}${(value as Row).id}`,
  });
}

function updateRow(served: Served, method: 'PUT' | 'PATCH'): ApiEndpoint {
  const { key, collection, options } = served;
  const { singular, fields } = options;
  return endpoint({
    method,
    path: `${collection}:id`,
    summary: method === 'PUT' ? `Update a ${singular}` : `Update some fields of a ${singular}`,
    body: method === 'PUT' ? form(bodyShape(fields)) : partialForm(bodyShape(fields)),
    status: 204,
    answer: undefined,
    errors: ['missing', 'invalid'],
    example: { url: `${collection}1`, body: exampleBody(fields) },
    subject: (call) => subjectOf(served, call),
    check: (call) => issuesIn(served, call, call.subject),
    handle(call) {
      const values = storedValues(fields, call.body, method, call.shop.settings);
      tableOf(call, key).change(call.subject.id, values);
    },
  });
}

function deleteRow(served: Served): ApiEndpoint {
  const { key, collection, options } = served;
  return endpoint({
    method: 'DELETE',
    path: `${collection}:id`,
    summary: `Delete a ${options.singular}`,
    status: 204,
    answer: undefined,
    errors: ['missing'],
    example: { url: `${collection}1` },
    handle: (call) => void tableOf(call, key).remove(subjectOf(served, call).id),
  });
}

function issuesIn(
  { key, options: { fields, unique = {} } }: Served,
  call: FieldCall,
  self?: Row,
): (FieldIssue | undefined)[] {
  const table = tableOf(call, key);
  const { defaults, unique: keys = {} } = table.definition as {
    readonly defaults?: object;
    readonly unique?: Readonly<Record<string, (row: object) => string | undefined>>;
  };
  const values = storedValues(fields, call.body, 'PATCH', call.shop.settings);
  const taken = Object.keys(unique).map((name) => {
    const text = keys[name]?.({ ...defaults, ...self, ...values });
    const owner = text === undefined ? undefined : table.findUnique(name as never, text);
    return mustBeUnique(name, owner, self);
  });
  return [...referenceIssues(fields, call.shop.db, call.body), ...taken];
}
