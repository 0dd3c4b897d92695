import type * as z from 'zod';
import type { FieldIssue } from '../lib/problem.ts';
import type { Endpoint, Example, Method, PartiallyValid, RestSettings } from '../rest/endpoint.ts';
import type { Form } from '../rest/form.ts';
import { Page, type Listing, type PageQuery } from '../rest/page.ts';
import { findOrThrow, pageOf, type Readable } from './records.ts';

/** The part of a context that the rows of any API use. */
interface AnyContext {
  readonly shop: { readonly settings: RestSettings };
}

export interface Identified {
  readonly id: number;
}

/** A resource whose records clients list, read and perhaps delete. */
export interface ListedResource<
  Context extends AnyContext,
  Path extends string,
  RecordPath extends string,
  Row extends Identified,
  Query,
  View,
> {
  /** The path of the collection: `/api/channels/`. */
  readonly path: Path;
  /** The path of a record: `/api/channels/:id`. */
  readonly recordPath: RecordPath;
  /** Marks endpoints that the specification lacks. */
  readonly isExtra?: boolean;
  /** The name of one record in summaries, and the summaries that do not follow from it. */
  readonly summary: { readonly one: string } & Readonly<
    Partial<Record<'list' | 'read' | 'create' | 'delete', string>>
  >;
  readonly example?: {
    /** The query of a list: `?limit=2`. */
    readonly list?: string;
    readonly create?: Example['body'];
    readonly change?: Example['body'];
    /** The id of a record to delete (default: 1). */
    readonly deleted?: number;
  };
  table(shop: Context['shop']): Readable<Row> & { remove(id: number): unknown };
  readonly query: Form<Query>;
  checkQuery?(query: Query): readonly FieldIssue[];
  /** Returns the records that a request asks for. */
  list(call: Context & { readonly query: Query }): Listing<Row>;
  readonly view: z.ZodType<View>;
  show(record: Row, shop: Context['shop']): View;
  /** Deletes, or releases, what belongs to a record that is then deleted. */
  beforeDelete?(record: Row, shop: Context['shop']): void;
}

/** A resource whose records clients also create and change. */
export interface WrittenResource<
  Context extends AnyContext,
  Path extends string,
  RecordPath extends string,
  Row extends Identified,
  Query,
  View,
  Body extends Change,
  Change,
  Created,
> extends ListedResource<Context, Path, RecordPath, Row, Query, View> {
  readonly forms: {
    readonly POST: Form<Body>;
    readonly PUT: Form<Change>;
    readonly PATCH: Form<Change>;
  };
  /** The schema of the response to a creation. */
  readonly created: z.ZodType<Created>;
  /** @param self the record to change, unless one is to be created */
  check?(
    call: Context & { readonly body: PartiallyValid<Change> },
    self?: Row,
  ): readonly (FieldIssue | undefined)[];
  /** Creates a record, and returns what shows it. */
  create(call: Context & { readonly body: Body }): NoInfer<Created>;
  change(
    call: Context & { readonly body: Change; readonly subject: Row },
    method: 'PUT' | 'PATCH',
  ): void;
}

/** Returns a function that infers the types of a row in a context. */
export function rowOf<Context>() {
  return <Path extends string, Query, Body, Subject, Answer, Verb extends Method = Method>(
    row: Endpoint<Context, Path, Query, Body, Subject, Answer, Verb>,
  ): Endpoint<Context, Path, Query, Body, Subject, Answer, Verb> => row;
}

