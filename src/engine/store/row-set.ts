import { getOrCreate } from '../lib/maps.ts';
import { Problem, type ProblemKind } from '../lib/problem.ts';
import { byNumber } from './key-order.ts';
import { OrderedMap } from './ordered-map.ts';
import { buildRows } from './row-bulk.ts';
import { emptyUnique, type OwnState, type TableState, type Unique } from './table-state.ts';
import { emptyIndex, idsBy, indexWith, type IndexMap } from './row-index.ts';
import { isId, idIssue, type Key, type Row, type Values } from './row.ts';
import type { TableChanges } from './state-difference.ts';
import type { Index, RowSetDefinition } from './table-definition.ts';
import type { Edit, ReadSource, Transaction } from './transaction.ts';

/** Finished rows with their unique keys and indexes. A write that is rejected changes nothing. */
export class RowSet<R extends Row> {
  readonly definition: RowSetDefinition<R>;
  readonly #transaction: Transaction;
  readonly #unique: ReadonlyArray<Unique<R>>;
  readonly #indexes: ReadonlyArray<Index<R>>;
  readonly #indexNames: readonly string[];
  /** The present content. Only this class writes to it. */
  current: OwnState<R>;
  /** The number of the write that changed it last. */
  written = 0;
  /** The fields that were read alone. */
  readonly #readFields = new Map<string, ReadSource>();
  #edit: Edit | undefined;

  /** @param state the initial content (default: no rows) */
  constructor(definition: RowSetDefinition<R>, transaction: Transaction, state?: TableState) {
    this.definition = definition;
    this.#transaction = transaction;
    const { unique = {}, indexes = {} } = definition;
    this.#unique = Object.entries(unique).map(([name, keyOf]) => ({ name, keyOf }));
    this.#indexes = Object.values(indexes);
    this.#indexNames = Object.keys(indexes);
    this.current = state === undefined ? this.#empty() : this.#checked(state);
  }

  get state(): TableState {
    this.#transaction.freeze();
    return this.current;
  }

