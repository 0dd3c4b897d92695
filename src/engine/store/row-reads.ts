import type { Logged, ReadSource } from './read-log.ts';
import { firstBy } from './row-index.ts';
import type { Key, Row, Values } from './row.ts';
import type { IndexMap } from './table-state.ts';
import type { Transaction } from './transaction.ts';

/** The reads of the rows of a table. */
interface ReadRows<R extends Row> {
  readonly current: { readonly rows: { get(id: number): R | undefined } };
  /** Returns the live rows whose key in an index begins with a prefix. */
  rowsBy(index: string, prefix: Key): readonly R[];
  index(name: string): IndexMap;
}

/** The rows of a table as sources of reads. Itself, it is the source of rows that are read by their ids. */
export class RowReads<R extends Row> implements ReadSource {
  readonly id: number;
  changed = 0;
  /** The source of what is read in any other way: every change may affect it. */
  readonly inAnotherWay: ReadSource;
  readonly #rows: ReadRows<R>;
  readonly #transaction: Transaction;
  readonly #fields: FieldReads<R>[] = [];
  readonly #lists: IndexReads[] = [];
  readonly #firsts: IndexReads[] = [];

  constructor(rows: ReadRows<R>, transaction: Transaction) {
    this.id = transaction.newSource();
    this.#rows = rows;
    this.#transaction = transaction;
    this.inAnotherWay = new IndexReads(this, transaction.newSource(), 'any', () => false);
  }

  finds(found: Logged, key: Logged): boolean {
    return typeof key === 'number' && this.#rows.current.rows.get(key) === found;
  }

  /** Returns the lists of rows under the keys of an index as a source. */
  by(index: string): ReadSource {
    return sourceOf(this.#lists, index, () =>
      this.#readsOf(index, (found, key) => hasSame(this.#rows.rowsBy(index, key), found)),
    );
  }

  /** Returns the first rows under the keys of an index as a source. */
  firstBy(index: string): ReadSource {
    return sourceOf(this.#firsts, index, () =>
      this.#readsOf(index, (found, key) => {
        const id = firstBy(this.#rows.index(index), key);
        return id === undefined ? found === undefined : this.finds(found, id);
      }),
    );
  }

  #readsOf(index: string, finds: Finds): IndexReads {
    return new IndexReads(this, this.#transaction.newSource(), index, finds);
  }

  /**
   * Returns fields of single rows as a source: changes of others do not concern it.
   *
   * @param fields the same list in each call
   */
  ofFields(fields: readonly string[]): ReadSource {
    const known = this.#fields.find((one) => one.fields === fields);
    if (known !== undefined) return known;
    const made = new FieldReads(this.#rows, this.#transaction.newSource(), fields);
    this.#fields.push(made);
    return made;
  }

  /** Notes that the table is being written to. */
  noteWrite(): void {
    this.changed = this.#transaction.writes + 1;
  }

  /** Notes that a row is inserted, removed or replaced; without arguments, that all rows may be. */
  noteRow(previous?: R, next?: R): void {
    for (const fields of this.#fields) {
      if (!fields.areSame(previous, next)) fields.changed = this.#transaction.writes + 1;
    }
  }
}

function sourceOf(known: IndexReads[], index: string, create: () => IndexReads): IndexReads {
  for (const source of known) if (source.index === index) return source;
  const source = create();
  known.push(source);
  return source;
}

type Finds = (found: Logged, key: Key) => boolean;

/** The rows that an index finds, as a source of reads. */
class IndexReads implements ReadSource {
  readonly id: number;
  readonly index: string;
  readonly #table: ReadSource;
  readonly #finds: Finds;

  constructor(table: ReadSource, id: number, index: string, finds: Finds) {
    this.#table = table;
    this.id = id;
    this.index = index;
    this.#finds = finds;
  }

  get changed(): number {
    return this.#table.changed;
  }

  finds(found: Logged, key: Logged): boolean {
    const parts = typeof key === 'number' || typeof key === 'string' ? [key] : key;
    return isKey(parts) && this.#finds(found, parts);
  }
}

/** Returns whether these rows were found: see `ReadLog.addByKey`. */
function hasSame(rows: readonly Row[], found: Logged): boolean {
  if (!isRows(found)) return rows.length < 2 && rows[0] === found;
  return rows.length === found.length && rows.every((row, place) => row === found[place]);
}

function isKey(item: Logged): item is Key {
  return Array.isArray(item) && typeof item[0] !== 'object';
}

function isRows(item: Logged): item is readonly Row[] {
  return Array.isArray(item) && typeof item[0] === 'object';
}

function isRow(item: Logged): item is Row {
  return typeof item === 'object' && !Array.isArray(item);
}

/** Some fields of the rows of a table as a source of reads. */
class FieldReads<R extends Row> implements ReadSource {
  readonly id: number;
  readonly fields: readonly string[];
  changed = 0;
  readonly #rows: ReadRows<R>;

  constructor(rows: ReadRows<R>, id: number, fields: readonly string[]) {
    this.#rows = rows;
    this.id = id;
    this.fields = fields;
  }

  finds(found: Logged, key: Logged): boolean {
    if (typeof key !== 'number' || !isRow(found)) return false;
    return this.areSame(found, this.#rows.current.rows.get(key));
  }

  /** Returns whether two rows have the same values of the fields. */
  areSame(before: Row | undefined, now: Row | undefined): boolean {
    if (before === undefined || now === undefined) return false;
    const values: Values = before;
    const others: Values = now;
    return this.fields.every((name) => values[name] === others[name]);
  }
}
