import type { Row, Values } from '../../engine/store/row.ts';
import { definitions, type Database } from '../models/database.ts';
import type { Order } from '../models/order.ts';
import { orderRecords } from '../order-records.ts';
import { secondsOf } from './times.ts';

/** The tables that have the records of an order. */
export const tables = [
  'addresses',
  'orders',
  'orderItems',
  'shipments',
  'payments',
  'adjustments',
  'inventoryUnits',
] as const;
type TableName = (typeof tables)[number];
export type ByTable<Value> = Readonly<Record<TableName, Value>>;

/** A record that is copied, with the places of what changes in each copy. */
interface CopiedRow {
  readonly row: Row;
  /** Fields with the record that they refer to: its table, and its position among those of the order. */
  readonly references: readonly (readonly [field: string, table: TableName, position: number])[];
  /** Fields with their times, in seconds since 1970. */
  readonly times: readonly (readonly [field: string, time: number])[];
}
export type CopiedRows = ByTable<readonly CopiedRow[]>;

/** Returns an order with its records, to be copied. */
export function copiedRows(db: Database, order: Order): CopiedRows {
  const { order_items, inventory_units, ...records } = orderRecords(db, order.id);
  const { shipping_address_id: shipping = 0, billing_address_id: billing = 0 } = order;
  const rows: ByTable<readonly Row[]> = {
    ...records,
    addresses: [shipping, billing].flatMap((id) => db.addresses.get(id) ?? []),
    orders: [order],
    orderItems: order_items,
    inventoryUnits: inventory_units,
  };
  return byTable((table) => rows[table].map((row) => copiedRow(table, row, rows)));
}

const timeFields = ['created_at', 'updated_at', 'completed_at', 'expires_at'];

function copiedRow(table: TableName, row: Row, rows: ByTable<readonly Row[]>): CopiedRow {
  const values: Values = row;
  const all: Readonly<Record<string, string>> = definitions[table].references ?? {};
  return {
    row,
    references: Object.entries(all).flatMap(([field, name]) => {
      const to = tables.find((one) => one === name);
      if (to === undefined || values[field] === undefined) return [];
      return [[field, to, rows[to].findIndex(({ id }) => id === values[field])]];
    }),
    times: timeFields.flatMap((field) => {
      const time = values[field];
      return typeof time === 'string' ? [[field, secondsOf(time)]] : [];
    }),
  };
}

export function byTable<Value>(create: (table: TableName) => Value): Record<TableName, Value> {
  return Object.fromEntries(tables.map((table) => [table, create(table)])) as never;
}