  /** @throws Problem `fault` if the table has no such index */
  index(name: string): IndexMap {
    const index = this.current.indexes[this.#indexNames.indexOf(name)];
    if (index === undefined) throw this.#problem('fault', `no index ${name}`);
    return index;
  }

  /** Returns a field of all rows as a source of reads. */
  field(name: string): ReadSource {
    return getOrCreate(this.#readFields, name, () => ({ written: 0 }));
  }

  /** Returns the live rows whose key in an index begins with a prefix, in the order of the index. */
  rowsBy(index: string, prefix: Key): R[] {
    const { rows } = this.current;
    return idsBy(this.index(index), prefix).map((id) => rows.get(id)!);
  }

  findUnique(name: string, value: string): R | undefined {
    const at = this.#unique.findIndex((unique) => unique.name === name);
    const id = this.current.unique[at]?.get(value);
    return id === undefined ? undefined : this.current.rows.get(id);
  }

  /** Returns the live row with an id. @throws Problem `missing` if there is none */
  live(id: number): R {
    const row = this.current.rows.get(id);
    if (row !== undefined) return row;
    throw new Problem('missing', `There is no ${this.definition.singular} ${id}.`);
  }

  insert(row: R): void {
    this.assertInsertable(row);
    const { nextId } = this.current;
    const edit = this.#own();
    this.current.rows = this.current.rows.set(row.id, row, edit);
    this.#rekey(undefined, row, edit);
    if (row.id >= nextId) this.current.nextId = row.id + 1;
    const undo = (): void => {
      this.#swap(row, undefined);
      this.current.nextId = nextId;
    };
    this.#transaction.wrote(undo, this, undefined, row);
  }

  /** Inserts many rows at a lower cost for each. Not atomic: if one is rejected, others may have been inserted. */
  insertAll(rows: readonly R[]): void {
    const live = this.current.rows;
    if (rows.length > live.size && this.#rebuild(live.slice().concat(rows))) return;
    for (const row of rows) this.insert(row);
  }

  replace(next: R): void {
    const previous = this.live(next.id);
    this.assertUnique(next, previous);
    const edit = this.#own();
    this.current.rows = this.current.rows.set(next.id, next, edit);
    this.#rekey(previous, next, edit);
    this.#transaction.wrote(() => this.#swap(next, previous), this, previous, next);
  }

  remove(id: number): R {
    const row = this.live(id);
    this.#swap(row, undefined);
    const keep = this.definition.softDelete === true;
    if (keep) this.current.deleted = this.current.deleted.set(id, row, this.#own());
    const undo = (): void => {
      this.#swap(undefined, row);
      if (keep) this.current.deleted = this.current.deleted.delete(id, this.#own());
    };
    this.#transaction.wrote(undo, this, row);
    return row;
  }

  /** @throws Problem `invalid` or `conflict` if the row cannot be inserted */
  assertInsertable(row: R): void {
    this.#assertFree(row.id);
    this.assertUnique(row);
  }

  /** @throws Problem `conflict` if a live row other than `previous` has one of the row's unique keys */
  assertUnique(row: R, previous?: R): void {
    for (let at = 0; at < this.#unique.length; at++) {
      const { name, keyOf } = this.#unique[at]!;
      const key = keyOf(row);
      if (key === undefined || (previous !== undefined && keyOf(previous) === key)) continue;
      const holder = this.current.unique[at]!.get(key);
      if (holder === undefined) continue;
      const taken = `${name} ${JSON.stringify(key)} is taken`;
      throw this.#problem('conflict', `${taken} by ${this.definition.singular} ${holder}`);
    }
  }

  /** Removes all rows. */
  clear(): void {
    const { rows, nextId } = this.current;
    let { deleted } = this.current;
    this.#transaction.freeze();
    if (this.definition.softDelete === true)
      for (const row of rows.values()) deleted = deleted.set(row.id, row, this.#transaction.edit);
    this.#become({ ...this.#empty(), deleted, nextId });
  }

  /** Returns the next id and reserves it. */
  takeId(): number {
    const { nextId } = this.current;
    if (!isId(nextId)) throw this.#problem('invalid', idIssue(nextId));
    this.#setNextId(nextId + 1);
    return nextId;
  }

  /** Makes the ids of new rows start at `next`, unless they are higher already. */
  reserveIds(next: number): void {
    if (next > this.current.nextId) this.#setNextId(next);
  }

  /** Releases an id that was reserved and not used, if it was the latest. */
  releaseId(id: number): void {
    if (this.current.nextId === id + 1 && !this.#isTaken(id)) this.#setNextId(id);
  }

  restore(state: TableState): void {
    this.#become(this.#checked(state));
  }

  /**
   * Applies changes, whose rows are finished and frozen. If one is rejected, others may have been applied.
   *
   * @throws Problem `invalid` or `conflict` for an id or a unique key that a row cannot have
   */
  patch({ rows = [], gone = [], removed = [], next_id: nextId }: TableChanges<R>): void {
    const edit = this.#own();
    // All old keys go first, because rows may have exchanged their unique keys.
    for (const id of [...rows, ...gone].map((row) => row.id).concat(removed)) {
      this.#swap(this.current.rows.get(id), undefined);
      this.current.deleted = this.current.deleted.delete(id, edit);
    }
    const ids = [this.current.rows, this.current.deleted].map((map) => map.at(map.size - 1)?.id);
    this.current.nextId = Math.max(0, ...ids.map((id = 0) => id)) + 1;
    for (const row of this.definition.softDelete === true ? gone : []) {
      this.#assertFree(row.id);
      this.current.deleted = this.current.deleted.set(row.id, row, edit);
      this.reserveIds(row.id + 1);
    }
    this.insertAll(rows);
    this.reserveIds(nextId);
    this.#transaction.wrote();
  }

  #empty(): OwnState<R> {
    return {
      definition: this.definition,
      rows: new OrderedMap(byNumber),
      deleted: new OrderedMap(byNumber),
      unique: this.#unique.map(emptyUnique),
      indexes: this.#indexes.map(emptyIndex),
      nextId: 1,
    };
  }

  #checked(state: TableState): OwnState<R> {
    if (this.#isOwn(state)) return state;
    throw this.#problem('fault', 'this state is of another table');
  }

  #isOwn(state: TableState): state is OwnState<R> {
    return state.definition === this.definition;
  }

  /** Returns the token to write under. Copies the lists of maps first if they may be shared with a state. */
  #own(): Edit {
    const { edit } = this.#transaction;
    this.#noteWrite(this);
    if (this.#edit === edit) return edit;
    const { unique, indexes } = this.current;
    this.current = { ...this.current, unique: [...unique], indexes: [...indexes] };
    this.#edit = edit;
    return edit;
  }

  #isTaken(id: number): boolean {
    return this.current.rows.has(id) || this.current.deleted.has(id);
  }

  #assertFree(id: number): void {
    if (!isId(id)) throw this.#problem('invalid', idIssue(id));
    if (id < this.current.nextId && this.#isTaken(id))
      throw this.#problem('conflict', `id ${id} is taken`);
  }

  /** Switches to another state. Later writes change neither it nor the earlier one. */
  #become(state: OwnState<R>): void {
    const before = this.current;
    this.#transaction.freeze();
    this.#switch(state);
    const undo = (): void => {
      this.#transaction.freeze();
      this.#switch(before);
    };
    this.#transaction.wrote(undo, this, before, state);
  }

  #switch(state: OwnState<R>): void {
    this.current = state;
    this.#noteWrite(this);
    this.#noteFields();
  }

  #noteWrite(source: ReadSource): void {
    source.written = this.#transaction.writes + 1;
  }

  /** Notes a write to the fields in which two versions of a row differ: to all, if there is one version or none. */
  #noteFields(previous?: Values, next?: Values): void {
    for (const [name, field] of this.#readFields) {
      const isSame = previous !== undefined && next !== undefined && previous[name] === next[name];
      if (!isSame) this.#noteWrite(field);
    }
  }

