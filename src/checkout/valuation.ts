import type { Order } from '../models/order.ts';
import type { Changes } from '../store/row.ts';
import { replaceAdjustments, renew } from './adjustments.ts';
import { applyPromotions } from './promotions.ts';
import type { Shop } from './shop.ts';
import { tally, talliedItems } from './tally.ts';
import { taxes } from './tax.ts';
import type { Place } from './zones.ts';

/**
 * What addressing works out: taxes, then promotions, then totals. What shipping costs stays. Changes to the order are
 * written with them.
 */
export function valueAll(shop: Shop, order: Order, place: Place, changes: Changes<Order>): Order {
  const { db } = shop;
  const items = talliedItems(shop, order);
  const adjustments = db.adjustments.by('order', order.id);
  replaceAdjustments(db, order, 'tax', taxes(shop, items, place), adjustments);
  renew(db, order, 'shipping', adjustments);
  const promotion_ids = applyPromotions(shop, order, place, { items, adjustments });
  return tally(shop, order, { ...changes, promotion_ids });
}

/** What shipping works out after its charge: promotions again, then totals. */
export function valuePromotions(
  shop: Shop,
  order: Order,
  place: Place,
  changes: Changes<Order> = {},
): Order {
  const { db } = shop;
  const promotion_ids = applyPromotions(shop, order, place, {
    items: db.orderItems.by('order', order.id),
    adjustments: db.adjustments.by('order', order.id),
  });
  return tally(shop, order, { ...changes, promotion_ids });
}

/** Where an order goes, once it is known. */
export function placeOf({ db }: Shop, order: Order): Place | undefined {
  const { shipping_address_id: id } = order;
  return id === undefined ? undefined : db.addresses.getWithDeleted(id);
}
