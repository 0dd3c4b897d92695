import * as z from 'zod';
import { addItem, assertCart, removeItem } from '../checkout/cart.ts';
import { maxAmount, maxQuantity } from '../checkout/order-rows.ts';
import {
  type Adjustment,
  InventoryState,
  type InventoryUnit,
  type OrderItem,
} from '../models/order.ts';
import type { Database } from '../models/database.ts';
import { Timestamp } from '../../engine/lib/fields.ts';
import { decimal, integer, reference } from '../../engine/rest/field.ts';
import { form, notValid } from '../../engine/rest/form.ts';
import { Link } from '../../engine/rest/page.ts';
import { findOrThrow, minorUnits, mustExist } from '../../engine/definition/records.ts';
import { endpoint, linkTo, defineView } from './endpoint.ts';
import { productInOrderView } from './product.ts';
import { variantInOrderView, VariantInOrderView } from './product-variant.ts';

export const AdjustmentView = defineView('Adjustment', () => ({
  id: z.int(),
  label: z.string(),
  description: z.string(),
  amount: z.int(),
  neutral: z.boolean(),
  locked: z.boolean(),
  created_at: Timestamp,
  updated_at: Timestamp,
}));
export type AdjustmentView = z.output<typeof AdjustmentView>;

export const InventoryUnitView = defineView('InventoryUnit', () => ({
  id: z.int(),
  inventory_state: InventoryState,
  created_at: Timestamp,
  updated_at: Timestamp,
  _links: z.strictObject({ order: Link }),
}));
export type InventoryUnitView = z.output<typeof InventoryUnitView>;

export const OrderItemView = defineView('OrderItem', () => ({
  id: z.int(),
  quantity: z.int(),
  unit_price: z.int(),
  total: z.int(),
  adjustments: z.array(AdjustmentView),
  adjustments_total: z.int(),
  immutable: z.boolean(),
  variant: VariantInOrderView,
  inventory_units: z.array(InventoryUnitView),
  _links: z.strictObject({ product: Link, variant: Link }),
}));
export type OrderItemView = z.output<typeof OrderItemView>;

const path = '/api/orders/:order_id/items/';

export const orderItemEndpoints = [
  endpoint({
    method: 'GET',
    path,
    summary: 'List the items of an order',
    status: 200,
    answer: z.array(OrderItemView),
    errors: ['missing'],
    example: { url: '/api/orders/1/items/' },
    handle({ shop: { db }, params }) {
      const order = findOrThrow(db.orders, params.order_id);
      return db.orderItems.by('order', order.id).map((item) => orderItemView(db, item));
    },
  }),
  endpoint({
    method: 'POST',
    path,
    summary: 'Add an item to a cart',
    step: 'item',
    body: form({
      variant: reference('variants'),
      unitPrice: decimal({ tooSmall: 'Price must not be negative.', max: maxAmount }),
      quantity: integer({ min: 1, tooSmall: 'Quantity must be at least 1.' }).max(
        maxQuantity,
        notValid,
      ),
    }),
    status: 201,
    answer: OrderItemView,
    errors: ['missing', 'refused', 'invalid'],
    example: {
      url: '/api/orders/107/items/',
      body: { variant: 1, unitPrice: 1990, quantity: 2 },
    },
    subject: ({ shop, params }) => assertCart(findOrThrow(shop.db.orders, params.order_id)),
    check: ({ shop, body }) => [
      mustExist('variant', shop.db.variants, body.variant),
      shop.settings.requestMoney === 'minor' && !Number.isInteger(body.unitPrice ?? 0)
        ? { path: ['unitPrice'], message: notValid }
        : undefined,
    ],
    handle({ shop, subject, body }) {
      const item = addItem(shop, subject, {
        variant_id: body.variant,
        unit_price: minorUnits(shop.settings, body.unitPrice),
        quantity: body.quantity,
      });
      return orderItemView(shop.db, item);
    },
    // A single item has no endpoint to read it: the list contains it.
    location: (_, { subject }) => `${linkTo('orders', subject.id).href}/items/`,
  }),
  endpoint({
    method: 'DELETE',
    path: '/api/orders/:order_id/items/:item_id',
    summary: 'Remove an item from a cart',
    status: 204,
    answer: undefined,
    errors: ['missing', 'refused'],
    example: { url: '/api/orders/107/items/235' },
    handle({ shop, params }) {
      const order = assertCart(findOrThrow(shop.db.orders, params.order_id));
      const isInOrder = (item: OrderItem): boolean => item.order_id === order.id;
      removeItem(shop, order, findOrThrow(shop.db.orderItems, params.item_id, isInOrder));
    },
  }),
];

/** Returns an item of an order. In a list of orders, it has no adjustments and no inventory units. */
export function orderItemView(db: Database, item: OrderItem, isListed = false): OrderItemView {
  const variant = db.variants.getWithDeleted(item.variant_id);
  const product = variant && db.products.getWithDeleted(variant.product_id);
  if (variant === undefined || product === undefined) {
    throw new Error(`order item ${item.id} has no product`);
  }
  return {
    id: item.id,
    quantity: item.quantity,
    unit_price: item.unit_price,
    total: item.total,
    adjustments: isListed ? [] : db.adjustments.by('item', item.id).map(adjustmentView),
    adjustments_total: item.adjustments_total,
    immutable: item.immutable,
    variant: variantInOrderView(variant, productInOrderView(db, product)),
    inventory_units: isListed ? [] : db.inventoryUnits.by('item', item.id).map(inventoryUnitView),
    _links: {
      product: linkTo('products', product.id),
      variant: linkTo('products', product.id, 'variants', variant.id),
    },
  };
}

export function adjustmentView(adjustment: Adjustment): AdjustmentView {
  return {
    id: adjustment.id,
    label: adjustment.label,
    description: adjustment.description,
    amount: adjustment.amount,
    neutral: adjustment.neutral,
    locked: adjustment.locked,
    created_at: adjustment.created_at,
    updated_at: adjustment.updated_at,
  };
}

function inventoryUnitView(unit: InventoryUnit): InventoryUnitView {
  return {
    id: unit.id,
    inventory_state: unit.inventory_state,
    created_at: unit.created_at,
    updated_at: unit.updated_at,
    _links: { order: linkTo('orders', unit.order_id) },
  };
}
