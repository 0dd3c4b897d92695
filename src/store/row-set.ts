import { Problem, type ProblemKind } from '../lib/problem.ts';
import { byNumber } from './key-order.ts';
import { OrderedMap } from './ordered-map.ts';
import { buildRows } from './row-bulk.ts';
import {
  emptyIndex,
  emptyUnique,
  indexWith,
  named,
  placeAmong,
  prefixRange,
  idsByPrefix,
  uniqueWith,
  type IndexMap,
  type Named,
  type OwnState,
  type PageOrder,
  type TableState,
} from './table-state.ts';
import { isId, whyNotId, type Key, type Row } from './row.ts';
import type { Edit, Transaction } from './transaction.ts';

/** The parts of a table definition that a set of rows requires. */
export interface RowSetDefinition<R extends Row> {
  readonly name: string;
  readonly singular: string;
  readonly unique?: Readonly<Record<string, (row: R) => string | undefined>>;
  readonly indexes?: Readonly<Record<string, (row: R) => Key | undefined>>;
  readonly softDelete?: boolean;
}

/** Finished rows with their unique keys and indexes. A write that is rejected changes nothing. */
export class RowSet<R extends Row> {
  readonly #definition: RowSetDefinition<R>;
  readonly #transaction: Transaction;
  readonly #unique: ReadonlyArray<Named<R, string>>;
  readonly #indexes: ReadonlyArray<Named<R, Key>>;
  #state: OwnState<R>;
  #edit: Edit | undefined;

  /** @param state the initial content (default: no rows) */
  constructor(definition: RowSetDefinition<R>, transaction: Transaction, state?: TableState) {
    this.#definition = definition;
    this.#transaction = transaction;
    this.#unique = named(definition.unique);
    this.#indexes = named(definition.indexes);
    this.#state = state === undefined ? this.#empty() : this.#checked(state);
  }

  get size(): number {
    return this.#state.rows.size;
  }

  /** The number of rows, soft-deleted ones included. */
  get rowCount(): number {
    return this.#state.rows.size + this.#state.deleted.size;
  }

  get nextId(): number {
    return this.#state.nextId;
  }

  get state(): TableState {
    this.#transaction.freeze();
    return this.#state;
  }

  get(id: number): R | undefined {
    return this.#state.rows.get(id);
  }

  getWithDeleted(id: number): R | undefined {
    return this.#state.rows.get(id) ?? this.#state.deleted.get(id);
  }

  /** Iterates over live rows by id, ascending or descending, from an id on. */
  values(from?: number, backwards = false): Iterable<R> {
    const { rows } = this.#state;
    if (from === undefined) return backwards ? rows.valuesBack() : rows.values();
    return backwards ? rows.valuesBack(rows.rank(from + 1) - 1) : rows.values(rows.rank(from));
  }

  page(offset: number, limit: number, { by, prefix = [], descending }: PageOrder = {}): R[] {
    const index = by === undefined ? undefined : this.#index(by);
    const [first, last] = index === undefined ? [0, this.size] : prefixRange(index, prefix);
    const from = descending === true ? Math.max(first, last - offset - limit) : first + offset;
    const to = descending === true ? last - offset : Math.min(last, first + offset + limit);
    const rows =
      index === undefined ? this.#state.rows.slice(from, to) : this.#rowsOf(index.slice(from, to));
    return descending === true ? rows.toReversed() : rows;
  }

