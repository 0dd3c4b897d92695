import * as z from 'zod';
import { Problem } from '../lib/problem.ts';
import type { Clock } from '../lib/clock.ts';
import { inexactProblem, isInexact, assertExact } from '../lib/numbers.ts';
import { typed, type Hooks } from './recorded.ts';
import { revise, type Updater } from './revision.ts';
import { RowHooks, type Fields, type Path } from './row-hooks.ts';
import type { RowSet } from './row-set.ts';
import { deepFreeze, isDeepFrozen, type Row, type RowOf } from './row.ts';
import { validate, assertValid, whenever, type Soon } from './schema-check.ts';
import type { Transaction } from './transaction.ts';

/** Values of a record, whatever they are. */
export type Values = Readonly<Record<string, unknown>>;

/** What writing needs to know of a table. */
export interface Target<Schema extends z.ZodType<Row>> {
  readonly name: string;
  readonly schema: Schema;
  readonly rows: RowSet<RowOf<Schema>>;
  readonly hooks: Hooks<Schema>;
  readonly clock: Clock;
  readonly transaction: Transaction;
}

/** Makes rows out of values: gives them ids and stamps, tells listeners, freezes and stores them. */
export class RowWriter<Schema extends z.ZodType<Row>> {
  readonly #target: Target<Schema>;
  readonly #hooks: RowHooks<Schema>;
  readonly #stampsCreated: boolean;
  readonly #stampsUpdated: boolean;

  constructor(target: Target<Schema>) {
    this.#target = target;
    this.#hooks = new RowHooks(target.hooks);
    this.#stampsCreated = hasField(target.schema, 'created_at');
    this.#stampsUpdated = hasField(target.schema, 'updated_at');
  }

  /** Stores values as they are, without asking the schema. */
  add(values: Values): RowOf<Schema> {
    return this.#insert(this.#fields(values, this.#target.rows.nextId), values);
  }

