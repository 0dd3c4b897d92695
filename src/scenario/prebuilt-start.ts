import {
  createDatabase,
  tableNames,
  type Database,
  type DatabaseState,
  type TableName,
} from '../models/database.ts';
import type { Row } from '../store/row.ts';
import type { TableState } from '../store/table.ts';
import { Transaction } from '../store/transaction.ts';
import type { ReadyScenario } from './scenario.ts';
import type { Start } from './start.ts';

/** What a scenario came to when it was set up, as text: a program that carries it need not set it up again. */
export interface PrebuiltStart {
  /** JSON. */
  readonly scenario: string;
  /** What each table holds: JSON, which nobody reads before the table is opened. */
  readonly tables: Readonly<Record<TableName, string>>;
}

export function prebuildStart({ scenario, state }: Start): PrebuiltStart {
  const tables = tableNames.map((name) => [name, JSON.stringify(contentOf(state[name]))]);
  return {
    scenario: JSON.stringify({ ...scenario, data: [...scenario.data] }),
    tables: Object.fromEntries(tables) as PrebuiltStart['tables'],
  };
}

/** The scenario as it was opened. Its schema has passed it before, and is not asked again. */
export function prebuiltScenario({ scenario }: PrebuiltStart): ReadyScenario {
  const fields = JSON.parse(scenario) as ScenarioFields;
  return { ...fields, data: new Map(fields.data) };
}

/** A scenario with its records as a list, since JSON has no maps. */
type ScenarioFields = Omit<ReadyScenario, 'data'> & { readonly data: [string, object[]][] };

/** What the tables held, each built when it is first asked for. */
export function prebuiltState({ tables }: PrebuiltStart): DatabaseState {
  const db = createDatabase({ clock: { now: unasked }, transaction: new Transaction() });
  const state = {};
  for (const name of tableNames) {
    let held: TableState | undefined;
    Object.defineProperty(state, name, {
      enumerable: true,
      get: () => (held ??= filled(db, name, JSON.parse(tables[name]) as Content)),
    });
  }
  return state as DatabaseState;
}

interface Content {
  readonly nextId: number;
  readonly rows: readonly Row[];
  readonly gone: readonly Row[];
}

function contentOf({ nextId, rows, deleted: gone }: TableState): Content {
  return { nextId, rows: [...rows.values()], gone: [...gone.values()] };
}

/** What all tables have in common; the types of all of them at once are more than the compiler reckons with. */
interface Filling {
  addAll(rows: readonly Row[]): unknown;
  remove(id: number): unknown;
  reserveIds(next: number): void;
  readonly state: TableState;
}

function filled(db: Database, name: TableName, { rows, gone, nextId }: Content): TableState {
  const table = db[name] as Filling;
  table.addAll(gone);
  for (const { id } of gone) table.remove(id);
  table.addAll(rows);
  table.reserveIds(nextId);
  return table.state;
}

/** Rows have the stamps that they were given. */
function unasked(): never {
  throw new RangeError('a baked row has no stamps');
}
