import type { Adjustment, Order, OrderItem } from '../models/order.ts';
import type { Database } from '../models/database.ts';
import type { Payment } from '../models/payment.ts';
import type { Changes } from '../../engine/store/row.ts';
import { chargesOf, replaceAdjustments, sumAmounts, type Charge } from './order-rows.ts';
import { promotionsOn, writePromotions } from './promotions.ts';
import type { Shop } from './shop.ts';
import { taxesOn } from './tax.ts';
import type { Place } from './packages.ts';

/** The parts of an order to recalculate, in addition to its totals. */
export interface Recalculation {
  /** Calculate taxes. Without an address an order has none. */
  readonly taxes?: boolean;
  /** Apply promotions. Without an address an order has none. */
  readonly promotions?: boolean;
  /** The new shipping charges (default: the present ones). */
  readonly shipping?: readonly Charge[];
  /** The shipping address (default: that of the order's row). */
  readonly place?: Place;
}

/**
 * Recalculates the adjustments and totals of an order, the totals of its items and the amount of its new payment.
 *
 * @param changes other changes to the order, written together with its totals so that a step writes the order once
 * @returns the changed order
 */
export function recalculate(
  shop: Shop,
  order: Order,
  {
    taxes = false,
    promotions = false,
    shipping,
    place = shippingAddressOf(shop, order),
  }: Recalculation,
  changes: Changes<Order> = {},
): Order {
  const { db } = shop;
  const items = taxes ? updateItems(db, order) : db.orderItems.by('order', order.id);
  if (taxes && place !== undefined) {
    const present = db.adjustments.by('order', order.id);
    const charges = shipping ?? chargesOf(present, 'shipping');
    replaceAdjustments(db, order, 'tax', taxesOn(shop, items, place), present);
    replaceAdjustments(db, order, 'shipping', charges, present);
  } else if (shipping !== undefined) {
    replaceAdjustments(db, order, 'shipping', shipping);
  }
  if (!promotions || place === undefined) return writeTotals(shop, order, changes);
  const adjustments = db.adjustments.by('order', order.id);
  const shipping_total = sumAmounts(adjustments.filter(({ label }) => label === 'shipping'));
  const given = promotionsOn(shop, { order, items, place, shipping_total });
  writePromotions(shop, order, given, { items, adjustments });
  return writeTotals(shop, order, { ...changes, promotion_ids: given.applied.map(({ id }) => id) });
}

/** Returns the shipping address of an order, even if it has been deleted; undefined before addressing. */
export function shippingAddressOf({ db }: Shop, order: Order): Place | undefined {
  const { shipping_address_id: id } = order;
  return id === undefined ? undefined : db.addresses.getWithDeleted(id);
}

/** Returns the payments that have not been attempted: at most one, unless the back office has added others. */
export function newPayments({ db }: Shop, { id }: { readonly id: number }): Payment[] {
  return db.payments.by('order', id).filter(({ state }) => state === 'new');
}

/** Returns the total of an order: at least 0. */
export function totalOf({
  items_total,
  adjustments_total,
}: Pick<Order, 'items_total' | 'adjustments_total'>): number {
  return Math.max(0, items_total + adjustments_total);
}

/** Returns the total of an item: at least 0. */
export function totalOfItem({
  quantity,
  unit_price,
  adjustments_total,
}: Pick<OrderItem, 'quantity' | 'unit_price' | 'adjustments_total'>): number {
  return Math.max(0, quantity * unit_price + adjustments_total);
}

/** Returns the totals of an item. */
export function totalsOfItem(
  { id, quantity, unit_price }: OrderItem,
  adjustments: readonly Adjustment[],
): Pick<OrderItem, 'adjustments_total' | 'total'> {
  const adjustments_total =
    adjustments.length === 0
      ? 0
      : sumAmounts(adjustments.filter(({ order_item_id }) => order_item_id === id));
  return { adjustments_total, total: totalOfItem({ quantity, unit_price, adjustments_total }) };
}

function writeTotals(shop: Shop, order: Order, changes: Changes<Order>): Order {
  const { db } = shop;
  let items_total = 0;
  for (const item of updateItems(db, order)) items_total += item.total;
  const adjustments_total = sumAmounts(db.adjustments.by('order', order.id));
  const total = totalOf({ items_total, adjustments_total });
  for (const { id, amount } of newPayments(shop, order)) {
    if (amount !== total) db.payments.change(id, { amount: total });
  }
  return db.orders.change(order.id, { ...changes, items_total, adjustments_total, total });
}

/** Updates the totals of an order's items, and returns the items. */
function updateItems(db: Database, { id: order_id }: Order): OrderItem[] {
  const adjustments = db.adjustments.by('itemsOf', order_id);
  return db.orderItems.by('order', order_id).map((item) => {
    const { adjustments_total, total } = totalsOfItem(item, adjustments);
    const isCurrent = item.total === total && item.adjustments_total === adjustments_total;
    return isCurrent ? item : db.orderItems.change(item.id, { adjustments_total, total });
  });
}
