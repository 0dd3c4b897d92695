import type { Order } from '../models/order.ts';
import { advance } from './machines/transition.ts';
import type { Shop } from './shop.ts';

/** Deletes an order. One that awaits its payment is given up first, so that no stock stays promised to it. */
export function deleteOrder(shop: Shop, { id, state }: Order): void {
  if (state === 'pending') advance(shop, 'order', id, 'abandon');
  shop.db.orders.remove(id);
}
