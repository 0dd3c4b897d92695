import type { OrderItem } from '../models/order-item.ts';
import type { Order } from '../models/order.ts';
import type { Shop } from './shop.ts';
import { totalsOf } from './totals.ts';

/** More pieces of one item than any shop sells, and amounts beyond any price, are mistakes. */
export const maxQuantity = 10_000;
export const maxAmount = 1_000_000_000_000;

/** An order item to be, as it comes from a customer or from a promotion. */
export interface NewLine {
  readonly variant_id: number;
  /** Minor units. */
  readonly unit_price: number;
  readonly quantity: number;
  /** The promotion that gives it; such an item is immutable. */
  readonly promotion_id?: number;
}

/** Puts an item on an order, with an inventory unit for each piece of it. */
export function addLine({ db, settings }: Shop, order: Order, line: NewLine): OrderItem {
  const counts = settings.totals === 'live' || order.checkout_state !== 'cart';
  const [totals] = totalsOf(counts ? [{ ...line, adjustments: [] }] : [], []).lines;
  const item = db.orderItems.add({
    order_id: order.id,
    immutable: line.promotion_id !== undefined,
    adjustments_total: 0,
    total: 0,
    ...line,
    ...totals,
  });
  // What comes when there are shipments already goes with the first of them.
  const isPacked = order.checkout_state !== 'cart' && order.checkout_state !== 'addressing';
  const shipment = isPacked ? db.shipments.first('order', order.id) : undefined;
  const unit = {
    order_id: order.id,
    order_item_id: item.id,
    variant_id: line.variant_id,
    shipment_id: shipment?.id,
    inventory_state: 'checkout',
  } as const;
  // Building many at once takes a fraction of the time; a few are added sooner.
  if (line.quantity > 100) {
    db.inventoryUnits.addAll(Array.from({ length: line.quantity }, () => unit));
  } else {
    for (let piece = 0; piece < line.quantity; piece++) db.inventoryUnits.add(unit);
  }
  return item;
}

/** Takes an item of a cart away, and all that hangs on it. */
export function removeLine({ db }: Shop, item: { readonly id: number }): void {
  for (const { id } of db.inventoryUnits.by('item', item.id)) db.inventoryUnits.remove(id);
  for (const { id } of db.adjustments.by('item', item.id)) db.adjustments.remove(id);
  db.orderItems.remove(item.id);
}