  /** The same for many: all of them, or none. What is a whole row already, frozen, is stored itself. */
  addAll(list: readonly Values[]): RowOf<Schema>[] {
    if (this.#hooks.isActive || !list.every((values) => this.#isWhole(values)))
      return this.#insertAll(this.#numbered(list), list);
    for (const values of list) assertExact(this.#target.name, values);
    return this.#insertRows(typed<RowOf<Schema>[]>(list.slice()));
  }

  /** The same for rows that are finished. */
  insertFrozen(rows: readonly RowOf<Schema>[]): void {
    for (const row of rows) assertExact(this.#target.name, typed<Values>(row));
    if (this.#hooks.isActive) this.#insertAll(typed<readonly Fields[]>(rows), rows);
    else this.#insertRows(rows);
  }

  /** Stores records that the schema has passed: all of them, or none. */
  load(records: readonly Values[]): RowOf<Schema>[] {
    return this.#insertAll(
      this.#numbered(records).map((fields, at) => this.#parsed(fields, at)),
      records,
    );
  }

  /** The same for schemas and listeners that take their time. */
  async create(list: readonly Values[]): Promise<RowOf<Schema>[]> {
    const { rows, transaction } = this.#target;
    const taken: number[] = [];
    try {
      const drafts = list.map(async (values) => {
        if (values['id'] === undefined) taken.push(rows.takeId());
        return withoutUndefined(await this.#check(this.#fields(values, rows.nextId - 1)));
      });
      const made = await Promise.all(drafts);
      for (const [at, fields] of made.entries()) await this.#hooks.createInTime(fields, list[at]);
      return transaction.run(() => made.map((fields) => this.#store(fields)));
    } catch (error) {
      for (const id of taken.toReversed()) rows.releaseId(id);
      throw error;
    }
  }

  change(id: number, changes: Values): RowOf<Schema> {
    const { rows } = this.#target;
    const previous = rows.get(id);
    if (previous === undefined) throw rows.missing(id);
    const next = withoutUndefined({ ...previous, ...changes });
    if (this.#stampsUpdated && changes['updated_at'] === undefined) this.#stampUpdated(next);
    return this.#replace(previous, next, () => differences(typed<Values>(previous), next));
  }

  /**
   * Lets an updater change drafts of rows, and stores what the schema makes of them: all of them, or none.
   *
   * @returns undefined where one of the rows was written to in the meantime: then nothing is stored
   */
  async update(
    list: readonly RowOf<Schema>[],
    updater: Updater,
  ): Promise<RowOf<Schema>[] | undefined> {
    const { rows, transaction } = this.#target;
    const proposals: Proposal<RowOf<Schema>>[] = [];
    for (const row of list) {
      const proposal = this.#propose(row, updater);
      proposals.push(proposal instanceof Promise ? await proposal : proposal);
    }
    if (proposals.some(({ previous }) => rows.get(previous.id) !== previous)) return undefined;
    return transaction.run(() =>
      proposals.map(({ previous, next, paths }) =>
        this.#replace(previous, next, () => paths, true),
      ),
    );
  }

  /** @returns the row, which stays where a listener prevents its removal */
  remove(id: number): RowOf<Schema> {
    const { rows } = this.#target;
    const row = rows.get(id);
    if (row === undefined) throw rows.missing(id);
    return this.#hooks.delete(row) ? row : rows.remove(id);
  }

  /** Removes all rows, but those that a listener keeps. */
  clear(): void {
    const { rows } = this.#target;
    if (!this.#hooks.isActive) rows.clear();
    else for (const { id } of rows.page(0, rows.size)) this.remove(id);
  }

  #fields(values: Values, id: number): Fields {
    if (this.#isRow(values)) return typed<Fields>(values);
    const fields: Record<string, unknown> = { ...values };
    fields['id'] ??= id;
    if (this.#stampsCreated) fields['created_at'] ??= this.#target.clock.now();
    if (this.#stampsUpdated) fields['updated_at'] ??= this.#target.clock.now();
    return typed<Fields>(fields);
  }

  /** Whether it can be stored itself: nothing is to be added to it, taken from it or frozen. */
  #isWhole(values: Values): boolean {
    if (!this.#isRow(values)) return false;
    for (const key in values) {
      const value = values[key];
      if (value === undefined || (typeof value === 'object' && !isDeepFrozen(value))) return false;
    }
    return true;
  }

  #isRow(values: Values): boolean {
    return (
      Object.isFrozen(values) &&
      values['id'] !== undefined &&
      (!this.#stampsCreated || values['created_at'] !== undefined) &&
      (!this.#stampsUpdated || values['updated_at'] !== undefined)
    );
  }

  /** Records with ids: their own, or those that follow. */
  #numbered(list: readonly Values[]): Fields[] {
    let { nextId } = this.#target.rows;
    return list.map((values) => {
      const fields = this.#fields(values, nextId);
      nextId = Math.max(nextId, fields.id + 1);
      return fields;
    });
  }

  #insertAll(list: readonly Fields[], initialValues: readonly unknown[]): RowOf<Schema>[] {
    if (!this.#hooks.isActive) return this.#insertRows(list.map((fields) => this.#sealed(fields)));
    return this.#target.transaction.run(() =>
      list.map((fields, at) => this.#insert(fields, initialValues[at])),
    );
  }

  #insertRows<Made extends readonly RowOf<Schema>[]>(made: Made): Made {
    const { rows, transaction } = this.#target;
    transaction.run(() => rows.insertAll(made));
    return made;
  }

  #insert(made: Fields, initialValues: unknown): RowOf<Schema> {
    if (!this.#hooks.isActive) return this.#store(made);
    const fields = withoutUndefined(made);
    this.#target.rows.assertInsertable(typed<RowOf<Schema>>(fields));
    this.#hooks.create(fields, initialValues);
    return this.#store(fields);
  }

  #store(fields: Fields): RowOf<Schema> {
    const row = this.#sealed(fields);
    this.#target.rows.insert(row);
    return row;
  }

  /**
   * The row that a record becomes once it is frozen all the way down; the same object, since listeners have seen it,
   * unless there are fields in it without a value.
   */
  #sealed(fields: Fields): RowOf<Schema> {
    if (Object.isFrozen(fields)) assertExact(this.#target.name, fields);
    if (Object.isFrozen(fields)) return typed<RowOf<Schema>>(deepFreeze(withoutUndefined(fields)));
    for (const key in fields) {
      const value = fields[key];
      if (value === undefined) return this.#sealed(withoutUndefined(fields));
      if (typeof value === 'number' && isInexact(value))
        throw inexactProblem(this.#target.name, key, value);
      if (typeof value !== 'object' || value === null) continue;
      const whole = deepFreeze(value);
      if (whole !== value) fields[key] = whole;
    }
    return typed<RowOf<Schema>>(Object.freeze(fields));
  }

  #replace(
    previous: RowOf<Schema>,
    next: Fields,
    pathsOf: () => readonly Path[],
    recheck = false,
  ): RowOf<Schema> {
    const { name, rows } = this.#target;
    if (next.id !== previous.id)
      throw new Problem('invalid', `${name}: id ${previous.id} cannot become ${next.id}`);
    if (this.#hooks.isActive) {
      rows.assertUnique(typed<RowOf<Schema>>(next), previous);
      const isPrevented = this.#hooks.update(previous, next, pathsOf());
      if (isPrevented && recheck)
        assertValid(this.#target.schema, next, `${name}: record ${next.id}`);
    }
    const row = this.#sealed(next);
    rows.replace(row);
    return row;
  }

  #propose(previous: RowOf<Schema>, updater: Updater): Soon<Proposal<RowOf<Schema>>> {
    return whenever(revise(previous, updater), ({ next, paths }) => {
      if (this.#stampsUpdated && !paths.some(([first]) => first === 'updated_at')) {
        this.#stampUpdated(next);
        paths.push(['updated_at']);
      }
      return whenever(this.#check(next), (fields) => ({
        previous,
        next: withoutUndefined(fields),
        paths,
      }));
    });
  }

  #parsed(fields: Fields, at: number): Fields {
    const { name, schema } = this.#target;
    const parsed = validate(schema, fields, `${name}: record ${at + 1} (id ${fields.id})`);
    if (!(parsed instanceof Promise)) return parsed;
    throw new Problem('fault', `${name}: an asynchronous schema cannot load records`);
  }

  #check(fields: Fields): Soon<Fields> {
    const { name, schema } = this.#target;
    return validate(schema, fields, `${name}: record ${fields.id}`);
  }

  #stampUpdated(fields: Record<string, unknown>): void {
    fields['updated_at'] = this.#target.clock.now();
  }
}

/** What an updater and the schema have made of a row. */
interface Proposal<R extends Row> {
  readonly previous: R;
  readonly next: Fields;
  readonly paths: readonly Path[];
}

function hasField(schema: z.ZodType<Row>, name: string): boolean {
  return schema instanceof z.ZodObject && name in schema.shape;
}

function withoutUndefined(fields: Fields): Fields {
  for (const key in fields) {
    if (fields[key] === undefined)
      return typed<Fields>(
        Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)),
      );
  }
  return fields;
}

function differences(previous: Values, next: Values): Path[] {
  const keys = new Set([...Object.keys(previous), ...Object.keys(next)]);
  return [...keys]
    .filter((key) => JSON.stringify(previous[key]) !== JSON.stringify(next[key]))
    .map((key) => [key]);
}
