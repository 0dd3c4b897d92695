import type { Database } from '../models/database.ts';
import type { InventoryUnit } from '../models/inventory-unit.ts';
import type { StockItem } from '../models/stock-item.ts';

type Available = Pick<StockItem, 'on_hand' | 'on_hold'>;

/** How many of a stock item are promised to nobody. */
export function available({ on_hand, on_hold }: Available): number {
  return Math.max(0, on_hand - on_hold);
}

/** Whether a location gives stock away. */
export function isOpen(db: Database, stock_location_id: number): boolean {
  return db.stockLocations.get(stock_location_id)?.enabled === true;
}

/** Whether the shop counts the stock of a variant at all. */
export function isTracked(db: Database, variant_id: number): boolean {
  return db.stockItems.countBy('variant', variant_id) > 0;
}

/** How many of a variant are promised to nobody, over all locations that give stock away. */
export function availableOf(db: Database, variant_id: number): number {
  return openStock(db, variant_id).reduce((sum, item) => sum + available(item), 0);
}

export function stockAt(
  db: Database,
  variant_id: number,
  stock_location_id: number | undefined,
): StockItem | undefined {
  if (stock_location_id === undefined) return undefined;
  return db.stockItems.findUnique('place', `${variant_id} at ${stock_location_id}`);
}

/** Where a unit can be promised from: where it was planned to come from, or else anywhere. */
export function promisable(db: Database, unit: InventoryUnit): StockItem | undefined {
  const planned = stockAt(db, unit.variant_id, unit.stock_location_id);
  if (planned !== undefined && isOpen(db, planned.stock_location_id) && available(planned) > 0) {
    return planned;
  }
  return openStock(db, unit.variant_id).find((item) => available(item) > 0);
}

/** The stock item that is promised to a unit, if any is. */
export function promised(db: Database, unit: InventoryUnit): StockItem | undefined {
  if (unit.inventory_state !== 'onhold') return undefined;
  return stockAt(db, unit.variant_id, unit.stock_location_id);
}

/** Where a unit can be taken from: what is promised to it, if that is still on hand, or what is promised to nobody. */
export function sellable(db: Database, unit: InventoryUnit): StockItem | undefined {
  const own = promised(db, unit);
  return own !== undefined && own.on_hand > 0 ? own : promisable(db, unit);
}

/** Counts pieces in or out: `{ on_hand: -1 }`. */
export function count(
  db: Database,
  item: StockItem | undefined,
  by: { readonly on_hand?: number; readonly on_hold?: number },
): void {
  const now = item && db.stockItems.get(item.id);
  if (now === undefined) return;
  db.stockItems.change(now.id, {
    on_hand: now.on_hand + (by.on_hand ?? 0),
    on_hold: Math.max(0, now.on_hold + (by.on_hold ?? 0)),
  });
}

function openStock(db: Database, variant_id: number): StockItem[] {
  return db.stockItems
    .by('variant', variant_id)
    .filter(({ stock_location_id }) => isOpen(db, stock_location_id));
}