/** Returns the function that creates the endpoints of records that clients list and read, in a context. */
export function listedRowsFor<Context extends AnyContext>() {
  const endpoint = rowOf<Context>();
  return <
    const Path extends string,
    const RecordPath extends string,
    Row extends Identified,
    Query extends PageQuery,
    View extends object,
  >(
    resource: ListedResource<Context, Path, RecordPath, Row, Query, View>,
  ) => {
    const { path, recordPath, view, isExtra } = resource;
    const extra = isExtra && { isExtra };
    const list = endpoint({
      method: 'GET',
      path,
      summary: resource.summary.list ?? `List ${path.split('/')[2]?.replaceAll('-', ' ')}`,
      ...extra,
      query: resource.query,
      status: 200,
      answer: Page(view),
      errors: ['invalid'],
      example: { url: `${path}${resource.example?.list ?? ''}` },
      check: ({ query }) => resource.checkQuery?.(query) ?? [],
      handle: (call) => pageOf(resource.list(call), (row) => resource.show(row, call.shop), call),
    });
    const read = endpoint({
      method: 'GET',
      path: recordPath,
      summary: resource.summary.read ?? `Read a ${resource.summary.one}`,
      ...extra,
      status: 200,
      answer: view,
      errors: ['missing'],
      example: { url: urlOf(recordPath, 1) },
      handle: (call) => resource.show(recordAt(resource, call), call.shop),
    });
    return [list, read] as const;
  };
}

/** Returns the function that creates the endpoints of records that clients list, read and delete, in a context. */
export function deletableRowsFor<Context extends AnyContext>() {
  const endpoint = rowOf<Context>();
  const listedRows = listedRowsFor<Context>();
  return <
    const Path extends string,
    const RecordPath extends string,
    Row extends Identified,
    Query extends PageQuery,
    View extends object,
  >(
    resource: ListedResource<Context, Path, RecordPath, Row, Query, View>,
  ) => {
    const { recordPath } = resource;
    const remove = endpoint({
      method: 'DELETE',
      path: recordPath,
      summary: resource.summary.delete ?? `Delete a ${resource.summary.one}`,
      status: 204,
      answer: undefined,
      errors: ['missing'],
      example: { url: urlOf(recordPath, resource.example?.deleted ?? 1) },
      handle(call) {
        const record = recordAt(resource, call);
        resource.beforeDelete?.(record, call.shop);
        resource.table(call.shop).remove(record.id);
      },
    });
    return [...listedRows(resource), remove] as const;
  };
}

/** Returns the function that creates all six endpoints of a resource, in a context. */
export function resourceRowsFor<Context extends AnyContext>() {
  const endpoint = rowOf<Context>();
  const deletableRows = deletableRowsFor<Context>();
  return <
    const Path extends string,
    const RecordPath extends string,
    Row extends Identified,
    Query extends PageQuery,
    View extends object,
    Body extends Change,
    Change,
    Created extends Identified,
  >(
    resource: WrittenResource<Context, Path, RecordPath, Row, Query, View, Body, Change, Created>,
  ) => {
    const { path, recordPath, forms } = resource;
    const [list, read, remove] = deletableRows(resource);
    const create = endpoint({
      method: 'POST',
      path,
      summary: resource.summary.create ?? `Create a ${resource.summary.one}`,
      body: forms.POST,
      status: 201,
      answer: resource.created,
      errors: ['invalid'],
      example: exampleOf(path, resource.example?.create),
      check: (call) => resource.check?.(call) ?? [],
      handle: (call) => resource.create(call),
      location: ({ id }) => urlOf(recordPath, id),
    });
    const update = (method: 'PUT' | 'PATCH') =>
      endpoint({
        method,
        path: recordPath,
        summary: `Update ${method === 'PUT' ? '' : 'some fields of '}a ${resource.summary.one}`,
        body: forms[method],
        status: 204,
        answer: undefined,
        errors: ['missing', 'invalid'],
        example: exampleOf(urlOf(recordPath, 1), resource.example?.change),
        subject: (call) => recordAt(resource, call),
        check: (call) => resource.check?.(call, call.subject) ?? [],
        handle: (call) => resource.change(call, method),
      });
    return [list, read, create, update('PUT'), update('PATCH'), remove] as const;
  };
}

function recordAt<Shop, Row>(
  resource: { table(shop: Shop): Readable<Row> },
  { shop, params }: { readonly shop: Shop; readonly params: object },
): Row {
  return findOrThrow(resource.table(shop), String(Object.values(params).at(-1)));
}

/** Returns the URL of a record: `/api/channels/3`. */
function urlOf(recordPath: string, id: number): string {
  return recordPath.replace(/:\w+/, String(id));
}

function exampleOf(url: string, body: Example['body']): Example {
  return body ? { url, body } : { url };
}
