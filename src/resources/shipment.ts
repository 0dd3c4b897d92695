import * as z from 'zod';
import { Configuration, Timestamp } from '../lib/fields.ts';
import { type ShippingMethod, ShipmentState, type Shipment } from '../models/shipment.ts';
import { Link, Page, pageForm } from '../rest/page.ts';
import { findOrThrow, pageOf } from '../definition/records.ts';
import { endpoint, linkTo, defineView } from './endpoint.ts';
import { byId, listing, type ListOrder } from '../definition/listing.ts';
import type { Database } from '../models/database.ts';
import { anyText, reference } from '../rest/field.ts';
import { dateIssues, filterByOrder, orderCriteria } from './order-criteria.ts';
import { shareView } from '../rest/json.ts';

export const ShippingMethodView = defineView('ShippingMethod', () => ({
  id: z.int(),
  name: z.string(),
  enabled: z.boolean(),
  calculator: z.string(),
  category_requirement: z.int(),
  configuration: Configuration,
  created_at: Timestamp,
  updated_at: Timestamp,
  _links: z.strictObject({ self: Link, zone: Link }),
}));
export type ShippingMethodView = z.output<typeof ShippingMethodView>;

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
      const methods = listing(call.shop.db.shippingMethods, byId, call);
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

export const ShipmentView = defineView('Shipment', () => ({
  id: z.int(),
  state: ShipmentState,
  method: ShippingMethodView.optional(),
  created_at: Timestamp,
  updated_at: Timestamp,
  _links: z.strictObject({ method: Link.optional(), order: Link, self: Link }),
}));
export type ShipmentView = z.output<typeof ShipmentView>;

const order: ListOrder<Shipment, 'recent'> = {
  by: 'recent',
  fields: [
    ['updated_at', 'desc'],
    ['created_at', 'desc'],
    ['id', 'desc'],
  ],
};

export const shipmentEndpoints = [
  endpoint({
    method: 'GET',
    path: '/api/shipments/',
    summary: 'List shipments, newest first',
    query: pageForm({
      criteria: {
        ...orderCriteria,
        stockLocation: reference().optional(),
        shippingAddress: anyText().optional(),
      },
      sorting: ['id', 'state', 'created_at', 'updated_at'],
    }),
    status: 200,
    answer: Page(ShipmentView),
    errors: ['invalid'],
    example: { url: '/api/shipments/?criteria[stockLocation]=1&limit=2' },
    check: ({ query }) => dateIssues(query.criteria),
    handle(call) {
      const { db } = call.shop;
      const { criteria } = call.query;
      const name = criteria?.shippingAddress;
      const only = filterByOrder(db, db.shipments, criteria, 'shipping_address_id', name);
      const location = criteria?.stockLocation;
      if (location !== undefined) {
        only.among ??= db.shipments.by('location', location);
        only.where.push((shipment) => shipment.stock_location_id === location);
      }
      return pageOf(
        listing(db.shipments, order, call, only),
        (shipment) => shipmentView(db, shipment),
        call,
      );
    },
  }),
  endpoint({
    method: 'GET',
    path: '/api/shipments/:shipment_id',
    summary: 'Read a shipment',
    status: 200,
    answer: ShipmentView,
    errors: ['missing'],
    example: { url: '/api/shipments/1' },
    handle: ({ shop, params }) =>
      shipmentView(shop.db, findOrThrow(shop.db.shipments, params.shipment_id)),
  }),
  endpoint({
    method: 'DELETE',
    path: '/api/shipments/:shipment_id',
    summary: 'Delete a shipment',
    status: 204,
    answer: undefined,
    errors: ['missing'],
    example: { url: '/api/shipments/2' },
    handle({ shop: { db }, params }) {
      const { id } = findOrThrow(db.shipments, params.shipment_id);
      for (const unit of db.inventoryUnits.by('shipment', id)) {
        db.inventoryUnits.change(unit.id, { shipment_id: undefined });
      }
      db.shipments.remove(id);
    },
  }),
];

const shareMethod = shareView<ShippingMethodView>();

export function shipmentView(db: Database, shipment: Shipment): ShipmentView {
  const method =
    shipment.method_id === undefined
      ? undefined
      : db.shippingMethods.getWithDeleted(shipment.method_id);
  return {
    id: shipment.id,
    state: shipment.state,
    ...(method !== undefined && {
      method: shareMethod(method, [], () => shippingMethodView(method)),
    }),
    created_at: shipment.created_at,
    updated_at: shipment.updated_at,
    _links: {
      ...(method !== undefined && { method: linkTo('shipping-methods', method.id) }),
      order: linkTo('orders', shipment.order_id),
      self: linkTo('shipments', shipment.id),
    },
  };
}
