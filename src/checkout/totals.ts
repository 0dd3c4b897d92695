import type { Adjustment, Order, OrderItem } from '../models/order.ts';
import type { Database } from '../models/database.ts';
import type { Payment } from '../models/payment.ts';
import type { Changes } from '../store/row.ts';
import { chargesOf, replaceAdjustments, sumOf, type Amount, type Charge } from './order-rows.ts';
import { applyPromotions } from './promotions.ts';
import type { Shop } from './shop.ts';
import { taxes as taxesOn } from './tax.ts';
import type { Place } from './packages.ts';

/** What is calculated anew, beside the totals. */
export interface Recalculation {
  /** Calculate taxes. Without an address an order has none. */
  readonly taxes?: boolean;
  /** Apply promotions. Without an address an order has none. */
  readonly promotions?: boolean;
  /** The new shipping charges; the present ones stay if unset. */
  readonly shipping?: readonly Charge[];
  /** The address, if the order's row does not name it yet. */
  readonly place?: Place;
}

/**
 * Brings the adjustments and totals of an order and of its items up to date, and the amount of its new payment with
 * them. Other changes to the order are written together with the totals, so that a step writes the order once.
 *
 * @returns the order as it is now
 */
export function recalculate(
  shop: Shop,
  order: Order,
  { taxes = false, promotions = false, shipping, place = placeOf(shop, order) }: Recalculation,
  changes: Changes<Order> = {},
): Order {
  const { db } = shop;
  let items: readonly OrderItem[] | undefined;
  if (taxes && place !== undefined) {
    const lines = linesOf(db, order);
    items = updateItems(db, lines, totalsOf(lines, []).lines);
    const present = db.adjustments.by('order', order.id);
    const charges = shipping ?? chargesOf(present, 'shipping');
    replaceAdjustments(db, order, 'tax', taxesOn(shop, items, place), present);
    replaceAdjustments(db, order, 'shipping', charges, present);
  } else if (shipping !== undefined) {
    replaceAdjustments(db, order, 'shipping', shipping);
  }
  if (!promotions || place === undefined) return writeTotals(shop, order, changes);
  const promotion_ids = applyPromotions(shop, order, place, {
    items: items ?? db.orderItems.by('order', order.id),
    adjustments: db.adjustments.by('order', order.id),
  });
  return writeTotals(shop, order, { ...changes, promotion_ids });
}

/** The address that an order is sent to, once it is known. */
export function placeOf({ db }: Shop, order: Order): Place | undefined {
  const { shipping_address_id: id } = order;
  return id === undefined ? undefined : db.addresses.getWithDeleted(id);
}

/** The payments that a customer has not tried to make yet: one at most, unless the back office has added some. */
export function newPayments({ db }: Shop, { id }: { readonly id: number }): Payment[] {
  return db.payments.by('order', id).filter(({ state }) => state === 'new');
}

/** What totals need of an order item. Its price is in minor units. */
export interface Line {
  readonly quantity: number;
  readonly unit_price: number;
  /** Default: no adjustments. */
  readonly adjustments?: readonly Amount[];
}

export interface LineTotals {
  readonly adjustments_total: number;
  readonly total: number;
}

export interface OrderTotals {
  readonly items_total: number;
  readonly adjustments_total: number;
  readonly total: number;
}

export interface Totals extends OrderTotals {
  /** One for each line, in the same order. */
  readonly lines: readonly LineTotals[];
}

/**
 * Returns the totals of an order and of its items, from items and adjustments alone. Neutral adjustments are shown and
 * not counted, and a total never falls below 0.
 */
export function totalsOf(lines: readonly Line[], adjustments: readonly Amount[]): Totals {
  const each = lines.map(lineTotals);
  const items_total = each.reduce((sum, line) => sum + line.total, 0);
  const adjustments_total = sumOf(adjustments);
  return {
    lines: each,
    items_total,
    adjustments_total,
    total: Math.max(0, items_total + adjustments_total),
  };
}

function lineTotals({ quantity, unit_price, adjustments }: Line): LineTotals {
  const adjustments_total = adjustments === undefined ? 0 : sumOf(adjustments);
  return { adjustments_total, total: Math.max(0, quantity * unit_price + adjustments_total) };
}

function writeTotals(shop: Shop, order: Order, changes: Changes<Order>): Order {
  const { db } = shop;
  const lines = linesOf(db, order);
  const { items_total, adjustments_total, total, ...totals } = totalsOf(
    lines,
    db.adjustments.by('order', order.id),
  );
  updateItems(db, lines, totals.lines);
  for (const payment of newPayments(shop, order)) {
    if (payment.amount !== total) db.payments.change(payment.id, { amount: total });
  }
  return db.orders.change(order.id, { ...changes, items_total, adjustments_total, total });
}

/** Writes the totals of an order's items where they have changed. */
function updateItems(
  db: Database,
  lines: readonly { readonly item: OrderItem }[],
  totals: readonly LineTotals[],
): OrderItem[] {
  return lines.map(({ item }, at) => updateItem(db, item, totals[at]!));
}

function linesOf(db: Database, order: Order) {
  const all: readonly Adjustment[] = db.adjustments.by('itemsOf', order.id);
  return db.orderItems.by('order', order.id).map((item) => ({
    item,
    quantity: item.quantity,
    unit_price: item.unit_price,
    adjustments:
      all.length === 0 ? all : all.filter(({ order_item_id }) => order_item_id === item.id),
  }));
}

function updateItem(db: Database, item: OrderItem, totals: LineTotals): OrderItem {
  const isCurrent =
    item.total === totals.total && item.adjustments_total === totals.adjustments_total;
  return isCurrent ? item : db.orderItems.change(item.id, { ...totals });
}
