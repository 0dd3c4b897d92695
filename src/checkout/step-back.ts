import type { Order } from '../models/order.ts';
import { replaceAdjustments } from './adjustments.ts';
import { removeBonusItems } from './promotions.ts';
import type { Shop } from './shop.ts';

const stages = ['cart', 'addressing', 'shipping', 'payment'] as const;

/**
 * Takes back what a cart has got by the steps after a stage. The order's own row is left to the caller, which is about
 * to write it.
 */
export function rollBackTo(shop: Shop, order: Order, stage: (typeof stages)[number]): void {
  const is = stages.indexOf(order.checkout_state as (typeof stages)[number]);
  const kept = stages.indexOf(stage);
  if (kept < 3 && is >= 3) dropPayments(shop, order);
  if (kept < 2 && is >= 2) dropShipments(shop, order);
  if (kept < 1 && is >= 1) dropValuation(shop, order);
}

function dropPayments({ db }: Shop, order: Order): void {
  for (const { id, state } of db.payments.by('order', order.id)) {
    if (state === 'new') db.payments.remove(id);
  }
}

function dropShipments({ db }: Shop, order: Order): void {
  replaceAdjustments(db, order, 'shipping', []);
  for (const { id } of db.shipments.by('order', order.id)) db.shipments.remove(id);
  for (const { id } of db.inventoryUnits.by('order', order.id)) {
    db.inventoryUnits.change(id, { shipment_id: undefined, stock_location_id: undefined });
  }
}

function dropValuation(shop: Shop, order: Order): void {
  replaceAdjustments(shop.db, order, 'tax', []);
  replaceAdjustments(shop.db, order, 'promotion', []);
  removeBonusItems(shop, order);
}
