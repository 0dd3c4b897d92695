import { exactly, product, rounded } from '../checkout/fraction.ts';
import type { Shop as CheckoutShop } from '../checkout/shop.ts';
import { Problem, type FieldProblem } from '../lib/problem.ts';
import type { RequestTarget, Endpoint, EndpointRow, Method } from '../rest/endpoint.ts';
import { notValid } from '../rest/form.ts';
import { page, type Listing, type PageQuery, type PageView } from '../rest/page.ts';
import type { RestSettings } from '../rest/settings.ts';
import type { ResourceSettings } from './settings.ts';

/** The shop behind the endpoints: what the checkout moves, and what the interface needs beside it. */
export interface Shop extends CheckoutShop {
  readonly settings: CheckoutShop['settings'] & RestSettings & ResourceSettings;
  /** What hashed passwords and tokens are computed from. */
  readonly seed: number;
}

export interface ShopContext {
  readonly shop: Shop;
}

/** A row of the contract. */
export type ShopEndpoint = EndpointRow<ShopContext>;

/** Gives a row its types: method and path, path parameters, query, body, what `subject` found, the answer. */
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
 * The record that a path names.
 *
 * @throws Problem `missing`, in the words of the interface
 */
export function findOrThrow<Row>(table: Readable<Row>, id: string): Row {
  const row = /^[1-9]\d{0,14}$/.test(id) ? table.get(Number(id)) : undefined;
  if (row !== undefined) return row;
  throw missing(table.definition, id);
}

/**
 * The record that a path names below another record: the coupon of a promotion.
 *
 * @param isWithin whether a row belongs to the other record
 * @throws Problem `missing`, also for a row that belongs to another one
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

/** The problem of a parameter that names a record which does not exist; none where it is not given. */
export function mustExist(
  name: string,
  table: { get(id: number): unknown },
  ids: number | readonly number[] | undefined,
): FieldProblem | undefined {
  if (ids === undefined) return undefined;
  const areKnown =
    typeof ids === 'number'
      ? table.get(ids) !== undefined
      : ids.every((id) => table.get(id) !== undefined);
  return areKnown ? undefined : { path: [name], message: notValid };
}

/** The problem of a parameter whose value another record has. */
export function mustBeUnique(
  name: string,
  owner: { readonly id: number } | undefined,
  self: { readonly id: number } | undefined,
  message = 'This value is already used.',
): FieldProblem | undefined {
  return owner === undefined || owner.id === self?.id ? undefined : { path: [name], message };
}

/** The page of a listing that a request asks for. */
export function pageOf<Row, Item>(
  listing: Listing<Row>,
  view: (row: Row) => Item,
  call: ShopContext & { readonly query: PageQuery; readonly target: RequestTarget },
): PageView<Item> {
  const { query, target } = call;
  return page(listing, view, { query, target, maxLimit: call.shop.settings.maxLimit });
}

/** The fields that have a value; those of undefined are left out, so that a change leaves them as they are. */
export function definedOnly<Fields extends object>(
  fields: Fields,
): { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> } {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as ReturnType<typeof definedOnly<Fields>>;
}

/** An amount of a request as minor units; half a unit is rounded away from zero. */
export function minorUnits(settings: RestSettings, sent: number): number {
  const factor = settings.requestMoney === 'major' ? 100 : 1;
  return rounded(product(exactly(sent), exactly(factor)));
}
