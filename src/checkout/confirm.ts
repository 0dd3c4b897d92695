import type { Order } from '../models/order.ts';
import { advance } from './machines/transition.ts';
import { followTotal } from './payment.ts';
import { factsOf, applyScript } from './script.ts';
import type { Shop } from './shop.ts';
import { assertStep } from './steps.ts';
import { placeOf, valueAll } from './valuation.ts';

/**
 * The fourth step: the cart becomes an order with a number, and its stock is held.
 *
 * @throws Problem `refused` for an order that awaits something else or meets a shortage, `invalid` by the script
 */
export function submitConfirm(shop: Shop, order: Order): Order {
  assertStep(shop, order, 'confirm');
  applyScript(shop, 'confirm', () => factsOf(shop, order));
  if (shop.settings.repriceAtConfirm) reprice(shop, order);
  advance(shop, 'order', order.id, 'create');
  return shop.db.orders.get(order.id) ?? order;
}

function reprice(shop: Shop, order: Order): void {
  const { db } = shop;
  for (const { id, immutable, variant_id, unit_price } of db.orderItems.by('order', order.id)) {
    const price = db.variants.getWithDeleted(variant_id)?.price ?? unit_price;
    if (!immutable && price !== unit_price) db.orderItems.change(id, { unit_price: price });
  }
  const place = placeOf(shop, order);
  if (place !== undefined) followTotal(shop, valueAll(shop, order, place, {}));
}
