import type { Database } from '../../models/database.ts';
import type { InventoryUnit } from '../../models/order.ts';
import { shipments, type ShipmentState, type Shipment } from '../../models/shipment.ts';
import { isSoldOrReturned, whyNotPlaced, whyNotActive, createMachine } from './machine.ts';

/** The part of an order that one stock location ships. */
export const shipmentMachine = createMachine<Shipment, ShipmentState, 'shipment'>({
  name: 'shipment',
  table: shipments,
  field: 'state',
  initial: 'checkout',
  external: ['pending'],
  transitions: [
    {
      name: 'hold',
      from: ['checkout'],
      to: 'onhold',
      guard: ({ db }, { order_id }) => whyNotActive(db, order_id),
      effect: ({ db }, { id }, { cascade }) => cascade('inventory_unit', unitsOf(db, id), 'hold'),
    },
    {
      name: 'release',
      from: ['onhold'],
      to: 'checkout',
      guard: ({ db }, { order_id }) => whyNotPlaced(db, order_id),
      effect: ({ db }, { id }, { cascade }) =>
        cascade('inventory_unit', unitsOf(db, id), 'release'),
    },
    {
      name: 'backorder',
      from: ['checkout', 'onhold'],
      to: 'backordered',
      guard: ({ db }, { order_id }) => whyNotActive(db, order_id),
    },
    {
      name: 'prepare',
      from: ['checkout', 'onhold', 'backordered'],
      to: 'ready',
      guard({ db }, { id, order_id }) {
        const unsold = unitsOf(db, id).filter((unit) => !isSoldOrReturned(unit));
        return (
          whyNotActive(db, order_id) ??
          (unsold.length > 0
            ? `Shipment ${id} has ${unsold.length} unit(s) not sold: ${variantsOf(unsold)}.`
            : undefined)
        );
      },
    },
    {
      name: 'ship',
      from: ['ready'],
      to: 'shipped',
      // The last shipment also ships the order.
      effect({ db }, { order_id }, { cascade }) {
        if (!db.shipments.by('order', order_id).some(isUndelivered))
          cascade('order', [{ id: order_id }], 'ship');
      },
    },
    {
      name: 'cancel',
      from: ['checkout', 'onhold', 'ready', 'backordered'],
      to: 'cancelled',
      guard: ({ db }, { order_id }) => whyNotPlaced(db, order_id),
      // Units on hold are released, and sold units return to stock.
      effect({ db }, { id }, { cascade }) {
        cascade('inventory_unit', unitsOf(db, id), 'release');
        cascade('inventory_unit', unitsOf(db, id), 'return');
      },
    },
    {
      name: 'return',
      from: ['shipped'],
      to: 'returned',
      // Its units return to stock, and the last shipment also returns the order.
      effect({ db }, { id, order_id }, { cascade }) {
        cascade('inventory_unit', unitsOf(db, id), 'return');
        const parts = db.shipments.by('order', order_id);
        const back = parts.every(({ state }) => state === 'returned' || state === 'cancelled');
        if (back) cascade('order', [{ id: order_id }], 'return');
      },
    },
  ],
  get: (db, id) => db.shipments.get(id),
  stateOf: ({ state }) => state,
  write: (db, id, state, fields) => db.shipments.change(id, { ...fields, state }),
  orderOf: ({ order_id }) => order_id,
});

/** Whether a shipment is neither shipped, cancelled nor returned. */
function isUndelivered({ state }: Shipment): boolean {
  return state !== 'shipped' && state !== 'cancelled' && state !== 'returned';
}

/** `2 of variant 7, 1 of variant 12` */
function variantsOf(units: readonly InventoryUnit[]): string {
  const byVariant = Map.groupBy(units, ({ variant_id }) => variant_id);
  return Array.from(byVariant, ([id, all]) => `${all.length} of variant ${id}`).join(', ');
}

function unitsOf(db: Database, shipment_id: number) {
  return db.inventoryUnits.by('shipment', shipment_id);
}
