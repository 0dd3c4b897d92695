import * as z from 'zod';
import { Configuration, Timestamp } from '../../engine/lib/fields.ts';
import { ShippingMethod, ShipmentState, type Shipment } from '../models/shipment.ts';
import { Link, pageForm } from '../../engine/rest/page.ts';
import { deletableRows, linkTo, listedRows, defineView } from './endpoint.ts';
import { shownFields, stampsOf } from '../../engine/definition/shown-fields.ts';
import { byId, listing, type ListOrder } from '../../engine/definition/listing.ts';
import type { Database } from '../models/database.ts';
import { anyText, reference } from '../../engine/rest/field.ts';
import { dateIssues, filterByOrder, orderCriteria } from './order-criteria.ts';

const shown = shownFields(ShippingMethod, 'name', 'enabled', 'calculator', 'category_requirement');

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

export const shippingMethodEndpoints = listedRows({
  path: '/api/shipping-methods/',
  recordPath: '/api/shipping-methods/:id',
  summary: { one: 'shipping method' },
  isExtra: true,
  example: { list: '?limit=2' },
  table: ({ db }) => db.shippingMethods,
  query: pageForm({ sorting: [...shown.names, 'created_at', 'updated_at'] }),
  list: (call) => listing(call.shop.db.shippingMethods, byId, call),
  view: ShippingMethodView,
  show: shippingMethodView,
});

export function shippingMethodView(method: ShippingMethod): ShippingMethodView {
  return {
    ...shown.of(method),
    configuration: method.configuration,
    ...stampsOf(method),
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

export const shipmentEndpoints = deletableRows({
  path: '/api/shipments/',
  recordPath: '/api/shipments/:shipment_id',
  summary: { one: 'shipment', list: 'List shipments, newest first' },
  example: { list: '?criteria[stockLocation]=1&limit=2', deleted: 2 },
  table: ({ db }) => db.shipments,
  query: pageForm({
    criteria: {
      ...orderCriteria,
      stockLocation: reference('stockLocations').optional(),
      shippingAddress: anyText().optional(),
    },
    sorting: ['id', 'state', 'created_at', 'updated_at'],
  }),
  checkQuery: ({ criteria }) => dateIssues(criteria),
  list(call) {
    const { db } = call.shop;
    const { criteria } = call.query;
    const name = criteria?.shippingAddress;
    const only = filterByOrder(db, db.shipments, criteria, 'shipping_address_id', name);
    const location = criteria?.stockLocation;
    if (location !== undefined) {
      only.among ??= db.shipments.by('location', location);
      only.where.push((shipment) => shipment.stock_location_id === location);
    }
    return listing(db.shipments, order, call, only);
  },
  view: ShipmentView,
  show: (shipment, { db }) => shipmentView(db, shipment),
  beforeDelete({ id }, { db }) {
    for (const unit of db.inventoryUnits.by('shipment', id)) {
      db.inventoryUnits.change(unit.id, { shipment_id: undefined });
    }
  },
});

export function shipmentView(db: Database, shipment: Shipment): ShipmentView {
  const method =
    shipment.method_id === undefined
      ? undefined
      : db.shippingMethods.getWithDeleted(shipment.method_id);
  return {
    id: shipment.id,
    state: shipment.state,
    ...(method !== undefined && { method: shippingMethodView(method) }),
    ...stampsOf(shipment),
    _links: {
      ...(method !== undefined && { method: linkTo('shipping-methods', method.id) }),
      order: linkTo('orders', shipment.order_id),
      self: linkTo('shipments', shipment.id),
    },
  };
}
