import type { Database } from '../../models/database.ts';
import type { InventoryUnit } from '../../models/inventory-unit.ts';
import type { OrderState } from '../../models/order.ts';

/** Units and shipments of a cart are not moved by hand: the checkout puts them together anew at each step. */
export function whyNotPlaced(db: Database, order_id: number): string | undefined {
  return db.orders.get(order_id)?.state === 'cart'
    ? `Order ${order_id} is still a cart.`
    : undefined;
}

/** Whether a unit has left the stock for good, or come back to it: nothing is left to wait for. */
export function isSettled({ inventory_state }: InventoryUnit): boolean {
  return inventory_state === 'sold' || inventory_state === 'returned';
}

/** Only an order that is on its way to the customer is promised something, or given it. */
export function whyNotActive(db: Database, order_id: number): string | undefined {
  const order = db.orders.get(order_id);
  if (order === undefined) return `Order ${order_id} is gone.`;
  return runningStates.includes(order.state)
    ? undefined
    : `Order ${order_id} is in state ${order.state}.`;
}

const runningStates: readonly OrderState[] = ['pending', 'released', 'confirmed'];
