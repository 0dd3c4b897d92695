import { inAnotherWay, type Found, type How, type ReadKey, type ReadSource } from './read-log.ts';
import type { Key, Row } from './row.ts';
import type { Transaction } from './transaction.ts';

/** What is read of the rows of a table. */
interface ReadRows<R extends Row> {
  readonly current: { readonly rows: { get(id: number): R | undefined } };
  /** Returns the live rows whose key in an index begins with a prefix. */
  rowsBy(index: string, prefix: Key): readonly R[];
}

/** The rows of a table as a source of reads. */
export class RowReads<R extends Row> implements ReadSource {
  readonly id: number;
  changed = 0;
  readonly #rows: ReadRows<R>;
  readonly #transaction: Transaction;
  readonly #fields: FieldReads<R>[] = [];

  constructor(rows: ReadRows<R>, transaction: Transaction) {
    this.id = transaction.newSource();
    this.#rows = rows;
    this.#transaction = transaction;
  }

  finds(found: Found, how: How, key: ReadKey): boolean {
    if (how === inAnotherWay) return false;
    if (how === undefined) return this.#rows.current.rows.get(key as number) === found;
    const rows = this.#rows.rowsBy(how, key as Key);
    const before = found as readonly Row[];
    return rows.length === before.length && rows.every((row, place) => row === before[place]);
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

  finds(found: Found, _: How, key: ReadKey): boolean {
    return this.areSame(found as R, this.#rows.current.rows.get(key as number));
  }

  /** Returns whether two rows have the same values of the fields. */
  areSame(before: Row | undefined, now: Row | undefined): boolean {
    if (before === undefined || now === undefined) return false;
    const [values, others] = [before as Row & Values, now as Row & Values];
    return this.fields.every((name) => values[name] === others[name]);
  }
}

type Values = Readonly<Record<string, unknown>>;
