import type { Database } from '../models/database.ts';
import type { StoreOffice } from '../office/store-office.ts';

type Named =
  | 'channels'
  | 'currencies'
  | 'orders'
  | 'promotions'
  | 'stockLocations'
  | 'users'
  | 'variants';

/** The tables that `given` reads. */
export type ReadTables = {
  readonly [Name in Named]: Pick<Database[Name], 'count' | 'get' | 'page'>;
};

/** Returns the tables, whose ids are those that clients know. Only collections read UUIDs, and they take long to load. */
export function tablesOf(office: StoreOffice): ReadTables {
  return office.shop.api.ids === undefined ? office.shop.db : office.db;
}
