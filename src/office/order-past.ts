import type { Recorded } from '../journal/journal.ts';
import { Problem } from '../lib/problem.ts';
import type { EngineShop } from '../definition/api.ts';
import type { Database } from '../models/database.ts';
import { storeShop } from '../resources/endpoint.ts';
import type { Row } from '../store/row.ts';
import { movesOf, type Move, type RowWrite } from './changes.ts';
import type { EntryDetails, OrderPast } from './history-api.ts';
import { madeIn, writesOf } from './history-summary.ts';
import { includes, type IdRanges } from './timeline.ts';

/**
 * Returns an order as it was after an entry: takes the writes of all later entries back, the newest first, without
 * changing the shop.
 *
 * @param all the entries of the history, oldest first
 * @param inEffect those that the state after the entry comes from
 * @throws Problem `missing` if there was no such order
 */
export function orderAt(
  shop: EngineShop,
  all: readonly Recorded[],
  inEffect: IdRanges,
  id: number,
  last: number,
): OrderPast {
  const tables = presentRows(storeShop(shop).db, id);
  for (const recorded of all.toReversed()) {
    if (recorded.id <= last) break;
    for (const write of writesOf(recorded).toReversed()) takeBack(tables, write, id);
  }
  const { orders, ...children } = Object.fromEntries(
    [...tables].map(([table, rows]) => [
      table,
      [...rows.values()].toSorted((one, other) => one.id - other.id),
    ]),
  );
  const [order] = orders ?? [];
  if (order === undefined) {
    const then = all.at(-1)?.id === last ? '' : ` after entry ${last}`;
    throw new Problem('missing', `There is no order ${id}${then}.`);
  }
  return { order, tables: children, moves: [...waysOf(shop, all, inEffect, tables)] };
}

type Tables = ReadonlyMap<string, Map<number, Row>>;

function presentRows(db: Database, id: number): Tables {
  const order = db.orders.getWithDeleted(id);
  const tables = { orders: order === undefined ? [] : [order], ...recordsOf(db, id) };
  return new Map(
    Object.entries(tables).map(([table, rows]) => [
      table,
      new Map((rows as readonly Row[]).map((row) => [row.id, row])),
    ]),
  );
}

/** Returns the records of an order by table, without the order. */
export function recordsOf(db: Database, id: number) {
  return {
    order_items: db.orderItems.by('order', id),
    payments: db.payments.by('order', id),
    shipments: db.shipments.by('order', id),
    inventory_units: db.inventoryUnits.by('order', id),
    adjustments: [...db.adjustments.by('order', id), ...db.adjustments.by('itemsOf', id)],
  };
}

function takeBack(tables: Tables, { table, id, before }: RowWrite, order: number): void {
  const rows = tables.get(table);
  if (rows === undefined) return;
  const isOwn = (table === 'orders' ? id : orderOf(before)) === order;
  if (isOwn && before !== undefined) rows.set(id, before);
  else rows.delete(id);
}

function orderOf(row: Row | undefined): number | undefined {
  return (row as { readonly order_id?: number } | undefined)?.order_id;
}

/** Restores and resets write states that nothing has moved to. */
function* waysOf(
  { api }: EngineShop,
  all: readonly Recorded[],
  inEffect: IdRanges,
  tables: Tables,
): Generator<Move> {
  for (const recorded of all) {
    const { jump } = (recorded.details ?? {}) as Partial<EntryDetails>;
    if (jump !== undefined || !includes(inEffect, recorded.id)) continue;
    const own = writesOf(recorded).filter(({ table, id }) => tables.get(table)?.has(id) === true);
    yield* movesOf(api.machines, own, madeIn(recorded));
  }
}
