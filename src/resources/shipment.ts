import * as z from 'zod';
import type { Database } from '../models/database.ts';
import { Timestamp } from '../models/fields.ts';
import { ShipmentState, type Shipment } from '../models/shipment.ts';
import { anyText, reference } from '../rest/field.ts';
import { Link, Page, pageForm } from '../rest/page.ts';
import { endpoint, findOrThrow, pageOf } from './endpoint.ts';
import { listing, type ListOrder } from './listing.ts';
import { dateIssues, filterByOrder, orderCriteria } from './order-criteria.ts';
import { ShippingMethodView, shippingMethodView } from './shipping-method.ts';
import { shareView } from '../rest/json-text.ts';
import { linkTo, views } from './view.ts';

export const ShipmentView = z
  .strictObject({
    id: z.int(),
    state: ShipmentState,
    method: ShippingMethodView.optional(),
    created_at: Timestamp,
    updated_at: Timestamp,
    _links: z.strictObject({ method: Link.optional(), order: Link, self: Link }),
  })
  .register(views, { id: 'Shipment' });
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
      const { criteria, sorting } = call.query;
      const name = criteria?.shippingAddress;
      const only = filterByOrder(db, db.shipments, criteria, 'shipping_address_id', name);
      const location = criteria?.stockLocation;
      if (location !== undefined) {
        only.among ??= db.shipments.by('location', location);
        only.where.push((shipment) => shipment.stock_location_id === location);
      }
      return pageOf(
        listing(db.shipments, order, { ...only, sorting }),
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
