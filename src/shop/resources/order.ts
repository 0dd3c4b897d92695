import * as z from 'zod';
import { createOrder, deleteOrder } from '../checkout/cart.ts';
import { CheckoutState, OrderState, type Order } from '../models/order.ts';
import type { Database } from '../models/database.ts';
import { Timestamp } from '../../engine/lib/fields.ts';
import { anyText, reference, referred } from '../../engine/rest/field.ts';
import { form, notValid } from '../../engine/rest/form.ts';
import { Page, pageForm } from '../../engine/rest/page.ts';
import { AddressView, addressView } from './address.ts';
import {
  ChannelInCheckoutView,
  channelInCheckoutView,
  ChannelInOrderView,
  channelInOrderView,
} from './channel.ts';
import { findOrThrow, pageOf, mustExist } from '../../engine/definition/records.ts';
import { endpoint, linkTo, defineView } from './endpoint.ts';
import { listing, type ListOrder } from '../../engine/definition/listing.ts';
import { AdjustmentView, adjustmentView, OrderItemView, orderItemView } from './order-item.ts';
import { PaymentView, paymentView } from './payment.ts';
import { ShipmentView, shipmentView } from './shipment.ts';
import { userFieldsInOrder, UserInOrderView, userInOrderView } from './user.ts';

export const OrderView = defineView('Order', () => ({
  id: z.int(),
  number: z.string().optional(),
  completed_at: Timestamp.optional(),
  items: z.array(OrderItemView),
  items_total: z.int(),
  adjustments: z.array(AdjustmentView),
  adjustments_total: z.int(),
  comments: z.array(z.never()),
  total: z.int(),
  confirmed: z.boolean(),
  state: OrderState,
  checkout_state: CheckoutState,
  email: z.string(),
  expires_at: Timestamp,
  user: UserInOrderView.optional(),
  channel: ChannelInOrderView.optional(),
  shipping_address: AddressView.optional(),
  billing_address: AddressView.optional(),
  payments: z.array(PaymentView),
  shipments: z.array(ShipmentView),
  currency: z.string(),
  created_at: Timestamp,
  updated_at: Timestamp,
}));
export type OrderView = z.output<typeof OrderView>;

/** An order in a checkout response: its channel has a link. */
export const OrderInCheckoutView = defineView('OrderInCheckout', () => ({
  ...OrderView.shape,
  channel: ChannelInCheckoutView.optional(),
}));
export type OrderInCheckoutView = z.output<typeof OrderInCheckoutView>;

export const newestFirst = [
  ['updated_at', 'desc'],
  ['created_at', 'desc'],
  ['id', 'desc'],
] as const;
const allOrders: ListOrder<Order, 'recent'> = { by: 'recent', fields: newestFirst };
const placedOrders: ListOrder<Order, 'placed'> = { by: 'placed', fields: newestFirst };

/** The parameters of a list of orders. */
export const orderPageForm = pageForm({
  sorting: [
    'id',
    'number',
    'completed_at',
    'items_total',
    'adjustments_total',
    'total',
    'confirmed',
    'state',
    'checkout_state',
    'email',
    'expires_at',
    'currency',
    'created_at',
    'updated_at',
  ],
});

export const orderEndpoints = [
  endpoint({
    method: 'GET',
    path: '/api/orders/',
    summary: 'List orders, newest first',
    query: orderPageForm,
    status: 200,
    answer: Page(OrderView),
    errors: ['invalid'],
    example: { url: '/api/orders/?limit=2&sorting[total]=desc' },
    handle(call) {
      const { db, settings } = call.shop;
      const order = settings.listCarts ? allOrders : placedOrders;
      return pageOf(listing(db.orders, order, call), (one) => orderView(db, one, true), call);
    },
  }),
  endpoint({
    method: 'GET',
    path: '/api/orders/:order_id/',
    summary: 'Read an order or a cart',
    status: 200,
    answer: OrderView,
    errors: ['missing'],
    example: { url: '/api/orders/1/' },
    handle: ({ shop: { db }, params }) => orderView(db, findOrThrow(db.orders, params.order_id)),
  }),
  endpoint({
    method: 'POST',
    path: '/api/orders/',
    summary: 'Open a cart',
    step: 'create',
    body: form({
      channel: reference('channels'),
      user: reference('users'),
      currency: anyText().register(referred, { table: 'currencies', by: 'code' }),
    }),
    status: 201,
    answer: OrderView,
    errors: ['invalid'],
    example: { url: '/api/orders/', body: { channel: 1, user: 1, currency: 'EUR' } },
    check: ({ shop: { db }, body }) => [
      mustExist('channel', db.channels, body.channel),
      mustExist('user', db.users, body.user),
      body.currency !== undefined && db.currencies.findUnique('code', body.currency) === undefined
        ? { path: ['currency'], message: notValid }
        : undefined,
    ],
    handle({ shop, body }) {
      const { channel: channel_id, user: user_id, currency } = body;
      return orderView(shop.db, createOrder(shop, { channel_id, user_id, currency }));
    },
    location: ({ id }) => linkTo('orders', id).href,
  }),
  endpoint({
    method: 'DELETE',
    path: '/api/orders/:order_id',
    summary: 'Delete an order',
    status: 204,
    answer: undefined,
    errors: ['missing'],
    example: { url: '/api/orders/2' },
    handle({ shop, params }) {
      deleteOrder(shop, findOrThrow(shop.db.orders, params.order_id));
    },
  }),
];

/** Returns an order. In a list, it has no adjustments and no inventory units. */
export function orderView(db: Database, order: Order, isListed = false): OrderView {
  const { id, shipping_address_id, billing_address_id } = order;
  const user = db.users.getFields(order.user_id, userFieldsInOrder);
  const channel = db.channels.getWithDeleted(order.channel_id);
  const shipping =
    shipping_address_id === undefined ? undefined : db.addresses.get(shipping_address_id);
  const billing =
    billing_address_id === undefined ? undefined : db.addresses.get(billing_address_id);
  return {
    id,
    number: order.number,
    completed_at: order.completed_at,
    items: db.orderItems.by('order', id).map((item) => orderItemView(db, item, isListed)),
    items_total: order.items_total,
    adjustments: isListed ? [] : db.adjustments.by('order', id).map(adjustmentView),
    adjustments_total: order.adjustments_total,
    comments: [],
    total: order.total,
    confirmed: order.confirmed,
    state: order.state,
    checkout_state: order.checkout_state,
    email: order.email,
    expires_at: order.expires_at,
    user: user && userInOrderView(user),
    channel: channel && channelInOrderView(channel),
    shipping_address: shipping && addressView(shipping),
    billing_address: billing && addressView(billing),
    payments: db.payments.by('order', id).map((payment) => paymentView(db, payment)),
    shipments: db.shipments.by('order', id).map((shipment) => shipmentView(db, shipment)),
    currency: order.currency,
    created_at: order.created_at,
    updated_at: order.updated_at,
  };
}

export function orderInCheckoutView(db: Database, order: Order): OrderInCheckoutView {
  const channel = db.channels.getWithDeleted(order.channel_id);
  return { ...orderView(db, order), channel: channel && channelInCheckoutView(channel) };
}
