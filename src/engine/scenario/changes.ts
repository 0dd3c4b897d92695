import type { ApiDefinition } from '../definition/api.ts';
import { isObject } from '../lib/json-value.ts';
import { Problem } from '../lib/problem.ts';
import { unknownKeys } from '../lib/unknown-keys.ts';
import type { Clock } from '../lib/virtual-clock.ts';
import {
  definitionsByName,
  freezeStored,
  type AnyDefinition,
  type DatabaseState,
} from '../store/database.ts';
import { assertRecords } from './record-check.ts';
import { RowBuilder } from '../store/row-builder.ts';
import { RowSet } from '../store/row-set.ts';
import { inOrderOf, type Row } from '../store/row.ts';
import type { TableChanges } from '../store/state-difference.ts';
import type { TableState } from '../store/table-state.ts';
import { Transaction } from '../store/transaction.ts';

/**
 * Returns the tables that changes lead to, by their keys: `orderItems`.
 *
 * @param state what the tables were before; those that it lacks were empty
 * @param clock has the rows parsed, and gives them the times that they lack. Without a clock, they are rows of the same
 *   definition, and stay as they are
 * @param subject names the source of the changes in messages
 * @throws Problem `malformed` for a table or a field that there is not, `invalid` for a record
 */
export function changedTables(
  state: DatabaseState,
  { tables }: Pick<ApiDefinition, 'tables'>,
  changes: Readonly<Record<string, TableChanges | undefined>>,
  clock?: Clock,
  subject?: string,
): Record<string, TableState> {
  const known = definitionsByName(tables);
  if (clock !== undefined) assertRecords({ tables: changes }, { tables }, subject);
  return Object.fromEntries(
    Object.entries(changes).flatMap(([name, change]) => {
      if (change === undefined) return [];
      const [key, definition] = known.get(name) ?? [];
      if (key === undefined || definition === undefined)
        throw new Problem('malformed', unknownKeys([name], [...known.keys()], 'table'));
      const rows = new RowSet<Row>(definition, new Transaction(), state[key]);
      try {
        rows.patch(clock === undefined ? freezeStored(change) : parsed(definition, change, clock));
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        const message = [subject ?? [], error.message].flat().join(': ');
        throw new Problem('invalid', message, { fields: [{ path: ['tables', name], message }] });
      }
      return [[key, rows.state]];
    }),
  );
}

function parsed(
  definition: AnyDefinition,
  { rows = [], gone = [], ...others }: TableChanges,
  clock: Clock,
): TableChanges {
  const builder = new RowBuilder<Row>(definition, clock);
  const parse = (records: readonly Row[]): Row[] => {
    const sent = records.filter(isObject);
    return builder
      .parseAll(sent, 1)
      .map((fields, at) => builder.seal(inOrderOf(sent[at]!, fields)));
  };
  return { ...others, rows: parse(rows), gone: parse(gone) };
}
