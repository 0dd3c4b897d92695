import type { Database } from '../models/database.ts';
import type { InventoryUnit } from '../models/inventory-unit.ts';
import type { Cascade } from './machines/machine.ts';
import type { Shop } from './shop.ts';
import { availableOf } from './stock.ts';

/** Gives stock that has become free to those who wait for it, the oldest unit first. */
export function fillBackorders({ db }: Shop, variant_id: number, cascade: Cascade): void {
  if (db.inventoryUnits.countBy('backordered', variant_id) === 0) return;
  for (const unit of db.inventoryUnits.by('backordered', variant_id)) {
    if (availableOf(db, variant_id) === 0) return;
    if (awaitsStock(db, unit)) cascade('inventory_unit', [unit], 'sell');
  }
}

/** The shipments of an order are ready as soon as all of its units are sold. */
export function readyShipments({ db }: Shop, order_id: number, cascade: Cascade): void {
  const units = db.inventoryUnits.by('order', order_id);
  if (units.some((unit) => unit.inventory_state === 'backordered' && awaitsStock(db, unit))) return;
  const shipments = db.shipments.by('order', order_id);
  cascade(
    'shipment',
    shipments.filter(({ state }) => state === 'backordered'),
    'prepare',
  );
}

/** An order that was given up, or a shipment that was cancelled, waits no longer, whatever its units say. */
function awaitsStock(db: Database, { order_id, shipment_id }: InventoryUnit): boolean {
  const shipment = shipment_id === undefined ? undefined : db.shipments.get(shipment_id);
  return (
    db.orders.get(order_id)?.state === 'confirmed' &&
    (shipment === undefined || shipment.state === 'backordered')
  );
}
