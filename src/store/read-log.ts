import type { Key, Row } from './row.ts';

/** The rows of a table, as a log requires them. */
export interface LoggedTable {
  /** A counter of changes. */
  readonly version: number;
  readonly current: { readonly rows: { get(id: number): Row | undefined } };
  /** Returns the live rows whose key in an index begins with a prefix. */
  rowsBy(index: string, prefix: Key): readonly Row[];
}

/**
 * What was read: a row by its id, fields of a row, the rows under a key of an index, or something else (undefined), which
 * any change of the table may affect.
 */
type ReadKey =
  | number
  | { readonly id: number; readonly fields: readonly string[] }
  | { readonly index: string; readonly prefix: Key }
  | undefined;
/** Undefined also for something else. */
type Found = Row | readonly Row[] | undefined;

/**
 * Logs what is read of tables, to find out later whether the same would still be read: rows by id, fields of rows, and
 * the rows under a key of an index are compared; for any other read, the table must not have changed.
 */
export class ReadLog {
  /**
   * Four items for each read: the table, its version when the log was last current, the key and what was found. An object
   * for each would take twice the memory.
   */
  #reads: (LoggedTable | number | ReadKey | Found)[] = [];
  /** The logs of the parts that the reader received ready-made. */
  #parts: ReadLog[] | undefined;

  /** Logs what was found under a key. */
  add(table: LoggedTable, key: ReadKey, found: Found): void {
    this.#reads.push(table, table.version, key, found);
  }

  /** Logs that something was read for which there is a log. */
  addLog(log: ReadLog): void {
    (this.#parts ??= []).push(log);
  }

  /** Ends the log: returns its approximate size in bytes, without that of parts. */
  close(): number {
    // A list that grows has room for more.
    this.#reads = this.#reads.slice();
    return this.#reads.length * itemSize;
  }

  /** Returns whether the same would be read now. */
  isCurrent(): boolean {
    const reads = this.#reads;
    let isUnchanged = true;
    for (let at = 0; at < reads.length; at += 4) {
      const table = reads[at] as LoggedTable;
      if (table.version === reads[at + 1]) continue;
      if (!isSame(table, reads[at + 2] as ReadKey, reads[at + 3] as Found)) return false;
      isUnchanged = false;
    }
    for (const part of this.#parts ?? none) if (!part.isCurrent()) return false;
    if (isUnchanged) return true;
    for (let at = 0; at < reads.length; at += 4) reads[at + 1] = (reads[at] as LoggedTable).version;
    return true;
  }
}

function isSame(table: LoggedTable, key: ReadKey, found: Found): boolean {
  if (key === undefined) return false;
  if (typeof key === 'number') return table.current.rows.get(key) === found;
  if ('fields' in key) {
    const [row, before] = [table.current.rows.get(key.id), found as Row] as Values[];
    return row !== undefined && key.fields.every((name) => row[name] === before![name]);
  }
  const rows = table.rowsBy(key.index, key.prefix);
  const before = found as readonly Row[];
  return rows.length === before.length && rows.every((row, place) => row === before[place]);
}

type Values = Readonly<Record<string, unknown>> | undefined;

const none: readonly ReadLog[] = [];
/** About the size of an item, with its share of the key and of the rows found. */
const itemSize = 24;
