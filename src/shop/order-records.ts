import type { Database } from './models/database.ts';

/** Returns the records of an order by table, without the order. */
export function orderRecords(db: Database, id: number) {
  return {
    order_items: db.orderItems.by('order', id),
    payments: db.payments.by('order', id),
    shipments: db.shipments.by('order', id),
    inventory_units: db.inventoryUnits.by('order', id),
    adjustments: [...db.adjustments.by('order', id), ...db.adjustments.by('itemsOf', id)],
  };
}
