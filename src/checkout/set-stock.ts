import type { StockItem } from '../models/stock-item.ts';
import { fillBackorders } from './backorders.ts';
import { cascadeOf } from './machines/transition.ts';
import { invalid, notValid } from './refusal.ts';
import type { Shop } from './shop.ts';
import { stockAt } from './stock.ts';

export interface StockLevel {
  readonly stock_location_id: number;
  readonly variant_id: number;
  readonly on_hand: number;
}

/**
 * Says how much of a variant lies at a location. Backordered units take of it at once, the oldest first.
 *
 * @returns what is left there then
 * @throws Problem `invalid` for an unknown location or variant, or a number that is none
 */
export function setStock(shop: Shop, level: StockLevel): StockItem {
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
  fillBackorders(shop, variant_id, cascadeOf(shop));
  return db.stockItems.get(item.id) ?? item;
}
