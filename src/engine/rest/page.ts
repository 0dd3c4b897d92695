import * as z from 'zod';
import type { RequestTarget } from './endpoint.ts';
import { integer, oneOf } from './field.ts';
import { form, notValid, type Form } from './form.ts';
import { isOwnPath, namedPath } from '../lib/api-path.ts';
import { isObject } from '../lib/json-value.ts';
import { lazyObject } from '../lib/lazy-object.ts';
import type { ApiResponse } from './message.ts';

/** Sorted rows, read by range. */
export interface Listing<Row> {
  readonly total: number;
  slice(offset: number, limit: number): readonly Row[];
}

export interface PageQuery {
  readonly page?: number | undefined;
  readonly limit?: number | undefined;
}

const defaultLimit = 10;

/** Shared by all forms, because a schema takes longer to create than the rest of a form. */
const positive = integer({ min: 1, tooSmall: 'This value should be 1 or more.' }).optional();
const direction = oneOf(['asc', 'desc']).optional();

/** An object with a relative URL. */
export const Link = z.object({ href: z.string() });

export function link(href: string): { href: string } {
  return { href };
}

/** Creates the form of a collection: page, limit, filters (`criteria`) and sortable fields (`sorting`). */
export function pageForm<
  Criteria extends z.ZodRawShape = { readonly [Name in never]: z.ZodType },
  const Field extends string = never,
>(options: { criteria?: Criteria; sorting?: readonly Field[] } = {}) {
  // Without criteria, the type parameter is its default, which an empty object has.
  const pageFields = form({
    page: positive,
    limit: positive,
    criteria: z.object(options.criteria ?? ({} as Criteria), { error: notValid }).optional(),
    sorting: z.object(directions(options.sorting ?? []), { error: notValid }).optional(),
  });
  return {
    ...sortingAsSent(pageFields, options.sorting ?? []),
    with: (fields: z.ZodRawShape, sorting: readonly string[]): Form<unknown> =>
      pageForm({
        criteria: { ...options.criteria, ...fields },
        sorting: [...(options.sorting ?? []), ...sorting],
      }),
  };
}

/**
 * Keeps the order of `sorting` as sent: its first field is the first sort key, but a schema returns fields in its own
 * order. Directions are case-insensitive. A field is named as in the response, or in camelCase as parameters are:
 * `created_at`, `createdAt`.
 */
function sortingAsSent<Values extends { readonly sorting?: object | undefined }>(
  pageFields: Form<Values>,
  fields: readonly string[],
): Form<Values> {
  const fieldOf = new Map(fields.map((field) => [camelCase(field), field]));
  return {
    ...pageFields,
    parse(sent, unknownParameters) {
      if (!isObject(sent) || !isObject(sent['sorting']))
        return pageFields.parse(sent, unknownParameters);
      const directionOf = normalized(sent['sorting'], fieldOf);
      const parsed = pageFields.parse({ ...sent, sorting: directionOf }, unknownParameters);
      const { sorting } = parsed.values;
      if (!isObject(sorting) || parsed.issues.length > 0) return parsed;
      const sortKeys = Object.keys(directionOf)
        .map((name) => [name, sorting[name]] as const)
        .filter(([, order]) => order !== undefined);
      return { ...parsed, values: { ...parsed.values, sorting: Object.fromEntries(sortKeys) } };
    },
  };
}

/** Returns directions in lower case, by the fields of the response. */
function normalized(sorting: object, fieldOf: ReadonlyMap<string, string>): object {
  return Object.fromEntries(
    Object.entries(sorting).map(([name, value]: [string, unknown]) => [
      fieldOf.get(name) ?? name,
      typeof value === 'string' ? value.toLowerCase() : value,
    ]),
  );
}

