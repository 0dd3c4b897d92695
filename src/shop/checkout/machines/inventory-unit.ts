import { inventoryUnits, type InventoryState, type InventoryUnit } from '../../models/order.ts';
import {
  changeStock,
  fillBackorders,
  isTracked,
  stockToHold,
  stockOnHold,
  prepareShipments,
  stockToSell,
  stockAt,
} from '../stock.ts';
import { whyNotPlaced, whyNotActive, createMachine } from './machine.ts';

/** One piece of an order item. Only these transitions and `setStock` change stock counts. */
export const inventoryUnitMachine = createMachine<InventoryUnit, InventoryState, 'inventory_unit'>({
  name: 'inventory_unit',
  table: inventoryUnits,
  field: 'inventory_state',
  initial: 'checkout',
  transitions: [
    {
      name: 'hold',
      from: ['checkout'],
      to: 'onhold',
      guard: ({ db }, { order_id }) => whyNotActive(db, order_id),
      // Without available stock, a unit is on hold without a location.
      fields: ({ db }, unit) => ({ stock_location_id: stockToHold(db, unit)?.stock_location_id }),
      effect: ({ db }, unit) => changeStock(db, stockOnHold(db, unit), { on_hold: 1 }),
    },
    {
      name: 'release',
      from: ['onhold'],
      to: 'checkout',
      guard: ({ db }, { order_id }) => whyNotPlaced(db, order_id),
      effect(shop, { variant_id }, { before, cascade }) {
        changeStock(shop.db, stockOnHold(shop.db, before), { on_hold: -1 });
        fillBackorders(shop, variant_id, cascade);
      },
    },
    {
      name: 'backorder',
      from: ['checkout', 'onhold'],
      to: 'backordered',
      guard: ({ db }, { order_id }) => whyNotActive(db, order_id),
      fields: () => ({ stock_location_id: undefined }),
      effect: ({ db }, _, { before }) => changeStock(db, stockOnHold(db, before), { on_hold: -1 }),
    },
    {
      name: 'sell',
      from: ['checkout', 'onhold', 'backordered'],
      to: 'sold',
      guard({ db }, unit) {
        const { order_id, variant_id } = unit;
        const inStock = !isTracked(db, variant_id) || stockToSell(db, unit) !== undefined;
        return (
          whyNotActive(db, order_id) ??
          (inStock ? undefined : `Variant ${variant_id} is out of stock.`)
        );
      },
      fields: ({ db }, unit) => ({ stock_location_id: stockToSell(db, unit)?.stock_location_id }),
      effect(shop, { variant_id, stock_location_id, order_id }, { before, cascade }) {
        const { db } = shop;
        const source = stockAt(db, variant_id, stock_location_id);
        const reserved = stockOnHold(db, before);
        if (source !== undefined && source.id === reserved?.id) {
          changeStock(db, source, { on_hand: -1, on_hold: -1 });
        } else {
          changeStock(db, reserved, { on_hold: -1 });
          changeStock(db, source, { on_hand: -1 });
        }
        if (before.inventory_state === 'backordered') prepareShipments(shop, order_id, cascade);
      },
    },
    {
      name: 'return',
      from: ['sold'],
      to: 'returned',
      guard: ({ db }, { order_id }) => whyNotPlaced(db, order_id),
      effect(shop, { variant_id, stock_location_id }, { cascade }) {
        changeStock(shop.db, stockAt(shop.db, variant_id, stock_location_id), { on_hand: 1 });
        fillBackorders(shop, variant_id, cascade);
      },
    },
  ],
  get: (db, id) => db.inventoryUnits.get(id),
  stateOf: ({ inventory_state }) => inventory_state,
  write: (db, id, inventory_state, fields) =>
    db.inventoryUnits.change(id, { ...fields, inventory_state }),
  orderOf: ({ order_id }) => order_id,
});
