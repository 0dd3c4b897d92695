import type { Shop } from '../checkout/shop.ts';
import type { EngineShop } from '../../engine/definition/api.ts';
import type { KnownHistory } from '../../engine/definition/explanation.ts';
import type { OrderUnits, StockExplanation, StockLine, StockMove } from '../office/explanation.ts';
import { Problem } from '../../engine/lib/problem.ts';
import type { InventoryUnit } from '../models/order.ts';
import type { StockItem } from '../models/stock.ts';
import { storeShop } from '../resources/endpoint.ts';
import { variantName } from './words.ts';

/**
 * Explains the stock of a variant: who holds it, and what moved it.
 *
 * @throws Problem `missing`
 */
export function explainStock(
  engine: EngineShop,
  variant: number,
  history: KnownHistory,
): StockExplanation {
  const shop = storeShop(engine);
  const { db } = shop;
  if (db.variants.getWithDeleted(variant) === undefined) {
    throw new Problem('missing', `There is no variant ${variant}.`);
  }
  const units = db.inventoryUnits.all().filter(({ variant_id }) => variant_id === variant);
  return {
    variant,
    label: variantName(shop, variant),
    changesFrom: history.reach.changesFrom,
    lines: db.stockItems.by('variant', variant).map((item) => lineOf(shop, item, units, history)),
    backordered: byOrder(units.filter(({ inventory_state }) => inventory_state === 'backordered')),
  };
}

function lineOf(
  shop: Shop,
  item: StockItem,
  units: readonly InventoryUnit[],
  history: KnownHistory,
): StockLine {
  const { stock_location_id, on_hand, on_hold } = item;
  const location = shop.db.stockLocations.get(stock_location_id);
  const moves = movesOf(item, units, history);
  const held = units.filter(
    (unit) => unit.inventory_state === 'onhold' && unit.stock_location_id === stock_location_id,
  );
  return {
    stock_location: stock_location_id,
    label: location?.name ?? '',
    enabled: location?.enabled === true,
    on_hand,
    on_hold,
    held: byOrder(held),
    began: {
      on_hand: moves.reduce((left, move) => left - move.on_hand, on_hand),
      on_hold: moves.reduce((left, move) => left - move.on_hold, on_hold),
    },
    moves,
  };
}

function movesOf(
  { id: item }: StockItem,
  units: readonly InventoryUnit[],
  history: KnownHistory,
): StockMove[] {
  const own = new Map(units.map((unit) => [unit.id, unit]));
  return history.of('stock_items', item).flatMap(({ id: entry, at, title, change }) => {
    const added = (name: 'on_hand' | 'on_hold'): number => {
      const { before, after } = change.fields.find(({ field }) => field === name) ?? {};
      return Number(after ?? 0) - Number(before ?? 0);
    };
    const [on_hand, on_hold] = [added('on_hand'), added('on_hold')];
    if (on_hand === 0 && on_hold === 0) return [];
    const moved = history.entry(entry).moves.filter(({ machine, id, transition }) => {
      return machine === 'inventory_unit' && transition !== undefined && own.has(id);
    });
    const causes = [...Map.groupBy(moved, ({ transition = '' }) => transition)].flatMap(
      ([transition, all]) =>
        byOrder(all.map(({ id }) => own.get(id)!)).map((one) => ({ ...one, transition })),
    );
    return [{ entry, at, title, on_hand, on_hold, units: causes }];
  });
}

function byOrder(units: readonly InventoryUnit[]): OrderUnits[] {
  return Array.from(
    Map.groupBy(units, ({ order_id }) => order_id),
    ([order, own]) => ({ order, units: own.length }),
  );
}
