import type { Adjustment } from '../models/adjustment.ts';
import type { Database } from '../models/database.ts';
import type { Order } from '../models/order.ts';
import type { OrderItem } from '../models/order-item.ts';
import type { Changes } from '../store/row.ts';
import type { Shop } from './shop.ts';
import { totalsOf, type Line, type LineTotals } from './totals.ts';

/**
 * Brings the totals of an order and of its items up to date. Other changes to the order are written with them, so that
 * a step writes it once.
 *
 * @returns the order as it is now
 */
export function tally({ db }: Shop, order: Order, changes: Changes<Order> = {}): Order {
  const items = db.orderItems.by('order', order.id);
  const { lines, items_total, adjustments_total, total } = totalsOf(
    linesOf(db, order, items),
    db.adjustments.by('order', order.id),
  );
  for (const [at, item] of items.entries()) update(db, item, lines[at]!);
  return db.orders.change(order.id, { ...changes, items_total, adjustments_total, total });
}

/** The items of an order, their totals up to date. */
export function talliedItems({ db }: Shop, order: Order): OrderItem[] {
  const items = db.orderItems.by('order', order.id);
  const { lines } = totalsOf(linesOf(db, order, items), []);
  return items.map((item, at) => update(db, item, lines[at]!));
}

function linesOf(db: Database, order: Order, items: readonly OrderItem[]): Line[] {
  const all: readonly Adjustment[] = db.adjustments.by('itemsOf', order.id);
  return items.map(({ id, quantity, unit_price }) => ({
    quantity,
    unit_price,
    adjustments: all.length === 0 ? all : all.filter(({ order_item_id }) => order_item_id === id),
  }));
}

function update(db: Database, item: OrderItem, totals: LineTotals): OrderItem {
  const isRight =
    item.total === totals.total && item.adjustments_total === totals.adjustments_total;
  return isRight ? item : db.orderItems.change(item.id, { ...totals });
}