/** `created_at` → `createdAt` */
function camelCase(field: string): string {
  return field.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function directions<Field extends string>(
  fields: readonly Field[],
): Record<Field, typeof direction> {
  return Object.fromEntries(fields.map((field) => [field, direction])) as Record<
    Field,
    typeof direction
  >;
}

/** Returns the schema of a page of items. */
export function Page<Item extends z.ZodType>(item: Item) {
  return lazyObject(() => ({
    page: z.int(),
    limit: z.int(),
    pages: z.int(),
    total: z.int(),
    _links: z.object({ self: Link, first: Link, last: Link, next: Link.optional() }),
    _embedded: z.object({ items: z.array(item) }),
  }));
}

export interface PageView<Item> {
  page: number;
  limit: number;
  pages: number;
  total: number;
  _links: { self: Link; first: Link; last: Link; next?: Link };
  _embedded: { items: Item[] };
}
type Link = z.output<typeof Link>;

/** Returns one page of a listing, in the envelope of the specification. Caps `limit` at `maxLimit`. */
export function page<Row, Item>(
  listing: Listing<Row>,
  view: (row: Row) => Item,
  { query, target, maxLimit }: { query: PageQuery; target: RequestTarget; maxLimit: number },
): PageView<Item> {
  const number = query.page ?? 1;
  const limit = Math.min(query.limit ?? defaultLimit, maxLimit);
  const pages = Math.max(1, Math.ceil(listing.total / limit));
  const to = hrefTo(target, limit);
  return {
    page: number,
    limit,
    pages,
    total: listing.total,
    _links: {
      self: to(number),
      first: to(1),
      last: to(pages),
      ...(number < pages && { next: to(number + 1) }),
    },
    _embedded: {
      items:
        number > pages ? [] : listing.slice((number - 1) * limit, limit).map((row) => view(row)),
    },
  };
}

function hrefTo({ path, query }: RequestTarget, limit: number): (page: number) => Link {
  const parameters = new URLSearchParams();
  for (const [name, value] of query === '' ? [] : new URLSearchParams(query)) {
    if (name.startsWith('criteria[') || name.startsWith('sorting[')) parameters.append(name, value);
  }
  const start = `${path.endsWith('/') ? path : `${path}/`}?${parameters.size > 0 ? `${parameters}&` : ''}`;
  return (number) => link(`${start}page=${number}&limit=${limit}`);
}

/**
 * Adds the prefix under which the API is mounted to the links of a response, in the body and in `Location`:
 * `/s/ada/api/orders/3`.
 *
 * @param prefix the path before that of the API; may be empty
 * @param apiPath the path of the API: `/api`
 */
export function prefixLinks(
  answer: ApiResponse,
  prefix: string,
  apiPath: string = namedPath,
): ApiResponse {
  if (prefix === '') return answer;
  return changeBody(withLocation(answer, prefix, apiPath), (body) =>
    body.replaceAll(`"href":"${apiPath}/`, () => `"href":"${prefix}${apiPath}/`),
  );
}

/** Changes the links of a response to records of the API, in the body and in `Location`. */
export function changeLinks(answer: ApiResponse, change: (link: string) => string): ApiResponse {
  const { location } = answer.headers;
  const moved = location === undefined ? answer : withHeader(answer, change(location));
  return changeBody(moved, (body) =>
    body.replaceAll(/"href":"(\/api\/[^"]*)/g, (_, path: string) => `"href":"${change(path)}`),
  );
}

/** JSON escapes quotes in strings, so `"href":"/api/` occurs in links only. */
function changeBody(
  { body, bodyOfGet, ...rest }: ApiResponse,
  change: (body: string) => string,
): ApiResponse {
  return {
    ...rest,
    ...(body !== undefined && { body: change(body) }),
    ...(bodyOfGet !== undefined && { bodyOfGet: change(bodyOfGet) }),
  };
}

/** Adds a prefix to the `Location` of a response, if it is a path of this server. */
export function withLocation(
  answer: ApiResponse,
  prefix: string,
  apiPath: string = namedPath,
): ApiResponse {
  const { location } = answer.headers;
  if (prefix === '' || location === undefined) return answer;
  const path = location.replace(/[?#].*/s, '');
  return isOwnPath(apiPath, path) ? withHeader(answer, `${prefix}${location}`) : answer;
}

function withHeader(answer: ApiResponse, location: string): ApiResponse {
  return { ...answer, headers: { ...answer.headers, location } };
}
