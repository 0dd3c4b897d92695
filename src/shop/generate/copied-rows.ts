import type { Row, Values } from '../../engine/store/row.ts';
import { definitions, type Database } from '../models/database.ts';
import type { Order } from '../models/order.ts';
import { orderRecords } from '../order-records.ts';

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

/** A record that is copied, with what it refers to. */
interface CopiedRow {
  readonly row: Row;
  /** Fields with the record that they refer to: its table, and its position among those of the order. */
  readonly references: readonly (readonly [field: string, table: TableName, position: number])[];
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
  return byTable((table) => {
    const references = referencesOf(table);
    return rows[table].map((row) => copiedRow(row, references, rows));
  });
}

/** Returns the fields of a table that refer to records of an order. */
function referencesOf(table: TableName): (readonly [field: string, to: TableName])[] {
  const all: Readonly<Record<string, string>> = definitions[table].references ?? {};
  return Object.entries(all).flatMap(([field, name]) => {
    const to = tables.find((one) => one === name);
    return to === undefined ? [] : [[field, to]];
  });
}

function copiedRow(
  row: Row,
  fields: ReturnType<typeof referencesOf>,
  rows: ByTable<readonly Row[]>,
): CopiedRow {
  const values: Values = row;
  const references: CopiedRow['references'][number][] = [];
  for (const [field, to] of fields) {
    const id = values[field];
    if (id !== undefined) references.push([field, to, rows[to].findIndex((one) => one.id === id)]);
  }
  return { row, references };
}

export function byTable<Value>(create: (table: TableName) => Value): Record<TableName, Value> {
  return Object.fromEntries(tables.map((table) => [table, create(table)])) as never;
}
