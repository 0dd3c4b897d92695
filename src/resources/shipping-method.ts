import * as z from 'zod';
import { Configuration, Timestamp } from '../models/fields.ts';
import type { ShippingMethod } from '../models/shipment.ts';
import { Link, Page, pageForm } from '../rest/page.ts';
import { endpoint, findOrThrow, pageOf } from './endpoint.ts';
import { listing, type ListOrder } from './listing.ts';
import { linkTo, views } from './view.ts';

export const ShippingMethodView = z
  .strictObject({
    id: z.int(),
    name: z.string(),
    enabled: z.boolean(),
    calculator: z.string(),
    category_requirement: z.int(),
    configuration: Configuration,
    created_at: Timestamp,
    updated_at: Timestamp,
    _links: z.strictObject({ self: Link, zone: Link }),
  })
  .register(views, { id: 'ShippingMethod' });
export type ShippingMethodView = z.output<typeof ShippingMethodView>;

const order: ListOrder<ShippingMethod, never> = { fields: [['id', 'asc']] };

export const shippingMethodEndpoints = [
  endpoint({
    method: 'GET',
    path: '/api/shipping-methods/',
    summary: 'List shipping methods',
    isExtra: true,
    query: pageForm({
      sorting: [
        'id',
        'name',
        'enabled',
        'calculator',
        'category_requirement',
        'created_at',
        'updated_at',
      ],
    }),
    status: 200,
    answer: Page(ShippingMethodView),
    errors: ['invalid'],
    example: { url: '/api/shipping-methods/?limit=2' },
    handle(call) {
      const methods = listing(call.shop.db.shippingMethods, order, { sorting: call.query.sorting });
      return pageOf(methods, shippingMethodView, call);
    },
  }),
  endpoint({
    method: 'GET',
    path: '/api/shipping-methods/:id',
    summary: 'Read a shipping method',
    isExtra: true,
    status: 200,
    answer: ShippingMethodView,
    errors: ['missing'],
    example: { url: '/api/shipping-methods/1' },
    handle: ({ shop, params }) =>
      shippingMethodView(findOrThrow(shop.db.shippingMethods, params.id)),
  }),
];

export function shippingMethodView(method: ShippingMethod): ShippingMethodView {
  return {
    id: method.id,
    name: method.name,
    enabled: method.enabled,
    calculator: method.calculator,
    category_requirement: method.category_requirement,
    configuration: method.configuration,
    created_at: method.created_at,
    updated_at: method.updated_at,
    _links: { self: linkTo('shipping-methods', method.id), zone: linkTo('zones', method.zone_id) },
  };
}
