import { addresses, tokens, users } from './user.ts';
import { adjustments, inventoryUnits, orders, orderItems, sequences } from './order.ts';
import {
  channels,
  countries,
  currencies,
  locales,
  provinces,
  shippingCategories,
  taxCategories,
  taxRates,
  taxons,
  zones,
} from './lookups.ts';
import { coupons, promotions } from './promotion.ts';
import { faultRules } from './fault-rule.ts';
import { payments, settlements, paymentMethods } from './payment.ts';
import { products, variants } from './product.ts';
import { scriptRules } from './script-rule.ts';
import { shipments, shippingMethods } from './shipment.ts';
import { stockItems, stockLocations } from './stock.ts';
import type { TableDefinition } from '../store/table-definition.ts';
import type { RowDifference } from '../store/state-difference.ts';
import { LazyTables, stateOfStored, type StoredRows } from '../store/lazy-tables.ts';
import { TableCollection } from '../store/msw-data/table-collection.ts';
import type { Table, TableContext, TableState } from '../store/table.ts';

/** The tables of a back office. A new one needs one line here. */
export const definitions = {
  addresses,
  adjustments,
  channels,
  countries,
  coupons,
  currencies,
  faultRules,
  inventoryUnits,
  locales,
  orderItems,
  orders,
  paymentMethods,
  payments,
  products,
  promotions,
  provinces,
  scriptRules,
  sequences,
  settlements,
  shipments,
  shippingCategories,
  shippingMethods,
  stockItems,
  stockLocations,
  taxCategories,
  taxRates,
  taxons,
  tokens,
  users,
  variants,
  zones,
};

export type TableName = keyof typeof definitions;

type TableOf<Definition> =
  Definition extends TableDefinition<infer Schema, infer IndexName, infer UniqueName>
    ? Table<Schema, IndexName, UniqueName>
    : never;

type CollectionOf<Definition> =
  Definition extends TableDefinition<infer Schema, infer IndexName, infer UniqueName>
    ? TableCollection<Schema, IndexName, UniqueName>
    : never;

/** The tables of one shop: `db.orders.get(3)`. */
export type Database = { readonly [Name in TableName]: TableOf<(typeof definitions)[Name]> };

/** The same tables, each as a collection of @msw/data: `office.db.orders`. */
export type Collections = {
  readonly [Name in TableName]: CollectionOf<(typeof definitions)[Name]>;
};

/** The content of all tables as a value, taken and restored in constant time. */
export type DatabaseState = { readonly [Name in TableName]: TableState };

export const tableNames = Object.keys(definitions) as TableName[];

/** Creates a database with empty tables. */
export function createDatabase(context: TableContext): Database {
  const lazy = new LazyTables(definitions, context);
  return Object.defineProperties({ [tables]: lazy }, tableGetters) as Database & Opened;
}

/** Creates the collections over the tables of a database, each when it is first read. */
export function createCollections(db: Database): Collections {
  const lazy = tablesOf(db);
  const opened: unknown[] = [];
  const getters: PropertyDescriptorMap = {};
  for (const [place, name] of tableNames.entries())
    getters[name] = {
      enumerable: true,
      get: () => (opened[place] ??= new TableCollection(lazy.at(place))),
    };
  return Object.defineProperties({}, getters) as Collections;
}

/** Returns the content of a table with stored rows. */
export function storedTable(name: TableName, stored: StoredRows): TableState {
  return stateOfStored(definitions[name], stored);
}

/** Returns the rows of a table as values, which `storedTable` accepts. */
export function contentOf({ nextId, rows, deleted }: TableState): StoredRows {
  return { nextId, rows: [...rows.values()], deleted: [...deleted.values()] };
}

export function stateOf(db: Database): DatabaseState {
  return tablesOf(db).state() as DatabaseState;
}

export function restoreDatabase(db: Database, state: DatabaseState): void {
  tablesOf(db).restore(state);
}

/** The differences of tables, by their names. */
export type DatabaseDifference = ReadonlyMap<string, RowDifference>;

/** Returns the number of rows of all tables, soft-deleted ones included. */
export function rowCount(db: Database): number {
  return tablesOf(db).rowCount();
}

const tables = Symbol('tables');

/** A database with its tables. */
interface Opened {
  readonly [tables]: LazyTables;
}

/** Returns the tables of a database, to compare and change them without a transaction. */
export function tablesOf(db: Database): LazyTables {
  return (db as Database & Opened)[tables];
}

/** One getter for each table, shared by all databases. */
const tableGetters: PropertyDescriptorMap = Object.fromEntries(
  tableNames.map((name, place) => [
    name,
    {
      enumerable: true,
      get(this: Opened) {
        return this[tables].at(place);
      },
    },
  ]),
);
