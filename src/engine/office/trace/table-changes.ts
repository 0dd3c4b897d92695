import { Problem } from '../../lib/problem.ts';
import { changedTables } from '../../scenario/changes.ts';
import type { OpenShop } from '../../scenario/start.ts';
import { definitionsByName, stateOf, type AnyTable } from '../../store/database.ts';
import type { TableChanges } from '../../store/state-difference.ts';

/** Returns the table with a name. @throws Problem `malformed` if there is none */
export function tableOf({ api, db }: OpenShop, name: string): AnyTable {
  const [key = ''] = definitionsByName(api.tables).get(name) ?? [];
  const table = db[key];
  if (table === undefined) throw new Problem('malformed', `There is no table ${name}.`);
  return table;
}

/** Writes the changes of tables, by their names. @throws Problem as `changedTables` */
export function writeChanges(
  { api, db, clock }: OpenShop,
  tables: Readonly<Record<string, TableChanges>>,
): void {
  const changed = changedTables(stateOf(db), api, tables, clock);
  for (const [key, state] of Object.entries(changed)) db[key]?.restore(state);
}
