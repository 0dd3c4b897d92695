import { Collection, Query } from '@msw/data';
import type { Extension } from '@msw/data/extensions';
import type * as z from 'zod';
import { Problem } from '../lib/problem.ts';
import type { Updater } from './revision.ts';
import type { Clock } from '../lib/clock.ts';
import { RowQuery } from './row-query.ts';
import { select, sortRows, type Selection, type Wanted } from './row-selection.ts';
import { RowSet } from './row-set.ts';
import { RowWriter, type Values } from './row-writer.ts';
import {
  typed,
  type Found,
  type FindOptions,
  type DeleteOptions,
  type Input,
  type Matching,
  type Recorded,
  type Strict,
  type UpdateOptions,
} from './recorded.ts';
import type { Changes, Key, New, Row, RowOf } from './row.ts';
import type { TableDefinition } from './table-definition.ts';
import type { PageOrder, TableState } from './table-state.ts';
import type { Transaction } from './transaction.ts';

export { defineTable, type TableDefinition } from './table-definition.ts';
export type { Changes, Key, New, Row, RowOf } from './row.ts';
export type { PageOrder, TableState } from './table-state.ts';

/** What the tables of a database share. */
export interface TableContext {
  readonly clock: Clock;
  readonly transaction: Transaction;
}

/** How often an update starts anew because its rows were written to while its updater was at work. */
const TRIES = 1000;

/**
 * A collection of the library with a storage of its own under it: frozen rows in ordered maps, with secondary indexes,
 * unique keys and transactions. The methods of the library stand at the end; they are correct here where the library's are not.
 *
 * Rows are never changed, only replaced: one that was read stays as it was read.
 */
export class Table<
  Schema extends z.ZodType<Row>,
  IndexName extends string = never,
  UniqueName extends string = never,
