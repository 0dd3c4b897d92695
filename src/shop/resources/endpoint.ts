import * as z from 'zod';
import type { TableName } from '../models/database.ts';
import type { Shop as CheckoutShop } from '../checkout/shop.ts';
import type { ApiContext, EngineShop } from '../../engine/definition/api.ts';
import {
  deletableRowsFor,
  listedRowsFor,
  resourceRowsFor,
  rowOf,
} from '../../engine/definition/resource-rows.ts';
import type { EndpointRow } from '../../engine/rest/endpoint.ts';
import type { Snake } from '../../engine/lib/names.ts';
import { lazyStrictObject } from '../../engine/lib/lazy-object.ts';

/** The names of views in documents. */
export const views = z.registry<{ id: string }>();

/** Creates the schema of a view, with its name in documents. */
export function defineView<Shape extends z.ZodRawShape>(id: string, shape: () => Shape) {
  return lazyStrictObject(shape).register(views, { id });
}

/** A table's name as paths write it: `payment-methods`. */
type Collection = Snake<TableName, '-'>;

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
  readonly where?: ApiContext['where'];
}

/** A row of the contract. */
export type ShopEndpoint = EndpointRow<ShopContext>;

/** Infers the types of a row: method, path and its parameters, query, body, subject and response. */
export const endpoint = rowOf<ShopContext>();

export const listedRows = listedRowsFor<ShopContext>();
export const deletableRows = deletableRowsFor<ShopContext>();
export const resourceRows = resourceRowsFor<ShopContext>();
