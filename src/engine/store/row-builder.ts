import * as z from 'zod';
import type { Clock } from '../lib/virtual-clock.ts';
import { assertExact } from '../lib/numbers.ts';
import { Problem } from '../lib/problem.ts';
import { deepFreeze, hasId, type Fields, type Row, type Values } from './row.ts';
import { validate, type MaybePromise, type TableDefinition } from './table-definition.ts';

/** The times that a table sets. */
interface Stamps {
  readonly created: boolean;
  readonly updated: boolean;
}

/** Builds the rows of one table from values: adds ids and stamps, validates, freezes. */
export class RowBuilder<R extends Row> {
  readonly #name: string;
  readonly #schema: z.ZodType<Row>;
  readonly #clock: Clock;
  readonly #defaults: Values | undefined;
  #stamps: Stamps | undefined;

  constructor(
    {
      name,
      schema,
      defaults,
    }: Pick<TableDefinition<z.ZodType<Row>>, 'name' | 'schema' | 'defaults'>,
    clock: Clock,
  ) {
    this.#defaults = defaults;
    this.#name = name;
    this.#schema = schema;
    this.#clock = clock;
  }

  /** Read at the first write. A table that is only read needs no fields of its schema. */
  get #stamped(): Stamps {
    return (this.#stamps ??= {
      created: hasField(this.#schema, 'created_at'),
      updated: hasField(this.#schema, 'updated_at'),
    });
  }

  /**
   * Returns the values with this id and with stamps, unless they have their own.
   *
   * @throws Problem `invalid` for an id that is no number
   */
  complete(values: Values, id: number): Fields<R> {
    const fields: Record<string, unknown> = { ...this.#defaults, ...values };
    fields['id'] ??= id;
    if (this.#stamped.created) fields['created_at'] ??= this.#clock.now();
    if (this.#stamped.updated) fields['updated_at'] ??= this.#clock.now();
    return withId(fields, this.#name);
  }

  /** Completes a list of values; those without an id get the ids from `nextId` on. */
  completeAll(list: readonly Values[], nextId: number): Fields<R>[] {
    let next = nextId;
    return list.map((values) => {
      const fields = this.complete(values, next);
      next = Math.max(next, fields.id + 1);
      return fields;
    });
  }

  /**
   * Freezes fields deeply and returns them as a row. The object stays the same, since listeners have seen it, unless it
   * has undefined fields.
   *
   * @throws Problem `refused` for a number that is not exact
   */
  seal(fields: Fields<R>): R {
    const row = withoutUndefined(Object.isFrozen(fields) ? { ...fields } : fields);
    assertExact(this.#name, row);
    const writable: Record<string, unknown> = row;
    for (const key in row) {
      const value = row[key];
      if (typeof value === 'object' && value !== null) writable[key] = deepFreeze(value);
    }
    return Object.freeze(row);
  }

  /**
   * Returns a row's fields with changes, and with a new `updated_at` unless the changes have one.
   *
   * @returns undefined if the row has these values already
   */
  revise(previous: R, changes: Values): Fields<R> | undefined {
    const before: Values = previous;
    let isChanged = false;
    for (const name in changes) {
      const value = changes[name];
      isChanged ||=
        before[name] !== value &&
        (typeof value !== 'object' || JSON.stringify(before[name]) !== JSON.stringify(value));
    }
    if (!isChanged) return undefined;
    const next = { ...previous, ...changes };
    if (changes['updated_at'] === undefined) this.stampUpdated(next);
    return withoutUndefined(next);
  }

  /** @returns whether the table stamps `updated_at` */
  stampUpdated(fields: Fields): boolean {
    const writable: Record<string, unknown> = fields;
    if (this.#stamped.updated) writable['updated_at'] = this.#clock.now();
    return this.#stamped.updated;
  }

  /**
   * Completes records from outside, and parses each by the schema.
   *
   * @throws Problem `invalid` with the issues of the schema
   */
  parseAll(records: readonly Values[], nextId: number): Fields<R>[] {
    return this.completeAll(records, nextId).map((fields, at) => {
      const label = `${this.#name}: record ${at + 1} (id ${fields.id})`;
      const parsed = validate<R>(this.#schema, fields, label);
      if (!(parsed instanceof Promise)) return parsed;
      throw new Problem('fault', `${this.#name}: an asynchronous schema cannot load records`);
    });
  }

  /**
   * Parses complete fields by the schema, which may be asynchronous.
   *
   * @throws Problem `invalid` with the issues of the schema
   */
  validate(fields: Fields): MaybePromise<Fields<R>> {
    return validate<R>(this.#schema, fields, `${this.#name}: record ${fields.id}`);
  }
}

/** Returns the fields without those that are undefined: the same object if it has none. */
export function withoutUndefined<R extends Row>(fields: Fields<R>): Fields<R> {
  let isDefined = true;
  for (const key in fields) isDefined &&= fields[key] !== undefined;
  if (isDefined) return fields;
  const defined: Record<string, unknown> = {};
  for (const key in fields) if (fields[key] !== undefined) defined[key] = fields[key];
  return withId(defined);
}

function withId<R extends Row>(values: Values, table = 'record'): Fields<R> {
  if (hasId<R>(values)) return values;
  throw new Problem('invalid', `${table}: id ${String(values['id'])} must be a positive integer`);
}

function hasField(schema: z.ZodType<Row>, name: string): boolean {
  return schema instanceof z.ZodObject && name in schema.shape;
}
