import type { Database } from '../models/database.ts';
import type { InventoryUnit } from '../models/inventory-unit.ts';
import type { Cascade } from './machines/machine.ts';
import type { Shop } from './shop.ts';
import { availableOf } from './stock.ts';

/** Gives stock that has become free to those who wait for it, the oldest unit first. */
export function fillBackorders({ db }: Shop, variant_id: number, cascade: Cascade): void {
  const units = db.inventoryUnits;
  if (units.countBy('backordered', variant_id) === 0) return;
  const { skipped } = seenIn(cascade);
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

/** The shipments of an order are ready as soon as all of its units are sold. */
export function readyShipments({ db }: Shop, order_id: number, cascade: Cascade): void {
  const { waiting } = seenIn(cascade);
  const isWaiting = (unit: InventoryUnit): boolean =>
    unit.inventory_state === 'backordered' && awaitsStock(db, unit);
  const known = db.inventoryUnits.get(waiting.get(order_id) ?? 0);
  if (known !== undefined && isWaiting(known)) return;
  // The oldest ones are sold first: the last one waits longest.
  const last = db.inventoryUnits.by('order', order_id).findLast(isWaiting);
  if (last !== undefined) return void waiting.set(order_id, last.id);
  const shipments = db.shipments.by('order', order_id);
  cascade(
    'shipment',
    shipments.filter(({ state }) => state === 'backordered'),
    'prepare',
  );
}

/**
 * What a cascade has seen. One can release or sell thousands of pieces, and would look through all others for each.
 *
 * @property skipped how many units of a variant come first that wait no longer
 * @property waiting a unit of an order that still waits
 */
interface Seen {
  readonly skipped: Map<number, number>;
  readonly waiting: Map<number, number>;
}

function seenIn(cascade: Cascade): Seen {
  const known = seen.get(cascade) ?? { skipped: new Map(), waiting: new Map() };
  seen.set(cascade, known);
  return known;
}

const seen = new WeakMap<Cascade, Seen>();

/** An order that was given up, or a shipment that was cancelled, waits no longer, whatever its units say. */
function awaitsStock(db: Database, { order_id, shipment_id }: InventoryUnit): boolean {
  const shipment = shipment_id === undefined ? undefined : db.shipments.get(shipment_id);
  return (
    db.orders.get(order_id)?.state === 'confirmed' &&
    (shipment === undefined || shipment.state === 'backordered')
  );
}
