import type { Database } from '../models/database.ts';
import type { InventoryUnit } from '../models/inventory-unit.ts';
import type { Cascade } from './machines/machine.ts';
import type { Shop } from './shop.ts';
import { availableOf } from './stock.ts';

/** Gives stock that has become free to those who wait for it, the oldest unit first. */
export function fillBackorders({ db }: Shop, variant_id: number, cascade: Cascade): void {
  const units = db.inventoryUnits;
  if (units.countBy('backordered', variant_id) === 0) return;
  const skipped = skippedIn(cascade);
  const way = { by: 'backordered', prefix: [variant_id] } as const;
  for (let at = skipped.get(variant_id) ?? 0; availableOf(db, variant_id) > 0;) {
    const [unit] = units.page(at, 1, way);
    if (unit === undefined) return;
    if (awaitsStock(db, unit)) cascade('inventory_unit', [unit], 'sell');
    // What is sold leaves the index, and the next one takes its place there.
    if (units.get(unit.id)?.inventory_state === 'backordered') at += 1;
    skipped.set(variant_id, at);
  }
}

/**
 * How many units of a variant come first that wait no longer. One cascade can release thousands of pieces, and would look
 * through all of these for each.
 */
function skippedIn(cascade: Cascade): Map<number, number> {
  const known = skipped.get(cascade) ?? new Map<number, number>();
  skipped.set(cascade, known);
  return known;
}

const skipped = new WeakMap<Cascade, Map<number, number>>();

/** The shipments of an order are ready as soon as all of its units are sold. */
export function readyShipments({ db }: Shop, order_id: number, cascade: Cascade): void {
  // Of many units the first one mostly says it: looking at all of them for each would take the square of their number.
  const first = db.inventoryUnits.first('awaited', order_id);
  if (first !== undefined && awaitsStock(db, first)) return;
  if (db.inventoryUnits.by('awaited', order_id).some((unit) => awaitsStock(db, unit))) return;
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
