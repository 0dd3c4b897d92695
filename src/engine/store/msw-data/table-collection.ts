import { Collection, Query } from '@msw/data';
import type { Extension } from '@msw/data/extensions';
import type * as z from 'zod';
import { isObject } from '../../lib/json-value.ts';
import { Problem } from '../../lib/problem.ts';
import { withKnownFields } from '../table-definition.ts';
import type { Changes, Key, New, Row, RowOf } from '../row.ts';
import type { PageOrder, Table, TableState } from '../table.ts';
import { createRows, updateRows, type Updater } from './async-writes.ts';
import {
  CollectionHooks,
  type DeleteOptions,
  type FindOptions,
  type FindResult,
  type Input,
  type Matching,
  type Recorded,
  type Stored,
  type Strict,
  type UpdateOptions,
} from './collection-hooks.ts';
import { RowQuery, select, sortRows, type Selection, type RowFilter } from './row-query.ts';

/** The maximum number of attempts of an update whose rows are written to while its updater runs. */
const MAX_ATTEMPTS = 1000;

/**
 * The @msw/data interface to a table: `office.db.orders`. Methods of the library behave as its documentation says, even if
 * the library's own methods do not. The inherited storage stays empty.
 */
export class TableCollection<
  Schema extends z.ZodType<Row>,
  IndexName extends string = never,
  UniqueName extends string = never,
