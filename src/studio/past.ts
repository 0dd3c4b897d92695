import type { Entry, RecordChange } from './entries.ts';

/** A record of a table. */
export interface Row {
  readonly id: number;
  readonly [field: string]: unknown;
}

/** Records by table. */
export type Tables = ReadonlyMap<string, readonly Row[]>;

/** Whether an entry is out of effect now, and at another position of the time line. */
export interface Effect {
  readonly now: (id: number) => boolean;
  readonly shown: (id: number) => boolean;
}

/**
 * Returns records as they are at another position of the time line: takes back the entries that are in effect only now,
 * and applies those that are in effect only there.
 *
 * @param entries oldest first
 */
export function tablesAt(tables: Tables, entries: readonly Entry[], effect: Effect): Tables {
  const rows = new Map([...tables].map(([table, list]) => [table, byId(list)]));
  for (const { id, changes } of entries.toReversed()) {
    if (!effect.now(id) && effect.shown(id))
      for (const change of changes) apply(rows, change, 'before');
  }
  for (const { id, changes } of entries) {
    if (effect.now(id) && !effect.shown(id))
      for (const change of changes) apply(rows, change, 'after');
  }
  return new Map([...rows].map(([table, list]) => [table, [...list.values()]]));
}

function byId(rows: readonly Row[]): Map<number, Row> {
  return new Map(rows.map((row) => [row.id, row]));
}

function apply(
  tables: ReadonlyMap<string, Map<number, Row>>,
  { table, id, kind, fields }: RecordChange,
  to: 'before' | 'after',
): void {
  const rows = tables.get(table);
  if (rows === undefined) return;
  const isGone = kind === (to === 'before' ? 'add' : 'delete');
  if (isGone) {
    rows.delete(id);
    return;
  }
  const isNew = kind === (to === 'before' ? 'delete' : 'add');
  const known = rows.get(id);
  // Entries may change records of other orders.
  if (known === undefined && !isNew) return;
  const values = Object.fromEntries(fields.map((one) => [one.field, one[to]]));
  rows.set(id, { ...known, ...values, id });
}