> extends Collection<Schema> {
  readonly definition: TableDefinition<Schema, IndexName, UniqueName>;
  readonly #rows: RowSet<RowOf<Schema>>;
  readonly #writer: RowWriter<Schema>;
  readonly #transaction: Transaction;

  /** @param state what it holds at first: nothing, if not given */
  constructor(
    definition: TableDefinition<Schema, IndexName, UniqueName>,
    { clock, transaction }: TableContext,
    extensions: readonly Extension[] = [],
    state?: TableState,
  ) {
    super({ schema: definition.schema });
    const { name, schema } = definition;
    this.definition = definition;
    this.#transaction = transaction;
    this.#rows = new RowSet<RowOf<Schema>>(definition, transaction, state);
    this.#writer = new RowWriter({
      name,
      schema,
      rows: this.#rows,
      hooks: this.hooks,
      clock,
      transaction,
    });
    for (const extension of extensions) extension.extend(this);
  }

  /** The live row with this id. */
  get(id: number): RowOf<Schema> | undefined {
    return this.#rows.get(id);
  }

  /** The row with this id, even if it was soft-deleted. */
  getWithDeleted(id: number): RowOf<Schema> | undefined {
    return this.#rows.getWithDeleted(id);
  }

  /**
   * Stores a new row. The table gives it an id and stamps, unless the values have some.
   *
   * @throws Problem `conflict` for an id or a unique key that is taken
   */
  add(values: New<RowOf<Schema>>): RowOf<Schema> {
    return this.#writer.add(typed<Values>(values));
  }

  /**
   * Replaces a row by one with some fields changed; those of undefined are removed. `updated_at` is stamped.
   *
   * @throws Problem `missing` for no such live row, `conflict` for a unique key that is taken
   */
  change(id: number, changes: Changes<RowOf<Schema>>): RowOf<Schema> {
    return this.#writer.change(id, typed<Values>(changes));
  }

  /**
   * Takes a row out of the live ones. Its id is not given again.
   *
   * @throws Problem `missing` for no such live row
   */
  remove(id: number): RowOf<Schema> {
    return this.#writer.remove(id);
  }

  /**
   * Stores records from outside, each as the schema parses it: all of them or, where one is wrong, none.
   *
   * @throws Problem `invalid` with the issues of the schema, or `conflict`
   */
  load(records: readonly object[]): RowOf<Schema>[] {
    return this.#writer.load(typed<readonly Values[]>(records));
  }

  /**
   * Stores many new rows at once, as `add` would one after the other, in a fraction of the time: all of them or none.
   *
   * @throws Problem `conflict` for an id or a unique key that is taken
   */
  addAll(list: readonly New<RowOf<Schema>>[]): RowOf<Schema>[] {
    return this.#writer.addAll(typed<readonly Values[]>(list));
  }

  /**
   * Stores many rows that are finished, without looking: each has its id and its stamps and is frozen all the way down.
   * All of them or none.
   *
   * @throws Problem `conflict` for an id or a unique key that is taken
   */
  insertFrozen(rows: readonly RowOf<Schema>[]): void {
    this.#writer.insertFrozen(rows);
  }

  /** Up to `limit` live rows from a position on, in the order of an index or by id. */
  page(offset: number, limit: number, order: PageOrder<IndexName> = {}): RowOf<Schema>[] {
    return this.#rows.page(offset, limit, order);
  }

  /** How many live rows have an index key that begins so. */
  countBy(index: IndexName, ...prefix: Key): number {
    return this.#rows.countBy(index, prefix);
  }

  /** The live rows whose index key begins so, in the order of the index. */
  by(index: IndexName, ...prefix: Key): RowOf<Schema>[] {
    return this.#rows.by(index, prefix);
  }

  /** The first of them. */
  first(index: IndexName, ...prefix: Key): RowOf<Schema> | undefined {
    return this.#rows.first(index, prefix);
  }

  /** The live row that has this unique key. */
  findUnique(name: UniqueName, value: string): RowOf<Schema> | undefined {
    return this.#rows.findUnique(name, value);
  }

  /** Everything in the table, as it is now; later writes don't change it. Taking it costs nothing that grows. */
  get state(): TableState {
    return this.#rows.state;
  }

  /** Puts back everything as it was in a state of this table, or of another one with the same definition. */
  restore(state: TableState): void {
    this.#rows.restore(state);
  }

  /** Sees to it that new rows get this id, or higher ones: those below were given once. */
  reserveIds(next: number): void {
    this.#rows.reserveIds(next);
  }

  /** How many rows it holds, soft-deleted ones too. */
  get rowCount(): number {
    return this.#rows.rowCount;
  }

  /** The present moment, for `rollback`. To mark all tables of a database together see `Transaction`. */
  mark(): TableState {
    return this.#rows.state;
  }

  /** Takes back what was written to this table since the mark. Listeners are not told. */
  rollback(mark: TableState): void {
    this.#rows.restore(mark);
  }

  override async create(values: Input<Schema>): Promise<Recorded<Schema>> {
    const [row] = await this.#writer.create([typed<Values>(values)]);
    return typed<Recorded<Schema>>(row);
  }

  override async createMany(
    count: number,
    valuesOf: (index: number) => Input<Schema>,
  ): Promise<Array<Recorded<Schema>>> {
    const list = Array.from({ length: count }, (_, index) => typed<Values>(valuesOf(index)));
    return typed<Array<Recorded<Schema>>>(await this.#writer.create(list));
  }

  override findFirst<S extends boolean>(
    matching?: Matching<Schema>,
    options?: Strict<S>,
  ): Found<Schema, S> {
    const [row] = this.#select(matching, { take: 1 });
    // The storage of the library stays empty: what it does with an empty one is its own refusal.
    if (row === undefined) return super.findFirst(matching, options);
    return typed<Found<Schema, S>>(row);
  }

  override findMany(
    matching?: Matching<Schema>,
    options?: FindOptions<Schema>,
  ): Array<Recorded<Schema>> {
    const rows = isSkippable(options?.skip) ? this.#select(matching, options) : [];
    if (rows.length === 0) return super.findMany(matching, options);
    return typed<Array<Recorded<Schema>>>(rows);
  }

  /**
   * Changes the first matching record. Nothing comes in between reading and writing: an updater that takes its time
   * is run again where its record was written to meanwhile.
   *
   * @throws Problem `invalid` with the issues of the schema
   */
  override async update<S extends boolean>(
    matching: Matching<Schema> | Recorded<Schema>,
    options: Pick<UpdateOptions<Schema>, 'data'> & Strict<S>,
  ): Promise<Found<Schema, S>> {
    const [row] = await this.#update(() => this.#select(matching, { take: 1 }), options.data);
    if (row === undefined) return super.update(matching, options);
    return typed<Found<Schema, S>>(row);
  }

  /** The same for all that match: all of them are changed or, where one cannot be, none. */
  override async updateMany(
    matching: Matching<Schema>,
    options: UpdateOptions<Schema>,
  ): Promise<Array<Recorded<Schema>>> {
    const rows = await this.#update(() => this.#select(matching), options.data);
    if (rows.length === 0) return super.updateMany(matching, options);
    return typed<Array<Recorded<Schema>>>(sortRows(rows, options.orderBy));
  }

  override delete<S extends boolean>(
    matching: Matching<Schema> | Recorded<Schema>,
    options?: Strict<S>,
  ): Found<Schema, S> {
    const [row] = this.#select(matching, { take: 1 });
    if (row === undefined) return super.delete(matching, options);
    return typed<Found<Schema, S>>(this.remove(row.id));
  }

  override deleteMany(
    matching: Matching<Schema>,
    options?: DeleteOptions<Schema>,
  ): Array<Recorded<Schema>> {
    const rows = this.#select(matching);
    if (rows.length === 0) return super.deleteMany(matching, options);
    this.#transaction.run(() => {
      for (const { id } of rows.toReversed()) this.remove(id);
    });
    return typed<Array<Recorded<Schema>>>(sortRows(rows, options?.orderBy));
  }

  /** How many live rows there are. */
  override count(): number {
    return this.#rows.size;
  }

  /** All live rows, by id. */
  override all(): Array<Recorded<Schema>> {
    return typed<Array<Recorded<Schema>>>(this.#rows.page(0, this.#rows.size));
  }

  /** Removes every row. Listeners hear of each, and can keep it. */
  override clear(): void {
    this.#transaction.run(() => this.#writer.clear());
  }

  /** @throws Problem always: foreign keys are ids here */
  override defineRelations(): never {
    throw new Problem(
      'fault',
      `${this.definition.name}: no relations can be defined; refer to other records by their id`,
    );
  }

  #select(
    matching: Matching<Schema> | Recorded<Schema> | undefined,
    selection?: Selection,
  ): RowOf<Schema>[] {
    return select(this.#rows, wanted<Schema>(matching), selection);
  }

  async #update(find: () => RowOf<Schema>[], updater: Updater): Promise<RowOf<Schema>[]> {
    for (let tries = 0; tries < TRIES; tries++) {
      const rows = await this.#writer.update(find(), updater);
      if (rows !== undefined) return rows;
    }
    throw new Problem(
      'conflict',
      `${this.definition.name}: records were written to ${TRIES} times while they were being updated`,
    );
  }
}

/** Which rows a method of the library is asked for: all, those of a query, or the one that is given. */
function wanted<Schema extends z.ZodType<Row>>(
  matching: Matching<Schema> | Recorded<Schema> | undefined,
): Wanted {
  if (matching === undefined) return { id: undefined, matches: () => true };
  if (typeof matching !== 'function' && !(matching instanceof Query))
    return { id: matching.id, matches: () => true };
  const query =
    typeof matching === 'function' ? matching(new RowQuery<Recorded<Schema>>()) : matching;
  return {
    id: query instanceof RowQuery ? query.id : undefined,
    matches: (row) => query.test(typed(row)),
  };
}

/** Whether the library takes this for a number of records to skip. */
function isSkippable(skip: number | undefined): boolean {
  return skip === undefined || (Number.isInteger(skip) && skip >= 0);
}