> extends Collection<Schema> {
  readonly #table: Table<Schema, IndexName, UniqueName>;
  readonly #listener: CollectionHooks<Schema>;

  constructor(table: Table<Schema, IndexName, UniqueName>, extensions: readonly Extension[] = []) {
    super({ schema: table.definition.schema });
    this.#table = table;
    this.#listener = new CollectionHooks(this.hooks);
    table.parts.listen(this.#listener);
    for (const extension of extensions) extension.extend(this);
  }

  override async create(values: Input<Schema>): Promise<Recorded<Schema>> {
    const [row] = await this.#create([values]);
    return row!;
  }

  override async createMany(
    count: number,
    valuesOf: (index: number) => Input<Schema>,
  ): Promise<Array<Recorded<Schema>>> {
    return this.#create(Array.from({ length: count }, (_, index) => valuesOf(index)));
  }

  override findFirst<S extends boolean>(
    matching?: Matching<Schema>,
    options?: Strict<S>,
  ): FindResult<Schema, S> {
    const [row] = this.#select(matching, { take: 1 });
    // Since the inherited storage is empty, the library throws or returns as it does if nothing matches.
    if (row === undefined) return super.findFirst(matching, options);
    return row;
  }

  override findMany(
    matching?: Matching<Schema>,
    options?: FindOptions<Schema>,
  ): Array<Recorded<Schema>> {
    const rows = isValidSkip(options?.skip) ? this.#select(matching, options) : [];
    if (rows.length === 0) return super.findMany(matching, options);
    return rows;
  }

  /**
   * Changes the first matching record. An asynchronous updater runs again if its record was written to in the meantime.
   *
   * @throws Problem `invalid` with the issues of the schema
   */
  override async update<S extends boolean>(
    matching: Matching<Schema> | Recorded<Schema>,
    options: Pick<UpdateOptions<Schema>, 'data'> & Strict<S>,
  ): Promise<FindResult<Schema, S>> {
    const [row] = await this.#update(() => this.#select(matching, { take: 1 }), options.data);
    if (row === undefined) return super.update(matching, options);
    return row;
  }

  /** Changes all matching records as `update` does. Atomic. */
  override async updateMany(
    matching: Matching<Schema>,
    options: UpdateOptions<Schema>,
  ): Promise<Array<Recorded<Schema>>> {
    const rows = await this.#update(() => this.#select(matching), options.data);
    if (rows.length === 0) return super.updateMany(matching, options);
    return sortRows(rows, options.orderBy);
  }

  override delete<S extends boolean>(
    matching: Matching<Schema> | Recorded<Schema>,
    options?: Strict<S>,
  ): FindResult<Schema, S> {
    const [row] = this.#select(matching, { take: 1 });
    if (row === undefined) return super.delete(matching, options);
    this.remove(row.id);
    return row;
  }

  override deleteMany(
    matching: Matching<Schema>,
    options?: DeleteOptions<Schema>,
  ): Array<Recorded<Schema>> {
    const rows = this.#select(matching);
    if (rows.length === 0) return super.deleteMany(matching, options);
    this.#table.parts.transaction.run(() => {
      for (const { id } of rows.toReversed()) this.remove(id);
    });
    return sortRows(rows, options?.orderBy);
  }

  override count(): number {
    return this.#table.count();
  }

  override all(): Array<Recorded<Schema>> {
    return recorded<Schema>(this.#table.all());
  }

  override clear(): void {
    this.#table.clear();
  }

  /** @throws Problem always: foreign keys are ids here */
  override defineRelations(): never {
    throw new Problem(
      'fault',
      `${this.definition.name}: relations are not supported; refer to other records by id`,
    );
  }

  // Methods of the table that the library lacks.

  get definition() {
    return this.#table.definition;
  }

  get(id: number): RowOf<Schema> | undefined {
    return this.#table.get(id);
  }

  getWithDeleted(id: number): RowOf<Schema> | undefined {
    return this.#table.getWithDeleted(id);
  }

  add(values: New<RowOf<Schema>>): RowOf<Schema> {
    return this.#table.add(withKnownFields(this.definition, values));
  }

  change(id: number, changes: Changes<RowOf<Schema>>): RowOf<Schema> {
    return this.#table.change(id, withKnownFields(this.definition, changes, id));
  }

  remove(id: number): RowOf<Schema> {
    return this.#table.remove(id);
  }

  load(records: readonly object[]): RowOf<Schema>[] {
    return this.#table.load(this.#known(records));
  }

  addAll(list: readonly New<RowOf<Schema>>[]): RowOf<Schema>[] {
    return this.#table.addAll(this.#known(list));
  }

  page(offset: number, limit: number, order?: PageOrder<IndexName>): RowOf<Schema>[] {
    return this.#table.page(offset, limit, order);
  }

  countBy(index: IndexName, ...prefix: Key): number {
    return this.#table.countBy(index, ...prefix);
  }

  by(index: IndexName, ...prefix: Key): RowOf<Schema>[] {
    return this.#table.by(index, ...prefix);
  }

  first(index: IndexName, ...prefix: Key): RowOf<Schema> | undefined {
    return this.#table.first(index, ...prefix);
  }

  findUnique(name: UniqueName, value: string): RowOf<Schema> | undefined {
    return this.#table.findUnique(name, value);
  }

  get state(): TableState {
    return this.#table.state;
  }

  restore(state: TableState): void {
    this.#table.restore(state);
  }

  reserveIds(next: number): void {
    this.#table.reserveIds(next);
  }

  get rowCount(): number {
    return this.#table.rowCount;
  }

  #select(
    matching: Matching<Schema> | Recorded<Schema> | undefined,
    selection?: Selection,
  ): Stored<Schema>[] {
    return recorded<Schema>(select(this.#table.parts.rows, filterOf<Schema>(matching), selection));
  }

  async #create(list: readonly unknown[]): Promise<Stored<Schema>[]> {
    const values = list.map((one) => {
      if (isObject(one)) return withKnownFields(this.definition, one);
      throw new Problem('invalid', `${this.definition.name}: new record: expected an object`);
    });
    return recorded<Schema>(await createRows(this.#table.parts, this.#listener, values));
  }

  /** @throws Problem `invalid` for a field that the schema does not have */
  #known<Given extends object>(list: readonly Given[]): readonly Given[] {
    for (const values of list) withKnownFields(this.definition, values);
    return list;
  }

  async #update(find: () => RowOf<Schema>[], update: Updater): Promise<Stored<Schema>[]> {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const rows = await updateRows(this.#table, find(), update);
      if (rows !== undefined) return recorded<Schema>(rows);
    }
    throw new Problem(
      'conflict',
      `${this.definition.name}: records were written to ${MAX_ATTEMPTS} times while they were being updated`,
    );
  }
}

/** Returns rows as the library types them. They lack its symbols, which only the library can read. */
function recorded<Schema extends z.ZodType<Row>>(rows: RowOf<Schema>[]): Stored<Schema>[] {
  return rows as Stored<Schema>[];
}

/** Returns which rows a method of the library is to select: all rows, those of a query, or one record. */
function filterOf<Schema extends z.ZodType<Row>>(
  matching: Matching<Schema> | Recorded<Schema> | undefined,
): RowFilter<Stored<Schema>> {
  if (matching === undefined) return { id: undefined, matches: () => true };
  if (typeof matching !== 'function' && !(matching instanceof Query))
    return { id: matching.id, matches: () => true };
  const query =
    typeof matching === 'function' ? matching(new RowQuery<Recorded<Schema>>()) : matching;
  return {
    id: query instanceof RowQuery ? query.id : undefined,
    matches: (row) => query.test(row),
  };
}

/** Whether the library accepts this as a number of records to skip. */
function isValidSkip(skip: number | undefined): boolean {
  return skip === undefined || (Number.isInteger(skip) && skip >= 0);
}
