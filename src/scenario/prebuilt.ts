import {
  contentOf,
  storedTable,
  tableNames,
  type DatabaseState,
  type TableName,
} from '../models/database.ts';
import type { StoredRows } from '../store/lazy-tables.ts';
import type { TableState } from '../store/table.ts';
import type { ReadyScenario } from './scenario.ts';
import type { Start } from './start.ts';

/** The serialized start of a scenario. A program that contains it does not set the scenario up. */
export interface PrebuiltStart {
  /** JSON. */
  readonly scenario: string;
  /** The content of each table as JSON, parsed when the table is first read. */
  readonly tables: Readonly<Record<TableName, string>>;
}

export function prebuildStart({ scenario, state }: Start): PrebuiltStart {
  const tables = tableNames.map((name) => [name, JSON.stringify(contentOf(state[name]))]);
  return {
    scenario: JSON.stringify({ ...scenario, data: [...scenario.data] }),
    tables: Object.fromEntries(tables) as PrebuiltStart['tables'],
  };
}

/** Returns the scenario of a prebuilt start. Its schema has already parsed it, and does not parse it again. */
export function prebuiltScenario({ scenario }: PrebuiltStart): ReadyScenario {
  const fields = JSON.parse(scenario) as ScenarioFields;
  return { ...fields, data: new Map(fields.data) };
}

/** A scenario with its records as a list, since JSON has no maps. */
type ScenarioFields = Omit<ReadyScenario, 'data'> & { readonly data: [string, object[]][] };

/** Returns the state of a prebuilt start. Each table is built when it is first read. */
export function prebuiltState({ tables }: PrebuiltStart): DatabaseState {
  const state = {};
  for (const name of tableNames) {
    let table: TableState | undefined;
    Object.defineProperty(state, name, {
      enumerable: true,
      get: () => (table ??= storedTable(name, JSON.parse(tables[name]) as StoredRows)),
    });
  }
  return state as DatabaseState;
}
