import { invalid, notValid } from '../../engine/lib/problem.ts';
import type { Database } from '../models/database.ts';
import type { InventoryUnit } from '../models/order.ts';
import type { StockItem } from '../models/stock.ts';
import { productOf } from './order-rows.ts';
import type { Cascade } from './machines/machine.ts';
import type { Shop } from './shop.ts';

export interface StockLevel {
  readonly stock_location_id: number;
  readonly variant_id: number;
  readonly on_hand: number;
}

/**
 * Sets the stock on hand of a variant at a location. Sells it to backordered units at once, the oldest first.
 *
 * @returns the stock item after these sales
 * @throws Problem `invalid` for an unknown location or variant, or an invalid number
 */
export function setStock(shop: Shop, level: StockLevel, cascade: Cascade): StockItem {
  const { db } = shop;
  const { stock_location_id, variant_id, on_hand } = level;
  if (db.stockLocations.get(stock_location_id) === undefined) {
    throw invalid(['stockLocation'], notValid);
  }
  if (db.variants.get(variant_id) === undefined) throw invalid(['variant'], notValid);
  if (!Number.isSafeInteger(on_hand) || on_hand < 0) throw invalid(['onHand'], notValid);
  const known = stockAt(db, variant_id, stock_location_id);
  const item =
    known === undefined
      ? db.stockItems.add({ ...level, on_hold: 0 })
      : db.stockItems.change(known.id, { on_hand });
  fillBackorders(shop, variant_id, cascade);
  return db.stockItems.get(item.id) ?? item;
}

/** Returns why a quantity of a variant is not available; undefined if it is, or if its stock is not tracked. */
export function shortage(db: Database, variant_id: number, requested: number): string | undefined {
  if (!isTracked(db, variant_id)) return undefined;
  const on_hand = availableOf(db, variant_id);
  if (requested <= on_hand) return undefined;
  const name = productOf(db, variant_id)?.name;
  return `Only ${on_hand} ${name}(s) on hand, ${requested} requested.`;
}

/** Returns the first shortage of an order whose stock is not on hold yet. */
export function shortageOf(db: Database, order: { readonly id: number }): string | undefined {
  const units = db.inventoryUnits.by('order', order.id);
  for (const [variant, wanted] of Map.groupBy(units, ({ variant_id }) => variant_id)) {
    const reason = shortage(db, variant, wanted.length);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

type Available = Pick<StockItem, 'on_hand' | 'on_hold'>;

/** Returns stock on hand minus stock on hold, at least 0. */
export function available({ on_hand, on_hold }: Available): number {
  return Math.max(0, on_hand - on_hold);
}

/** Whether stock of a location can be sold. */
export function isEnabledLocation(db: Database, stock_location_id: number): boolean {
  return db.stockLocations.get(stock_location_id)?.enabled === true;
}

/** Whether the shop tracks the stock of a variant. */
export function isTracked(db: Database, variant_id: number): boolean {
  return db.stockItems.countBy('variant', variant_id) > 0;
}

/** Returns the available stock of a variant, over all enabled locations. */
export function availableOf(db: Database, variant_id: number): number {
  return enabledStock(db, variant_id).reduce((sum, item) => sum + available(item), 0);
}

export function stockAt(
  db: Database,
  variant_id: number,
  stock_location_id: number | undefined,
): StockItem | undefined {
  if (stock_location_id === undefined) return undefined;
  return db.stockItems.findUnique('place', `${variant_id} at ${stock_location_id}`);
}

/** Returns the stock item to put a unit on hold at: its planned location if available, or else any. */
export function stockToHold(db: Database, unit: InventoryUnit): StockItem | undefined {
  const planned = stockAt(db, unit.variant_id, unit.stock_location_id);
  if (
    planned !== undefined &&
    isEnabledLocation(db, planned.stock_location_id) &&
    available(planned) > 0
  ) {
    return planned;
  }
  return enabledStock(db, unit.variant_id).find((item) => available(item) > 0);
}

/** Returns the stock item that a unit is on hold at. */
export function stockOnHold(db: Database, unit: InventoryUnit): StockItem | undefined {
  if (unit.inventory_state !== 'onhold') return undefined;
  return stockAt(db, unit.variant_id, unit.stock_location_id);
}

/** Returns the stock item to sell a unit from: the one it is on hold at, if that is on hand, or else any. */
export function stockToSell(db: Database, unit: InventoryUnit): StockItem | undefined {
  const own = stockOnHold(db, unit);
  return own !== undefined && own.on_hand > 0 ? own : stockToHold(db, unit);
}

/** Adds to the counts of a stock item: `{ on_hand: -1 }`. */
export function changeStock(
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

function enabledStock(db: Database, variant_id: number): StockItem[] {
  return db.stockItems
    .by('variant', variant_id)
    .filter(({ stock_location_id }) => isEnabledLocation(db, stock_location_id));
}

/** Sells available stock to backordered units, the oldest first. */
export function fillBackorders({ db }: Shop, variant_id: number, cascade: Cascade): void {
  const units = db.inventoryUnits;
  if (units.countBy('backordered', variant_id) === 0) return;
  const { skipped } = memoOf(cascade);
  const pageOrder = { by: 'backordered', prefix: [variant_id] } as const;
  for (let at = skipped.get(variant_id) ?? 0; availableOf(db, variant_id) > 0;) {
    const [unit] = units.page(at, 1, pageOrder);
    if (unit === undefined) return;
    if (awaitsStock(db, unit)) cascade('inventory_unit', [unit], 'sell');
    // A sold unit leaves the index, and the next one takes its position.
    if (units.get(unit.id)?.inventory_state === 'backordered') at += 1;
    skipped.set(variant_id, at);
  }
}

/** Prepares the backordered shipments of an order once all of its units are sold. */
export function prepareShipments({ db }: Shop, order_id: number, cascade: Cascade): void {
  const { backordered } = memoOf(cascade);
  const isShort = (unit: InventoryUnit): boolean =>
    unit.inventory_state === 'backordered' && awaitsStock(db, unit);
  const known = db.inventoryUnits.get(backordered.get(order_id) ?? 0);
  if (known !== undefined && isShort(known)) return;
  // The oldest units are sold first, so the last one waits longest.
  const last = db.inventoryUnits.by('order', order_id).findLast(isShort);
  if (last !== undefined) return void backordered.set(order_id, last.id);
  const shipments = db.shipments.by('order', order_id);
  cascade(
    'shipment',
    shipments.filter(({ state }) => state === 'backordered'),
    'prepare',
  );
}

/**
 * Memoized results of one cascade, which can release or sell thousands of units. Without them, each unit would read all
 * the others again.
 *
 * @property skipped by variant, the number of its oldest backordered units that no longer await stock
 * @property backordered by order, a unit that still awaits stock
 */
interface CascadeMemo {
  readonly skipped: Map<number, number>;
  readonly backordered: Map<number, number>;
}

function memoOf(cascade: Cascade): CascadeMemo {
  const known = memos.get(cascade) ?? { skipped: new Map(), backordered: new Map() };
  memos.set(cascade, known);
  return known;
}

const memos = new WeakMap<Cascade, CascadeMemo>();

/** Units of an order that is not confirmed, or of a cancelled shipment, no longer await stock. */
function awaitsStock(db: Database, { order_id, shipment_id }: InventoryUnit): boolean {
  const shipment = shipment_id === undefined ? undefined : db.shipments.get(shipment_id);
  return (
    db.orders.get(order_id)?.state === 'confirmed' &&
    (shipment === undefined || shipment.state === 'backordered')
  );
}
