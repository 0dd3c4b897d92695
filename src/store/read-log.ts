import type { Row } from './row.ts';

/** The rows of a table, as a log requires them. */
export interface LoggedTable {
  /** A counter of changes. */
  readonly version: number;
  readonly current: { readonly rows: { get(id: number): Row | undefined } };
}

/** What was read of one table. */
export interface TableReads {
  readonly log: ReadLog;
  readonly table: LoggedTable;
  /** The version of the table when the log was last current. */
  version: number;
  /** Whether something else than single rows was read, which any change may affect. */
  isWhole: boolean;
  readonly ids: number[];
  readonly rows: (Row | undefined)[];
}

/**
 * Logs what is read of tables, to find out later whether it would still be read: rows by id are compared, and for any
 * other read, the table must not have changed.
 */
export class ReadLog {
  readonly #tables: TableReads[] = [];

  /** Starts to log what is read of a table. */
  add(table: LoggedTable): TableReads {
    const { version } = table;
    const reads = { log: this, table, version, isWhole: false, ids: [], rows: [] };
    this.#tables.push(reads);
    return reads;
  }

  /** The number of rows that were read by id. */
  get size(): number {
    return this.#tables.reduce((sum, { ids }) => sum + ids.length, 0);
  }

  /** Returns whether the same would be read now. */
  isCurrent(): boolean {
    for (const reads of this.#tables) {
      if (reads.table.version === reads.version) continue;
      if (reads.isWhole || !hasSameRows(reads)) return false;
      reads.version = reads.table.version;
    }
    return true;
  }
}

function hasSameRows({ table, ids, rows }: TableReads): boolean {
  for (let at = 0; at < ids.length; at++) {
    if (table.current.rows.get(ids[at]!) !== rows[at]) return false;
  }
  return true;
}
