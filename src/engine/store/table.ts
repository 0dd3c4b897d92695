import type * as z from 'zod';
import { isObject } from '../lib/json-value.ts';
import { Problem } from '../lib/problem.ts';
import { RowBuilder, withoutUndefined } from './row-builder.ts';
import { RowSet } from './row-set.ts';
import type { Changes, Fields, Key, New, Path, Row, RowOf, Values } from './row.ts';
import type { TableContext, TableDefinition, WriteListener } from './table-definition.ts';
import { countBy, idsBy, pageBy } from './row-index.ts';
import type { PageOrder, TableState } from './table-state.ts';
import type { Transaction } from './transaction.ts';

export { defineTable, type TableContext, type TableDefinition } from './table-definition.ts';
export type { Changes, Key, New, Row, RowOf } from './row.ts';
export type { PageOrder, TableState } from './table-state.ts';

/** The parts of a table, for another interface that writes to it in other ways. */
export interface TableParts<R extends Row> {
  readonly rows: RowSet<R>;
  readonly builder: RowBuilder<R>;
  readonly transaction: Transaction;
  /** Stores the next version of a row. `onReset` runs if the listener resets fields of it. */
  readonly replace: (
    previous: R,
    next: Fields<R>,
    pathsOf: () => readonly Path[],
    onReset?: () => void,
  ) => R;
  /** Stores a record without calling the listener. */
  readonly store: (fields: Fields<R>) => R;
  readonly listen: (listener: WriteListener<R>) => void;
}

/**
 * An in-memory table: frozen rows in ordered maps, with secondary indexes, unique keys and transactions.
 *
 * Rows are never changed, only replaced: a row that was read stays as it was read.
 */
export class Table<
  Schema extends z.ZodType<Row>,
  IndexName extends string = never,
  UniqueName extends string = never,
