import { Problem } from '../../lib/problem.ts';
import { changedState } from '../../scenario/changes.ts';
import type { OpenShop } from '../../scenario/start.ts';
import { definitionsByName, type AnyTable } from '../../store/database.ts';
import type { TraceState } from './trace-format.ts';

/** Returns the table with a name. @throws Problem `malformed` if there is none */
export function tableOf(
  { api, db }: OpenShop,
  name: string,
): readonly [key: string, table: AnyTable] {
  const [key = ''] = definitionsByName(api.tables).get(name) ?? [];
  const table = db[key];
  if (table === undefined) throw new Problem('malformed', `There is no table ${name}.`);
  return [key, table];
}

/** Writes the changes of tables, by their names. @throws Problem `malformed` for a table that there is not, `invalid` for records */
export function writeChanges(shop: OpenShop, tables: TraceState['tables']): void {
  for (const [name, changes] of Object.entries(tables)) {
    const [key, table] = tableOf(shop, name);
    const change = { since: '', tables: { [name]: changes } };
    const changed = changedState({ [key]: table.state }, shop.api, change, 'trace');
    table.parts.rows.restore(changed[key] ?? table.state);
  }
}
