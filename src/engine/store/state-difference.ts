import { byNumber } from './key-order.ts';
import { changesBetween } from './map-changes.ts';
import type { Row, Values } from './row.ts';
import type { TableState } from './table-state.ts';

/** The difference of the content of a table from that of another one. */
export interface RowDifference<R extends Row = Row> {
  /** Rows that are new or changed. */
  readonly rows: readonly R[];
  /** Ids of rows that are no longer there. */
  readonly removed: readonly number[];
  /** Soft-deleted rows that the other one has not soft-deleted. */
  readonly deleted: readonly R[];
  /** Ids of soft-deleted rows that only the other one has. */
  readonly restored: readonly number[];
  readonly nextId: number;
}

/** Returns the changes between two states of a table, in a time that depends on these only; undefined for none. */
export function differenceOf(before: TableState, after: TableState): RowDifference | undefined {
  if (before === after) return undefined;
  const { nextId } = after;
  const live = changesBetween(before.rows.root, after.rows.root, byNumber);
  const gone = changesBetween(before.deleted.root, after.deleted.root, byNumber);
  const rows = live.set.filter((row) => !isSame(before.rows.get(row.id), row));
  const deleted = gone.set.filter((row) => !isSame(before.deleted.get(row.id), row));
  const count = rows.length + live.removed.length + deleted.length + gone.removed.length;
  if (count === 0 && nextId === before.nextId) return undefined;
  return { rows, removed: live.removed, deleted, restored: gone.removed, nextId };
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
function isSame(before: Row | undefined, after: Row): boolean {
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