  #setNextId(nextId: number): void {
    const before = this.current.nextId;
    this.#own();
    this.current.nextId = nextId;
    this.#transaction.wrote(() => {
      this.#own();
      this.current.nextId = before;
    });
  }

  /** Inserts, removes or replaces a row. */
  #swap(previous: R | undefined, next: R | undefined): void {
    const edit = this.#own();
    const { rows } = this.current;
    if (next !== undefined) this.current.rows = rows.set(next.id, next, edit);
    else if (previous !== undefined) this.current.rows = rows.delete(previous.id, edit);
    this.#rekey(previous, next, edit);
  }

  /** Replaces the keys of one row by those of another in unique keys and indexes. */
  #rekey(previous: R | undefined, next: R | undefined, edit: Edit): void {
    const { unique, indexes } = this.current;
    this.#noteFields(previous, next);
    const id = next?.id ?? 0;
    for (let at = 0; at < unique.length; at++) {
      const { keyOf } = this.#unique[at]!;
      unique[at] = unique[at]!.moved(previous && keyOf(previous), next && keyOf(next), id, edit);
    }
    for (let at = 0; at < indexes.length; at++) {
      indexes[at] = indexWith(indexes[at]!, this.#indexes[at]!, previous, next, edit);
    }
  }

  /** Rebuilds all maps from these rows. Returns false if two of them conflict. */
  #rebuild(live: readonly R[]): boolean {
    const { deleted, nextId } = this.current;
    if (deleted.size > 0 && live.some(({ id }) => deleted.has(id))) return false;
    const keys = { unique: this.#unique, indexes: this.#indexes };
    const made = buildRows(live, keys, this.#transaction.edit);
    if (made === undefined) return false;
    const highest = made.rows.at(made.rows.size - 1)?.id ?? 0;
    this.#become({ ...this.current, ...made, nextId: Math.max(nextId, highest + 1) });
    return true;
  }

  #problem(kind: ProblemKind, message: string): Problem {
    return new Problem(kind, `${this.definition.name}: ${message}`);
  }
}
