import { Problem } from '../lib/problem.ts';
import { memoized } from '../lib/memoized.ts';
import type { TableDefinition } from './table-definition.ts';
import { LazyTables, type AnyTable, type Definitions } from './lazy-tables.ts';
import type { TableCollection } from './msw-data/table-collection.ts';
import type { Table, TableContext, TableState } from './table.ts';

export type { AnyTable } from './lazy-tables.ts';
export {
  contentOf,
  definitionOf,
  definitionsByName,
  freezeStored,
  stateOfStored,
  type AnyDefinition,
  type Definitions,
} from './lazy-tables.ts';

type TableOf<Definition> =
  Definition extends TableDefinition<infer Schema, infer IndexName, infer UniqueName>
    ? Table<Schema, IndexName, UniqueName>
    : never;

type CollectionOf<Definition> =
  Definition extends TableDefinition<infer Schema, infer IndexName, infer UniqueName>
    ? TableCollection<Schema, IndexName, UniqueName>
    : never;

/** The tables of one back office by name: `db.orders.get(3)`. */
export type DatabaseOf<Tables> = {
  readonly [Name in keyof Tables]: TableOf<Tables[Name]>;
};

/** The same tables, each as a collection of @msw/data: `office.db.orders`. */
export type CollectionsOf<Tables> = {
  readonly [Name in keyof Tables]: CollectionOf<Tables[Name]>;
};

/** Any database, for code that does not know its tables. */
export type AnyDatabase = Readonly<Record<string, AnyTable>>;

/** The content of all tables as a value, taken and restored in constant time. */
export type DatabaseState = Readonly<Record<string, TableState>>;

const tables = Symbol('tables');

/** A database with its tables. */
interface Opened {
  readonly [tables]: LazyTables;
}

/** Creates a database with empty tables. */
export function createDatabase<Tables extends Definitions>(
  definitions: Tables,
  context: TableContext,
): DatabaseOf<Tables> {
  const lazy = new LazyTables(definitions, context);
  return Object.defineProperties({ [tables]: lazy }, gettersOf(definitions)) as DatabaseOf<Tables> &
    Opened;
}

/** Returns the tables of a database, to compare and change them without a transaction. */
export function tablesOf(db: object): LazyTables {
  if (isOpened(db)) return db[tables];
  throw new Problem('fault', 'these are not the tables of a database');
}

function isOpened(db: object): db is Opened {
  return tables in db;
}

/** Returns the content of a database, in constant time. */
export function stateOf(db: object): DatabaseState {
  return tablesOf(db).state();
}

export function restoreDatabase(db: object, state: DatabaseState): void {
  tablesOf(db).restore(state);
}

/** One getter for each table, shared by all databases of the same definitions. */
const gettersOf = memoized((definitions: Definitions): PropertyDescriptorMap => {
  const getters = Object.keys(definitions).map((name, place) => {
    const get = function get(this: Opened): AnyTable {
      return this[tables].at(place);
    };
    return [name, { enumerable: true, get }] as const;
  });
  return Object.fromEntries(getters);
});