  countBy(name: string, prefix: Key): number {
    const [first, last] = prefixRange(this.#index(name), prefix);
    return last - first;
  }

  by(name: string, prefix: Key): R[] {
    return this.#rowsOf(idsByPrefix(this.#index(name), prefix));
  }

  first(name: string, prefix: Key): R | undefined {
    if (prefix.length > 0) return this.page(0, 1, { by: name, prefix })[0];
    const id = this.#index(name).first();
    return id === undefined ? undefined : this.get(id);
  }

  findUnique(name: string, value: string): R | undefined {
    const id = this.#state.unique[placeAmong(this.#unique, name)]?.get(value);
    return id === undefined ? undefined : this.get(id);
  }

  insert(row: R): void {
    this.assertInsertable(row);
    const { nextId } = this.#state;
    const edit = this.#own();
    this.#state.rows = this.#state.rows.set(row.id, row, edit);
    this.#rekey(undefined, row, edit);
    if (row.id >= nextId) this.#state.nextId = row.id + 1;
    this.#transaction.wrote(() => {
      this.#swap(row, undefined);
      this.#state.nextId = nextId;
    });
  }

  /** Inserts many rows at a lower cost for each. Not atomic: if one is rejected, others may have been inserted. */
  insertAll(rows: readonly R[]): void {
    if (rows.length > this.size && this.#rebuild(this.page(0, this.size).concat(rows))) return;
    for (const row of rows) this.insert(row);
  }

  replace(next: R): void {
    const previous = this.get(next.id);
    if (previous === undefined) throw this.missing(next.id);
    this.assertUnique(next, previous);
    this.#swap(previous, next);
    this.#transaction.wrote(() => this.#swap(next, previous));
  }

  remove(id: number): R {
    const row = this.get(id);
    if (row === undefined) throw this.missing(id);
    this.#swap(row, undefined);
    const keep = this.#definition.softDelete === true;
    if (keep) this.#state.deleted = this.#state.deleted.set(id, row, this.#own());
    this.#transaction.wrote(() => {
      this.#swap(undefined, row);
      if (keep) this.#state.deleted = this.#state.deleted.delete(id, this.#own());
    });
    return row;
  }

  /** @throws Problem `invalid` or `conflict` if the row cannot be inserted */
  assertInsertable(row: R): void {
    const { id } = row;
    if (!isId(id)) throw this.#problem('invalid', whyNotId(id));
    if (id < this.nextId && this.getWithDeleted(id) !== undefined)
      throw this.#problem('conflict', `id ${id} is taken`);
    this.assertUnique(row);
  }

  /** @throws Problem `conflict` if a live row other than `previous` has one of the row's unique keys */
  assertUnique(row: R, previous?: R): void {
    for (let at = 0; at < this.#unique.length; at++) {
      const { name, keyOf } = this.#unique[at]!;
      const key = keyOf(row);
      if (key === undefined || (previous !== undefined && keyOf(previous) === key)) continue;
      const holder = this.#state.unique[at]!.get(key);
      if (holder === undefined) continue;
      const taken = `${name} ${JSON.stringify(key)} is taken`;
      throw this.#problem('conflict', `${taken} by ${this.#definition.singular} ${holder}`);
    }
  }

  /** Removes all rows. */
  clear(): void {
    const { rows, nextId } = this.#state;
    let { deleted } = this.#state;
    this.#transaction.freeze();
    if (this.#definition.softDelete === true)
      for (const row of rows.values()) deleted = deleted.set(row.id, row, this.#transaction.edit);
    this.#become({ ...this.#empty(), deleted, nextId });
  }

  /** Returns the next id and reserves it. */
  takeId(): number {
    const { nextId } = this.#state;
    if (!isId(nextId)) throw this.#problem('invalid', whyNotId(nextId));
    this.#setNextId(nextId + 1);
    return nextId;
  }

  /** Makes the ids of new rows start at `next`, unless they are higher already. */
  reserveIds(next: number): void {
    if (next > this.#state.nextId) this.#setNextId(next);
  }

  /** Releases an id that was reserved and not used, if it was the latest. */
  releaseId(id: number): void {
    if (this.#state.nextId === id + 1 && this.getWithDeleted(id) === undefined) this.#setNextId(id);
  }

  restore(state: TableState): void {
    this.#become(this.#checked(state));
  }

  missing(id: number): Problem {
    return new Problem('missing', `There is no ${this.#definition.singular} ${id}.`);
  }

  #empty(): OwnState<R> {
    return {
      definition: this.#definition,
      rows: new OrderedMap(byNumber),
      deleted: new OrderedMap(byNumber),
      unique: this.#unique.map(emptyUnique),
      indexes: this.#indexes.map(emptyIndex),
      nextId: 1,
    };
  }

  #checked(state: TableState): OwnState<R> {
    if (this.#holds(state)) return state;
    throw this.#problem('fault', 'this state is of another table');
  }

  #holds(state: TableState): state is OwnState<R> {
    return state.definition === this.#definition;
  }

  /** Returns the token to write under. Copies the lists of maps first if they may be shared with a state. */
  #own(): Edit {
    const { edit } = this.#transaction;
    if (this.#edit === edit) return edit;
    const { unique, indexes } = this.#state;
    this.#state = { ...this.#state, unique: [...unique], indexes: [...indexes] };
    this.#edit = edit;
    return edit;
  }

  /** Switches to another state. Later writes change neither it nor the earlier one. */
  #become(state: OwnState<R>): void {
    const before = this.#state;
    this.#transaction.freeze();
    this.#state = state;
    this.#transaction.wrote(() => {
      this.#transaction.freeze();
      this.#state = before;
    });
  }

  #setNextId(nextId: number): void {
    const before = this.#state.nextId;
    this.#own();
    this.#state.nextId = nextId;
    this.#transaction.wrote(() => {
      this.#own();
      this.#state.nextId = before;
    });
  }

  /** Inserts, removes or replaces a row. */
  #swap(previous: R | undefined, next: R | undefined): void {
    const edit = this.#own();
    const { rows } = this.#state;
    if (next !== undefined) this.#state.rows = rows.set(next.id, next, edit);
    else if (previous !== undefined) this.#state.rows = rows.delete(previous.id, edit);
    this.#rekey(previous, next, edit);
  }

  /** Replaces the keys of one row by those of another in unique keys and indexes. */
  #rekey(previous: R | undefined, next: R | undefined, edit: Edit): void {
    const { unique, indexes } = this.#state;
    for (let at = 0; at < unique.length; at++)
      unique[at] = uniqueWith(unique[at]!, this.#unique[at]!, previous, next, edit);
    for (let at = 0; at < indexes.length; at++)
      indexes[at] = indexWith(indexes[at]!, this.#indexes[at]!, previous, next, edit);
  }

  /** Rebuilds all maps from these rows. Returns false if two of them conflict. */
  #rebuild(live: readonly R[]): boolean {
    const { deleted, nextId } = this.#state;
    if (deleted.size > 0 && live.some(({ id }) => deleted.has(id))) return false;
    const keys = { unique: this.#unique, indexes: this.#indexes };
    const made = buildRows(live, keys, this.#transaction.edit);
    if (made === undefined) return false;
    const highest = made.rows.at(made.rows.size - 1)?.id ?? 0;
    this.#become({ ...this.#state, ...made, nextId: Math.max(nextId, highest + 1) });
    return true;
  }

  #index(name: string): IndexMap {
    const index = this.#state.indexes[placeAmong(this.#indexes, name)];
    if (index === undefined) throw this.#problem('fault', `no index ${name}`);
    return index;
  }

  #rowsOf(ids: readonly number[]): R[] {
    const { rows } = this.#state;
    return ids.length === 0 ? [] : ids.map((id) => rows.get(id)!);
  }

  #problem(kind: ProblemKind, message: string): Problem {
    return new Problem(kind, `${this.#definition.name}: ${message}`);
  }
}
