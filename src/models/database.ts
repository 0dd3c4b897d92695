import { addresses } from './address.ts';
import { adjustments } from './adjustment.ts';
import { channels } from './channel.ts';
import { countries } from './country.ts';
import { coupons } from './coupon.ts';
import { currencies } from './currency.ts';
import { faultRules } from './fault-rule.ts';
import { inventoryUnits } from './inventory-unit.ts';
import { locales } from './locale.ts';
import { orders } from './order.ts';
import { orderItems } from './order-item.ts';
import { payments } from './payment.ts';
import { paymentMethods } from './payment-method.ts';
import { products } from './product.ts';
import { promotions } from './promotion.ts';
import { provinces } from './province.ts';
import { scriptRules } from './script-rule.ts';
import { sequences } from './sequence.ts';
import { settlements } from './settlement.ts';
import { shipments } from './shipment.ts';
import { shippingCategories } from './shipping-category.ts';
import { shippingMethods } from './shipping-method.ts';
import { stockItems } from './stock-item.ts';
import { stockLocations } from './stock-location.ts';
import { taxCategories } from './tax-category.ts';
import { taxRates } from './tax-rate.ts';
import { taxons } from './taxon.ts';
import { tokens } from './token.ts';
import { users } from './user.ts';
import { variants } from './variant.ts';
import { zones } from './zone.ts';
import type { TableDefinition } from '../store/table-definition.ts';
import { LazyTables, type Definitions } from '../store/lazy-tables.ts';
import { typed } from '../store/recorded.ts';
import type { Table, TableContext, TableState } from '../store/table.ts';

/** Every table of a back office. Adding one is one line here. */
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

/** The tables of one back office: `db.orders.get(3)`. */
export type Database = { readonly [Name in TableName]: TableOf<(typeof definitions)[Name]> };

/** Everything that a database holds, as it was at one moment; taking it and putting it back costs nothing to speak of. */
export type DatabaseState = { readonly [Name in TableName]: TableState };

export const tableNames = Object.keys(definitions) as TableName[];

/** Makes a database whose tables are all empty. */
export function createDatabase(context: TableContext): Database {
  const lazy = new LazyTables(typed<Definitions>(definitions), context);
  return typed<Database>(Object.defineProperties({ [tables]: lazy }, doors));
}

export function stateOf(db: Database): DatabaseState {
  return typed<DatabaseState>(tablesOf(db).state());
}

export function restoreDatabase(db: Database, state: DatabaseState): void {
  tablesOf(db).restore(state);
}

/** How many rows all tables hold, soft-deleted ones too. */
export function rowCount(db: Database): number {
  return tablesOf(db).rowCount();
}

const tables = Symbol('tables');

function tablesOf(db: object): LazyTables {
  return typed<{ [tables]: LazyTables }>(db)[tables];
}

/** One way into each table, shared by all databases. */
const doors: PropertyDescriptorMap = Object.fromEntries(
  tableNames.map((name, place) => [
    name,
    {
      enumerable: true,
      get(this: object) {
        return tablesOf(this).at(place);
      },
    },
  ]),
);
