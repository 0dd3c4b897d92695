import type { Database } from '../../models/database.ts';
import type { InventoryUnit } from '../../models/inventory-unit.ts';
import type { OrderState } from '../../models/order.ts';

/** Returns why units and shipments of an order cannot change: those of a cart are rebuilt at each step. */
export function whyNotPlaced(db: Database, order_id: number): string | undefined {
  return db.orders.get(order_id)?.state === 'cart'
    ? `Order ${order_id} is still a cart.`
    : undefined;
}

/** Whether a unit is sold or returned, and so awaits no stock. */
export function isSettled({ inventory_state }: InventoryUnit): boolean {
  return inventory_state === 'sold' || inventory_state === 'returned';
}

/** Returns why an order gets no stock: it must be pending, released or confirmed. */
export function whyNotActive(db: Database, order_id: number): string | undefined {
  const order = db.orders.get(order_id);
  if (order === undefined) return `Order ${order_id} is deleted.`;
  return activeStates.includes(order.state)
    ? undefined
    : `Order ${order_id} is in state ${order.state}.`;
}

const activeStates: readonly OrderState[] = ['pending', 'released', 'confirmed'];
