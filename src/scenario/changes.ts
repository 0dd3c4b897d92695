import * as z from 'zod';
import {
  contentOf,
  definitions,
  storedTable,
  tableNames,
  type Database,
  type DatabaseState,
  type TableName,
} from '../models/database.ts';
import type { Row } from '../store/row.ts';
import { rowChanges } from '../store/state-difference.ts';
import { assertNoIssues, invalidRules, parseOrThrow } from './issues.ts';
import type { ScenarioChanges } from './scenario.ts';

type TableChanges = NonNullable<ScenarioChanges['tables'][string]>;

/**
 * Returns a state with changes.
 *
 * @param subject names the scenario in messages
 * @throws Problem `invalid` with the issues of the first table that has any
 */
export function changedState(
  state: DatabaseState,
  { tables }: ScenarioChanges,
  subject: string,
): DatabaseState {
  const changed: Partial<Record<TableName, DatabaseState[TableName]>> = {};
  for (const name of tableNames) {
    const changes = tables[definitions[name].name];
    if (changes !== undefined) changed[name] = changedTable(name, state[name], changes, subject);
  }
  return { ...state, ...changed };
}

function changedTable(
  name: TableName,
  state: DatabaseState[TableName],
  { next_id: nextId, rows = [], gone = [], removed = [] }: TableChanges,
  subject: string,
): DatabaseState[TableName] {
  const content = contentOf(state);
  const live = new Map(content.rows.map((row) => [row.id, row]));
  const deleted = new Map(content.deleted.map((row) => [row.id, row]));
  for (const id of [...removed, ...[...rows, ...gone].map((row) => row.id)]) {
    live.delete(id);
    deleted.delete(id);
  }
  for (const row of parsed(name, rows, subject)) live.set(row.id, row);
  for (const row of parsed(name, gone, subject)) deleted.set(row.id, row);
  return storedTable(name, { rows: byId(live), deleted: byId(deleted), nextId });
}

function parsed(name: TableName, records: readonly object[], subject: string): readonly Row[] {
  const schema: z.ZodType<Row> = definitions[name].schema;
  // A copy, because the rows of a table are frozen.
  return structuredClone(parseOrThrow(z.array(schema), records, `${subject}, ${name}`));
}

function byId(rows: ReadonlyMap<number, Row>): Row[] {
  return [...rows.values()].toSorted((one, other) => one.id - other.id);
}

/** @throws Problem `invalid` for rules that can never apply */
export function assertValidRules(db: Database, subject: string): void {
  const issues = invalidRules(db, (table) => ['changes', 'tables', table, 'rows']);
  assertNoIssues(subject, issues);
}

/** Returns the changes that lead from one state to another. */
export function changesBetween(
  before: DatabaseState,
  after: DatabaseState,
): ScenarioChanges['tables'] {
  return Object.fromEntries(
    tableNames.flatMap((name) => {
      const changes = tableChanges(before[name], after[name]);
      return changes === undefined ? [] : [[definitions[name].name, changes]];
    }),
  );
}

function tableChanges(
  before: DatabaseState[TableName],
  after: DatabaseState[TableName],
): TableChanges | undefined {
  if (before === after) return undefined;
  const differences = rowChanges(before, after).filter(
    (one) => JSON.stringify(one.before) !== JSON.stringify(one.after),
  );
  const rows = differences.flatMap((one) => (one.after === undefined ? [] : [one.after]));
  const goneBefore = new Map([...before.deleted.values()].map((row) => [row.id, row]));
  const gone = [...after.deleted.values()].filter(
    (row) => JSON.stringify(row) !== JSON.stringify(goneBefore.get(row.id)),
  );
  const isThere = (id: number): boolean =>
    after.rows.get(id) !== undefined || after.deleted.get(id) !== undefined;
  const removed = [...differences.map(({ id }) => id), ...goneBefore.keys()].filter(
    (id) => !isThere(id),
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
