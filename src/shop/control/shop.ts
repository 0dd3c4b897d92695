import * as z from 'zod';
import { OrderState, type Order } from '../models/order.ts';
import { StockItem } from '../models/stock.ts';
import { Timestamp } from '../../engine/lib/fields.ts';
import { Problem } from '../../engine/lib/problem.ts';
import { integer, oneOf, reference, text } from '../../engine/rest/field.ts';
import { form } from '../../engine/rest/form.ts';
import { Link, link } from '../../engine/rest/page.ts';
import { endpoint, shownId } from './endpoint.ts';
import { findOrders, findStock, StockLevelView } from './shop-search.ts';
import type { StoreOffice } from '../office/store-office.ts';
import { parseId } from '../../engine/lib/names.ts';

const CartView = z.strictObject({
  id: z.int(),
  coupons: z.array(z.string()),
  total: z.int(),
  currency: z.string(),
  _links: z.strictObject({ order: Link }),
});

const OrderSummary = z.strictObject({
  id: z.int(),
  number: z.string().optional(),
  email: z.string(),
  total: z.int(),
  currency: z.string(),
  state: z.string(),
  checkout_state: z.string(),
  awaits: z.string().optional().describe('The next step of the checkout'),
  updated_at: Timestamp,
});

const OrdersPage = z.strictObject({
  page: z.int(),
  limit: z.int(),
  total: z.int().describe('Number of orders on all pages'),
  orders: z.array(OrderSummary),
});
export type OrdersPage = z.output<typeof OrdersPage>;

/** Operations that the store API lacks: listing carts, setting stock, adding coupons to a cart. */
export const shopEndpoints = [
  endpoint({
    hasPast: true,
    method: 'GET',
    path: '/_backlot/orders',
    operationId: 'listOrderSummaries',
    summary:
      'List orders and carts with their next steps, most recently changed first; with `page`, their number as well',
    query: form({
      limit: integer({ min: 1 }).max(100, 'This value should be 100 or less.').optional(),
      page: integer({ min: 1 })
        .optional()
        .describe('Number of the page; without it, the response is the list alone'),
      find: text()
        .optional()
        .describe('Part of the number, the e-mail address or the name of the customer, or the id'),
      state: oneOf(OrderState.options).optional().describe('The state of the orders'),
    }),
    answer: z.union([z.array(OrderSummary), OrdersPage]),
    example: { url: '/_backlot/orders?limit=5' },
    handle({ office, query: { limit = 20, page, ...search } }) {
      const backOffice = office();
      const { total, rows } = findOrders(backOffice, search, ((page ?? 1) - 1) * limit, limit);
      const orders = rows.map((order) => orderSummary(backOffice, order));
      return page === undefined ? orders : { page, limit, total, orders };
    },
  }),
  endpoint({
    hasPast: true,
    method: 'GET',
    path: '/_backlot/stock',
    operationId: 'listStockLevels',
    summary: 'List the stock of all variants with their names, or of those that a text finds',
    query: form({
      find: text()
        .optional()
        .describe(
          'Words, each a part of the SKU, the product, the location or the id of the variant',
        ),
      limit: integer({ min: 1 }).max(200, 'This value should be 200 or less.').optional(),
    }),
    answer: z.strictObject({ total: z.int(), items: z.array(StockLevelView) }),
    example: { url: '/_backlot/stock?find=mug&limit=2' },
    handle({ office, query: { find = '', limit = 200 } }) {
      const found = findStock(office(), find);
      return { total: found.length, items: found.slice(0, limit) };
    },
  }),
  endpoint({
    hasPast: true,
    method: 'GET',
    path: '/_backlot/stock/:variant_id',
    operationId: 'listStock',
    summary: 'List the stock of a variant by location',
    answer: z.array(StockItem),
    handle({ office, params }) {
      const { db } = office();
      const id = parseId('variant', params.variant_id);
      if (db.variants.getWithDeleted(id) === undefined)
        throw new Problem('missing', `There is no variant ${id}.`);
      return db.stockItems.by('variant', id);
    },
  }),
  endpoint({
    method: 'PUT',
    path: '/_backlot/stock',
    operationId: 'setStock',
    summary: 'Set the stock of a variant at a location; backordered units are filled at once',
    body: form({
      stockLocation: reference('stockLocations').describe('Id of the stock location'),
      variant: reference('variants').describe('Id of the variant'),
      onHand: integer({ min: 0 }).describe('Number of pieces on hand, those on hold included'),
    }),
    answer: StockItem,
    example: { url: '/_backlot/stock', body: { stockLocation: 1, variant: 1, onHand: 25 } },
    handle: ({ office, body }) =>
      office().checkout.setStock({
        stock_location_id: body.stockLocation,
        variant_id: body.variant,
        on_hand: body.onHand,
      }),
  }),
  endpoint({
    method: 'POST',
    path: '/_backlot/orders/:order_id/coupons',
    summary: 'Add a coupon to a cart',
    body: form({
      coupon: text({ blank: 'Please enter coupon code.' }).describe('Code of the coupon'),
    }),
    answer: CartView,
    errors: ['missing', 'invalid', 'refused'],
    example: { url: '/_backlot/orders/120/coupons', body: { coupon: 'WELCOME10' } },
    handle({ office, prefix, params, body }) {
      const backOffice = office();
      const cart = backOffice.checkout.useCoupon(parseId('order', params.order_id), body.coupon);
      return cartView(backOffice, cart, prefix);
    },
  }),
  endpoint({
    method: 'DELETE',
    path: '/_backlot/orders/:order_id/coupons/:coupon',
    summary: 'Remove a coupon from a cart',
    errors: ['missing', 'invalid', 'refused'],
    example: { url: '/_backlot/orders/120/coupons/WELCOME10' },
    handle({ office, params }) {
      office().checkout.removeCoupon(parseId('order', params.order_id), params.coupon);
    },
  }),
];

function orderSummary({ checkout }: StoreOffice, order: Order): z.output<typeof OrderSummary> {
  const { id, number, email, total, currency, state, checkout_state, updated_at } = order;
  const awaits = checkout.awaited(id);
  return { id, number, email, total, currency, state, checkout_state, awaits, updated_at };
}

function cartView(
  { db, shop }: StoreOffice,
  order: Order,
  prefix: string,
): z.output<typeof CartView> {
  const { id, total, currency, coupon_ids } = order;
  const coupons = coupon_ids.flatMap((coupon) => db.coupons.getWithDeleted(coupon)?.code ?? []);
  return {
    id,
    coupons,
    total,
    currency,
    _links: { order: link(`${prefix}${shop.api.path}/orders/${shownId(shop, 'orders', id)}`) },
  };
}
