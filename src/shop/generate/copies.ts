import type { AnyTable } from '../../engine/store/database.ts';
import { getOrCreate } from '../../engine/lib/maps.ts';
import type { Fields, Row, Values } from '../../engine/store/row.ts';
import { nextNumbers } from '../checkout/machines/order.ts';
import type { Database } from '../models/database.ts';
import type { Customer } from './customers.ts';
import { byTable, tables, type ByTable } from './copied-rows.ts';
import type { PlayedOrder } from './played-order.ts';
import { secondsOf, timestamp } from './times.ts';

/** A copy of an order that was played: for a customer of the same place, at the same time or a later one. */
export interface Copy {
  readonly played: PlayedOrder;
  readonly customer: Customer;
  /** When its cart is created, in seconds since 1970. */
  readonly at: number;
}

/** Stores copies in their order, with other ids, numbers, times and customers. */
export function storeCopies(
  db: Database,
  copies: readonly Copy[],
  report: (position: number) => void,
): void {
  const numbers = numbersOf(db, copies);
  const rows = byTable((): Row[] => []);
  const next = byTable((table) => db[table].state.nextId);
  const firstUnit = next.inventoryUnits;
  for (const [position, { played, customer, at }] of copies.entries()) {
    report(position);
    const timeOf = at === played.from ? undefined : memoizeTimestamps(at - played.from);
    const number = numbers.get(position);
    const { user, address } = customer;
    const { first_name, last_name, street } = address;
    const others: Partial<ByTable<Values>> = {
      addresses: { first_name, last_name, street },
      orders: { user_id: user.id, email: user.email, ...(number !== undefined && { number }) },
    };
    for (const table of tables)
      for (const [place, { row, references }] of played.rows[table].entries()) {
        const copy: Fields = { ...row, ...others[table], id: next[table] + place };
        for (const [field, to, other] of references) copy[field] = next[to] + other;
        if (timeOf !== undefined) moveTimes(copy, timeOf);
        rows[table].push(Object.freeze(copy));
      }
    for (const table of tables) next[table] += played.rows[table].length;
  }
  for (const table of tables) {
    const target: AnyTable = db[table];
    target.insertFrozen(rows[table]);
  }
  holdStock(db, firstUnit);
}

const timeFields = ['created_at', 'updated_at', 'completed_at', 'expires_at'];

function moveTimes(copy: Fields, timeOf: (time: string) => string): void {
  for (const field of timeFields) {
    const time = copy[field];
    if (typeof time === 'string') copy[field] = timeOf(time);
  }
}

/** Returns the function from a timestamp to that some seconds later. The records of an order share a few times. */
function memoizeTimestamps(later: number): (time: string) => string {
  const known = new Map<string, string>();
  return (time) => getOrCreate(known, time, () => timestamp(secondsOf(time) + later));
}

/** Returns the numbers of confirmed orders by position. Orders are numbered in the order of their confirm steps. */
function numbersOf(db: Database, copies: readonly Copy[]): ReadonlyMap<number, string> {
  const confirmed = copies.flatMap(({ played, at }, position) => {
    const { order, from } = played;
    if (order.completed_at === undefined) return [];
    return [{ position, at: at - from + secondsOf(order.completed_at) }];
  });
  confirmed.sort((one, other) => one.at - other.at);
  const numbers = nextNumbers(db, confirmed.length);
  return new Map(confirmed.map(({ position }, at) => [position, numbers[at] ?? '']));
}

/** Holds stock for the units from an id on. Stock on hand rises by as much, as if the shop had restocked it. */
function holdStock(db: Database, from: number): void {
  for (const { id, inventory_state, variant_id, stock_location_id } of db.inventoryUnits.all()) {
    if (id < from || inventory_state !== 'onhold') continue;
    const stock = db.stockItems.by('variant', variant_id);
    const item = stock.find((one) => one.stock_location_id === stock_location_id);
    if (item === undefined) continue;
    const { on_hand, on_hold } = item;
    db.stockItems.change(item.id, { on_hand: on_hand + 1, on_hold: on_hold + 1 });
  }
}