> {
  readonly definition: TableDefinition<Schema, IndexName, UniqueName>;
  readonly #rows: RowSet<RowOf<Schema>>;
  readonly #builder: RowBuilder<RowOf<Schema>>;
  readonly #transaction: Transaction;
  #listener: WriteListener<RowOf<Schema>> | undefined;

  /** @param state the initial content (default: no rows) */
  constructor(
    definition: TableDefinition<Schema, IndexName, UniqueName>,
    { clock, transaction }: TableContext,
    state?: TableState,
  ) {
    this.definition = definition;
    this.#transaction = transaction;
    this.#rows = new RowSet<RowOf<Schema>>(definition, transaction, state);
    this.#builder = new RowBuilder(definition, clock);
  }

  /** Returns the live row with this id. */
  get(id: number): RowOf<Schema> | undefined {
    this.#noteRead();
    return this.#rows.current.rows.get(id);
  }

  /** Returns the row with this id, even if it was soft-deleted. */
  getWithDeleted(id: number): RowOf<Schema> | undefined {
    this.#noteRead();
    const { rows, deleted } = this.#rows.current;
    return rows.get(id) ?? deleted.get(id);
  }

  /** Returns the row with this id for a reader of these fields, whom changes of others do not concern. */
  getFields<Field extends keyof RowOf<Schema> & string>(
    id: number,
    fields: readonly Field[],
  ): Pick<RowOf<Schema>, Field> | undefined {
    const row = this.#rows.current.rows.get(id);
    if (row === undefined) return this.getWithDeleted(id);
    const { reads } = this.#transaction;
    if (reads !== undefined) for (const name of fields) reads.add(this.#rows.field(name));
    return row;
  }

  /** Whether a listener hears of each write before it takes place. It may make others. */
  get isObserved(): boolean {
    return this.#listener?.isActive === true;
  }

  /**
   * Stores a new row. Adds an id and stamps, unless the values have their own.
   *
   * @throws Problem `conflict` for an id or a unique key that is taken
   */
  add(values: New<RowOf<Schema>>): RowOf<Schema> {
    let fields = this.#builder.complete(values, this.#rows.current.nextId);
    if (this.isObserved) fields = this.#announce(fields, values);
    const row = this.#builder.seal(fields);
    this.#rows.insert(row);
    return row;
  }

  /**
   * Replaces a row by a copy with changed fields. Fields set to undefined are removed. Stamps `updated_at`, unless all fields have
   * these values already: then the row stays.
   *
   * @throws Problem `missing` if there is no such live row, `conflict` for a unique key that is taken
   */
  change(id: number, changes: Changes<RowOf<Schema>>): RowOf<Schema> {
    const previous = this.#rows.live(id);
    const next = this.#builder.revise(previous, changes);
    if (next === undefined) return previous;
    return this.#replace(previous, next, () => changedFields(previous, next));
  }

  /**
   * Removes a live row. Its id is not used again.
   *
   * @returns the row, which stays if a listener prevents its removal
   * @throws Problem `missing` if there is no such live row
   */
  remove(id: number): RowOf<Schema> {
    const row = this.#rows.live(id);
    const isKept = this.isObserved && this.#listener!.delete(row);
    return isKept ? row : this.#rows.remove(id);
  }

  /**
   * Stores records from outside, each as the schema parses it. Atomic.
   *
   * @throws Problem `invalid` with the issues of the schema, or `conflict`
   */
  load(records: readonly object[]): RowOf<Schema>[] {
    const list = this.#builder.parseAll(records.filter(isObject), this.#rows.current.nextId);
    return this.#insertAll(list, records);
  }

  /**
   * Stores many new rows at once, as `add` does one by one, in a fraction of the time. Atomic.
   *
   * @throws Problem `conflict` for an id or a unique key that is taken
   */
  addAll(list: readonly New<RowOf<Schema>>[]): RowOf<Schema>[] {
    return this.#insertAll(this.#builder.completeAll(list, this.#rows.current.nextId), list);
  }

  /** Removes every row, except those that a listener keeps. */
  clear(): void {
    this.#transaction.run(() => {
      if (this.isObserved) for (const { id } of this.all()) this.remove(id);
      else this.#rows.clear();
    });
  }

  /** Returns the number of live rows. */
  count(): number {
    this.#noteRead();
    return this.#rows.current.rows.size;
  }

  /** Returns all live rows, by id. */
  all(): RowOf<Schema>[] {
    this.#noteRead();
    return this.#rows.current.rows.slice();
  }

  /** Returns up to `limit` live rows from an offset on, in the order of an index or by id. */
  page(offset: number, limit: number, order: PageOrder<IndexName> = {}): RowOf<Schema>[] {
    const { rows } = this.#rows.current;
    const { by, prefix = [], descending = false } = order;
    this.#noteRead();
    if (by !== undefined) {
      const ids = pageBy(this.#rows.index(by), prefix, { offset, limit, descending });
      return ids.map((id) => rows.get(id)!);
    }
    if (!descending) return rows.slice(offset, offset + limit);
    const end = rows.size - offset;
    return rows.slice(end - limit, end).toReversed();
  }

  /** Returns the number of live rows whose index key begins with a prefix. */
  countBy(index: IndexName, ...prefix: Key): number {
    this.#noteRead();
    return countBy(this.#rows.index(index), prefix);
  }

  /** Returns the live rows whose index key begins with a prefix, in the order of the index. */
  by(index: IndexName, ...prefix: Key): RowOf<Schema>[] {
    this.#noteRead();
    return this.#rows.rowsBy(index, prefix);
  }

  /** Returns the first live row whose index key begins with a prefix. */
  first(index: IndexName, ...prefix: Key): RowOf<Schema> | undefined {
    this.#noteRead();
    const [id] = idsBy(this.#rows.index(index), prefix, 1);
    return id === undefined ? undefined : this.#rows.current.rows.get(id);
  }

  /** Returns the live row with this unique key. */
  findUnique(name: UniqueName, value: string): RowOf<Schema> | undefined {
    this.#noteRead();
    return this.#rows.findUnique(name, value);
  }

  /** The present content as a value. Later writes do not change it, since they copy what they share with it. */
  get state(): TableState {
    return this.#rows.state;
  }

  /** Restores a state of this table, or of another table with the same definition. */
  restore(state: TableState): void {
    this.#rows.restore(state);
  }

  /** Makes the ids of new rows start at `next`, unless they are higher already. */
  reserveIds(next: number): void {
    this.#rows.reserveIds(next);
  }

  /** The number of rows, soft-deleted ones included. */
  get rowCount(): number {
    const { rows, deleted } = this.#rows.current;
    return rows.size + deleted.size;
  }

  get parts(): TableParts<RowOf<Schema>> {
    return {
      rows: this.#rows,
      builder: this.#builder,
      transaction: this.#transaction,
      replace: (...version) => this.#replace(...version),
      store: (fields) => this.#store(fields),
      listen: (listener) => {
        this.#listener = listener;
      },
    };
  }

  #noteRead(): void {
    this.#transaction.reads?.add(this.#rows);
  }

  /** Calls the listener with a record that can be inserted, and returns the record as the listener leaves it. */
  #announce(made: Fields<RowOf<Schema>>, initialValues: unknown): Fields<RowOf<Schema>> {
    const fields = withoutUndefined(made);
    this.#rows.assertInsertable(fields);
    this.#listener!.create(fields, initialValues);
    return fields;
  }

  #store(fields: Fields<RowOf<Schema>>): RowOf<Schema> {
    const row = this.#builder.seal(fields);
    this.#rows.insert(row);
    return row;
  }

  #insertAll(
    list: readonly Fields<RowOf<Schema>>[],
    initialValues: readonly unknown[],
  ): RowOf<Schema>[] {
    return this.#transaction.run(() => {
      if (this.isObserved)
        return list.map((fields, at) => this.#store(this.#announce(fields, initialValues[at])));
      const rows = list.map((fields) => this.#builder.seal(fields));
      this.#rows.insertAll(rows);
      return rows;
    });
  }

  #replace(
    previous: RowOf<Schema>,
    next: Fields<RowOf<Schema>>,
    pathsOf: () => readonly Path[],
    onReset?: () => void,
  ): RowOf<Schema> {
    if (next.id !== previous.id) {
      const { name } = this.definition;
      throw new Problem('invalid', `${name}: id ${previous.id} cannot become ${next.id}`);
    }
    if (this.isObserved) {
      this.#rows.assertUnique(next, previous);
      if (this.#listener!.update(previous, next, pathsOf())) onReset?.();
    }
    const row = this.#builder.seal(next);
    this.#rows.replace(row);
    return row;
  }
}

function changedFields(previous: Row, next: Fields): Path[] {
  const before: Values = { ...previous };
  const keys = new Set([...Object.keys(before), ...Object.keys(next)]);
  return [...keys]
    .filter((key) => JSON.stringify(before[key]) !== JSON.stringify(next[key]))
    .map((key) => [key]);
}
