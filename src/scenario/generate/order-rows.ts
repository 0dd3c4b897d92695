import type { Address } from '../../models/address.ts';
import type { Adjustment } from '../../models/adjustment.ts';
import type { Database } from '../../models/database.ts';
import type { InventoryUnit } from '../../models/inventory-unit.ts';
import type { Order } from '../../models/order.ts';
import type { OrderItem } from '../../models/order-item.ts';
import type { Payment } from '../../models/payment.ts';
import type { Shipment } from '../../models/shipment.ts';

/** New rows of one table that are not stored yet. */
interface Batch<R> {
  readonly rows: readonly R[];
  nextId(): number;
  /** Adds a row without copying it, and freezes it. */
  push(row: R): void;
}

/** The rows of many orders, to be stored in bulk. */
export interface OrderRows {
  readonly addresses: Batch<Address>;
  readonly adjustments: Batch<Adjustment>;
  readonly orderItems: Batch<OrderItem>;
  readonly orders: Batch<Order>;
  readonly payments: Batch<Payment>;
  readonly shipments: Batch<Shipment>;
  readonly inventoryUnits: Batch<InventoryUnit>;
}

export function createOrderRows(db: Database): OrderRows {
  return {
    addresses: batch(db.addresses),
    adjustments: batch(db.adjustments),
    orderItems: batch(db.orderItems),
    orders: batch(db.orders),
    payments: batch(db.payments),
    shipments: batch(db.shipments),
    inventoryUnits: batch(db.inventoryUnits),
  };
}

export function storeOrderRows(db: Database, rows: OrderRows): void {
  db.addresses.insertFrozen(rows.addresses.rows);
  db.adjustments.insertFrozen(rows.adjustments.rows);
  db.orderItems.insertFrozen(rows.orderItems.rows);
  db.orders.insertFrozen(rows.orders.rows);
  db.payments.insertFrozen(rows.payments.rows);
  db.shipments.insertFrozen(rows.shipments.rows);
  db.inventoryUnits.insertFrozen(rows.inventoryUnits.rows);
}

function batch<R>(table: { readonly state: { readonly nextId: number } }): Batch<R> {
  const rows: R[] = [];
  let next = table.state.nextId;
  return {
    rows,
    nextId: () => next++,
    push: (row) => void rows.push(Object.freeze(row)),
  };
}
