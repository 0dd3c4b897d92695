import { byNumber } from './key-order.ts';
import { changesBetween } from './map-changes.ts';
import type { Row, Values } from './row.ts';
import type { TableState } from './table-state.ts';

/** The changes of a table as a value that JSON can represent. Empty lists are left out. */
export interface TableChanges<R extends Row = Row> {
  /** The id that the next new row gets. */
  next_id: number;
  /** Rows that are new or have changed. */
  rows?: R[] | undefined;
  /** Rows that were soft-deleted. */
  gone?: R[] | undefined;
  /** Ids of rows that are no longer there. */
  removed?: number[] | undefined;
}

/** The changes of tables, by their names: `order_items`. */
export type TablesChanges = Readonly<Record<string, TableChanges>>;

/**
 * Returns the changes from one state of tables to another, in a time that depends on these only.
 *
 * @param after may lack tables without changes
 * @param isSame compares two versions of a row (default: by their values; the order of fields does not count)
 */
export function tablesBetween(
  before: Readonly<Record<string, TableState>>,
  after: Readonly<Record<string, TableState>>,
  isSame: typeof hasSameValues = hasSameValues,
): TablesChanges {
  return Object.fromEntries(
    Object.entries(after).flatMap(([key, state]) => {
      const changes = tableChanges(before[key] ?? state, state, isSame);
      return changes === undefined ? [] : [[state.definition.name, changes]];
    }),
  );
}

function tableChanges(
  before: TableState,
  after: TableState,
  isSame: typeof hasSameValues,
): TableChanges | undefined {
  if (before === after) return undefined;
  const live = changesBetween(before.rows.root, after.rows.root, byNumber);
  const deleted = changesBetween(before.deleted.root, after.deleted.root, byNumber);
  const rows = live.set.filter((row) => !isSame(before.rows.get(row.id), row));
  const gone = deleted.set.filter((row) => !isSame(before.deleted.get(row.id), row));
  const removed = [...live.removed, ...deleted.removed].filter(
    (id) => !after.rows.has(id) && !after.deleted.has(id),
  );
  const count = rows.length + gone.length + removed.length;
  if (count === 0 && after.nextId === before.nextId) return undefined;
  return {
    next_id: after.nextId,
    ...(rows.length > 0 && { rows }),
    ...(gone.length > 0 && { gone }),
    ...(removed.length > 0 && { removed }),
  };
}

/** A row before and after; undefined before it was inserted and after it was removed. */
export interface RowChange {
  readonly id: number;
  readonly before: Row | undefined;
  readonly after: Row | undefined;
}

/** Returns the live rows in which two states of a table differ, by id, in a time that depends on the changes only. */
export function rowChanges({ rows: before }: TableState, { rows: after }: TableState): RowChange[] {
  const { set, removed } = changesBetween(before.root, after.root, byNumber);
  return [...removed, ...set.map(({ id }) => id)]
    .toSorted((one, other) => one - other)
    .map((id) => ({ id, before: before.get(id), after: after.get(id) }));
}

/** An import creates every row again, mostly with the same values, and in the order of the schema. */
function hasSameValues(before: Row | undefined, after: Row): boolean {
  if (before === undefined) return false;
  const old: Values = before;
  const now: Values = after;
  for (const name in now) {
    const [one, other] = [old[name], now[name]];
    if (one === other) continue;
    if (typeof other !== 'object' || JSON.stringify(one) !== JSON.stringify(other)) return false;
  }
  return Object.keys(before).length === Object.keys(after).length;
}

/** Whether two versions of a row have the same values in the same order of fields, which a history shows. */
export function isSameText(before: Row | undefined, after: Row): boolean {
  return JSON.stringify(before) === JSON.stringify(after);
}
