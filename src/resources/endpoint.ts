import * as z from 'zod';
import type { TableName } from '../models/database.ts';
import { exactly, product, rounded } from '../lib/numbers.ts';
import type { Shop as CheckoutShop } from '../checkout/shop.ts';
import type { EngineShop } from '../definition/api.ts';
import { Problem, type FieldIssue } from '../lib/problem.ts';
import type {
  RequestTarget,
  Endpoint,
  EndpointRow,
  Method,
  RestSettings,
} from '../rest/endpoint.ts';
import { notValid } from '../rest/form.ts';
import { lazyStrictObject } from '../lib/lazy-object.ts';
import type { ViewTexts } from '../rest/cached-view.ts';
import { page, type Listing, type PageQuery, type PageView } from '../rest/page.ts';

/** The names of views in documents. */
export const views = z.registry<{ id: string }>();

/** Creates the schema of a view, with its name in documents. */
export function defineView<Shape extends z.ZodRawShape>(id: string, shape: () => Shape) {
  return lazyStrictObject(shape).register(views, { id });
}

type Hyphenated<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `-${Lowercase<First>}`}${Hyphenated<Rest>}`
  : Name;

/** A table's name as paths write it: `payment-methods`. */
type Collection = Hyphenated<TableName>;

/** Returns a link to a record, or to a collection or a record below it: `linkTo('countries', 16, 'provinces', 1)`. */
export function linkTo(collection: Collection, id: number, below?: Collection, belowId?: number) {
  const href = `/api/${collection}/${id}`;
  return { href: below === undefined ? href : `${href}/${below}/${belowId ?? ''}` };
}

/** Settings of authentication and responses. */
export const ResourceSettings = z.strictObject({
  auth: z
    .enum(['none', 'oauth2'])
    .default('none')
    .describe(
      'Authentication under `/api`: `oauth2` requires a token from `/oauth/v2/token`, which issues tokens either way',
    ),
  listCarts: z
    .boolean()
    .default(false)
    .describe('Whether `GET /api/orders/` includes carts; a single cart can be read either way'),
  declinedStatus: z
    .union([z.literal(200), z.literal(402)])
    .default(200)
    .describe('Status of a declined purchase; the body is the full order either way'),
});
export type ResourceSettings = z.output<typeof ResourceSettings>;

/** The data and settings that endpoints use: those of the checkout, and those of the REST API. */
export interface Shop extends CheckoutShop {
  settings: CheckoutShop['settings'] & ResourceSettings;
}

/** Returns a shop with the tables and settings of the store. Back offices of `storeApi` have them. */
export function storeShop<One extends EngineShop>(shop: One): One & Shop {
  return shop as One & Shop;
}

export interface ShopContext {
  readonly shop: Shop;
  /** The cache of the texts of orders (default: none). */
  readonly texts?: ViewTexts | undefined;
}

/** A row of the contract. */
export type ShopEndpoint = EndpointRow<ShopContext>;

/** Infers the types of a row: method, path and its parameters, query, body, subject and response. */
export function endpoint<
  Path extends string,
  Query,
  Body,
  Subject,
  Answer,
  Verb extends Method = Method,
>(
  row: Endpoint<ShopContext, Path, Query, Body, Subject, Answer, Verb>,
): Endpoint<ShopContext, Path, Query, Body, Subject, Answer, Verb> {
  return row;
}

/**
 * Returns the record with the id of a path.
 *
 * @throws Problem `missing`, with the text of the specification
 */
export function findOrThrow<Row>(table: Readable<Row>, id: string): Row {
  const row = /^[1-9]\d{0,14}$/.test(id) ? table.get(Number(id)) : undefined;
  if (row !== undefined) return row;
  throw missing(table.definition, id);
}

/**
 * Returns the record with the id of a nested path, such as a coupon of a promotion.
 *
 * @param isWithin whether a row belongs to the parent record
 * @throws Problem `missing`, also for a row of another parent
 */
export function findChildOrThrow<Row>(
  table: Readable<Row>,
  id: string,
  isWithin: (row: Row) => boolean,
): Row {
  const row = findOrThrow(table, id);
  if (isWithin(row)) return row;
  throw missing(table.definition, id);
}

interface Readable<Row> {
  get(id: number): Row | undefined;
  readonly definition: { readonly singular: string };
}

function missing({ singular }: Readable<unknown>['definition'], id: string): Problem {
  return new Problem(
    'missing',
    `Requested ${singular} does not exist with these criteria: ${JSON.stringify({ id })}.`,
  );
}

/** Returns an issue if a parameter refers to a record that does not exist. */
export function mustExist(
  name: string,
  table: { get(id: number): unknown },
  ids: number | readonly number[] | undefined,
): FieldIssue | undefined {
  if (ids === undefined) return undefined;
  const exist =
    typeof ids === 'number'
      ? table.get(ids) !== undefined
      : ids.every((id) => table.get(id) !== undefined);
  return exist ? undefined : { path: [name], message: notValid };
}

/** Returns an issue if another record has the value of a unique parameter. */
export function mustBeUnique(
  name: string,
  owner: { readonly id: number } | undefined,
  self: { readonly id: number } | undefined,
  message = 'This value is already used.',
): FieldIssue | undefined {
  return owner === undefined || owner.id === self?.id ? undefined : { path: [name], message };
}

/** Returns the requested page of a listing. */
export function pageOf<Row, Item>(
  listing: Listing<Row>,
  view: (row: Row) => Item,
  call: ShopContext & { readonly query: PageQuery; readonly target: RequestTarget },
): PageView<Item> {
  const { query, target } = call;
  return page(listing, view, { query, target, maxLimit: call.shop.settings.maxLimit });
}

/** Removes fields with the value undefined, so that a change leaves them unchanged. */
export function definedOnly<Fields extends object>(
  fields: Fields,
): { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> } {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as ReturnType<typeof definedOnly<Fields>>;
}

/** Converts an amount of a request to minor units, rounding half away from zero. */
export function minorUnits({ requestMoney }: RestSettings, sent: number): number {
  if (requestMoney === 'major') return rounded(product(exactly(sent), exactly(100)));
  // The sum turns -0 into 0.
  return Number.isInteger(sent) ? sent + 0 : rounded(exactly(sent));
}
