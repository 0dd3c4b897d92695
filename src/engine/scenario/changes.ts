import * as z from 'zod';
import type { ApiDefinition } from '../definition/api.ts';
import {
  contentOf,
  stateOfStored,
  type AnyDatabase,
  type AnyDefinition,
  type DatabaseState,
} from '../store/database.ts';
import type { TableState } from '../store/table-state.ts';
import { inOrderOf, type Row } from '../store/row.ts';
import { rowChanges } from '../store/state-difference.ts';
import { assertNoIssues, invalidRecords, parseOrThrow } from './issues.ts';
import type { ScenarioChanges } from './format.ts';

type TableChanges = NonNullable<ScenarioChanges['tables'][string]>;

/**
 * Returns a state with changes.
 *
 * @param subject names the scenario in messages
 * @throws Problem `invalid` with the issues of the first table that has any
 */
export function changedState(
  state: DatabaseState,
  api: ApiDefinition,
  { tables }: ScenarioChanges,
  subject: string,
): DatabaseState {
  const changed: Record<string, TableState> = {};
  for (const [key, definition] of Object.entries(api.tables)) {
    const [content, changes] = [state[key], tables[definition.name]];
    if (content === undefined || changes === undefined) continue;
    changed[key] = changedTable(definition, content, changes, `${subject}, ${key}`);
  }
  return { ...state, ...changed };
}

function changedTable(
  definition: AnyDefinition,
  state: TableState,
  { next_id: nextId, rows = [], gone = [], removed = [] }: TableChanges,
  subject: string,
): TableState {
  const content = contentOf(state);
  const live = new Map(content.rows.map((row) => [row.id, row]));
  const deleted = new Map(content.deleted.map((row) => [row.id, row]));
  for (const id of [...removed, ...[...rows, ...gone].map((row) => row.id)]) {
    live.delete(id);
    deleted.delete(id);
  }
  for (const row of parsed(definition, rows, subject)) live.set(row.id, row);
  for (const row of parsed(definition, gone, subject)) deleted.set(row.id, row);
  return stateOfStored(definition, { rows: byId(live), deleted: byId(deleted), nextId });
}

function parsed(
  { schema }: AnyDefinition,
  records: readonly object[],
  subject: string,
): readonly Row[] {
  const rows = parseOrThrow(z.array(schema), records, subject);
  // A copy, because the rows of a table are frozen.
  return structuredClone(rows.map((row, at) => inOrderOf(records[at]!, row)));
}

function byId(rows: ReadonlyMap<number, Row>): Row[] {
  return [...rows.values()].toSorted((one, other) => one.id - other.id);
}

/** @throws Problem `invalid` for records that the checks of the API reject */
export function assertValidRecords(db: AnyDatabase, api: ApiDefinition, subject: string): void {
  const issues = invalidRecords(db, api, (table) => ['changes', 'tables', table, 'rows']);
  assertNoIssues(subject, issues);
}

/** Returns the changes that lead from one state to another. */
export function changesBetween(
  before: DatabaseState,
  after: DatabaseState,
): ScenarioChanges['tables'] {
  return Object.fromEntries(
    Object.entries(after).flatMap(([key, state]) => {
      const changes = tableChanges(before[key] ?? state, state);
      return changes === undefined ? [] : [[state.definition.name, changes]];
    }),
  );
}

/** Unlike `differenceOf`, it keeps the order in which a row has its fields, which the history shows. */
function tableChanges(before: TableState, after: TableState): TableChanges | undefined {
  if (before === after) return undefined;
  const differences = rowChanges(before, after).filter(
    (one) => JSON.stringify(one.before) !== JSON.stringify(one.after),
  );
  const rows = differences.flatMap((one) => (one.after === undefined ? [] : [one.after]));
  const goneBefore = new Map([...before.deleted.values()].map((row) => [row.id, row]));
  const gone = [...after.deleted.values()].filter(
    (row) => JSON.stringify(row) !== JSON.stringify(goneBefore.get(row.id)),
  );
  const removed = [...differences.map(({ id }) => id), ...goneBefore.keys()].filter(
    (id) => !after.rows.has(id) && !after.deleted.has(id),
  );
  if (before.nextId === after.nextId && rows.length + gone.length + removed.length === 0)
    return undefined;
  return {
    next_id: after.nextId,
    ...(rows.length > 0 && { rows: rows.map(recordOf) }),
    ...(gone.length > 0 && { gone: gone.map(recordOf) }),
    ...(removed.length > 0 && { removed }),
  };
}

function recordOf(row: Row): NonNullable<TableChanges['rows']>[number] {
  return { ...row };
}
