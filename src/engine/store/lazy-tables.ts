import type * as z from 'zod';
import { memoized } from '../lib/memoized.ts';
import { RowSet } from './row-set.ts';
import type { Row } from './row.ts';
import type { TableChanges } from './state-difference.ts';
import type { TableDefinition } from './table-definition.ts';
import { Table, type TableContext, type TableState } from './table.ts';
import { Transaction } from './transaction.ts';

/** The definition of any table, whose records have named fields. */
export type AnyDefinition = TableDefinition<z.ZodObject & z.ZodType<Row>>;

/** The definitions of the tables of an API, by name. */
export type Definitions = Readonly<Record<string, AnyDefinition>>;

/** Returns the definitions by the names that tables have in files and messages: `order_items`. */
export const definitionsByName = memoized(
  (definitions: Definitions) =>
    new Map(Object.entries(definitions).map((entry) => [entry[1].name, entry] as const)),
);

/** Returns a definition by its key: `orderItems`. @throws RangeError for a table that there is not */
export function definitionOf(definitions: Definitions, key: string): AnyDefinition {
  const definition = definitions[key];
  if (definition === undefined) throw new RangeError(`There is no table ${key}`);
  return definition;
}

/** A table of any database, for code that does not know its records. */
export type AnyTable = Table<z.ZodObject & z.ZodType<Row>>;

/**
 * The tables of a database, each created when it is first used. Creating all of them would be the largest cost of a new
 * session, and most sessions use few tables.
 */
export class LazyTables {
  readonly definitions: Definitions;
  readonly names: readonly string[];
  readonly #context: TableContext;
  /** The open tables, by their position among the definitions. */
  readonly #opened: (AnyTable | undefined)[];
  /** The content of tables that are not open. */
  #unopened: Readonly<Record<string, TableState>> = {};

  constructor(definitions: Definitions, context: TableContext) {
    this.definitions = definitions;
    this.names = Object.keys(definitions);
    this.#context = context;
    this.#opened = this.names.map(() => undefined);
  }

  /** Returns the table at a position among the definitions. Positions are faster than names. */
  at(place: number): AnyTable {
    return this.#opened[place] ?? this.#open(place);
  }

  /** Returns all tables, in the order of the definitions. */
  all(): AnyTable[] {
    return this.names.map((_, place) => this.at(place));
  }

  /** Returns the content of every table. Opens tables without content. */
  state(): Record<string, TableState> {
    return Object.fromEntries(this.names.map((name, place) => [name, this.#stateOf(place)]));
  }

  restore(state: Readonly<Record<string, TableState>>): void {
    // Only open tables can be rolled back.
    if (this.#context.transaction.isMarked)
      for (const [place, name] of this.names.entries()) if (name in state) this.at(place);
    this.#unopened = state;
    this.#context.transaction.wrote();
    for (const [place, name] of this.names.entries()) {
      const table = this.#opened[place];
      // A state may build the content of a table when it is first read.
      const own = table === undefined ? undefined : state[name];
      if (own !== undefined) table?.restore(own);
    }
  }

  /** Returns the tables that can differ from those of a state, and freezes nothing: valid until the next write. */
  changedFrom(state: Readonly<Record<string, TableState>>): Record<string, TableState> {
    const changed: Record<string, TableState> = {};
    for (const [place, name] of this.names.entries()) {
      const table = this.#opened[place];
      if (table === undefined && this.#unopened === state) continue;
      const content = table?.parts.rows.current ?? this.#unopened[name];
      if (content !== undefined) changed[name] = content;
    }
    return changed;
  }

  /** Returns the number of rows, soft-deleted ones included. */
  rowCount(): number {
    let sum = 0;
    for (const [place, name] of this.names.entries()) {
      const state = this.#unopened[name];
      const table = this.#opened[place];
      sum += table?.rowCount ?? (state === undefined ? 0 : state.rows.size + state.deleted.size);
    }
    return sum;
  }

  #stateOf(place: number): TableState {
    const unopened = this.#unopened[this.names[place] ?? ''];
    return this.#opened[place]?.state ?? unopened ?? this.at(place).state;
  }

  #open(place: number): AnyTable {
    const name = this.names[place] ?? '';
    const definition = definitionOf(this.definitions, name);
    const table: AnyTable = new Table(definition, this.#context, this.#unopened[name]);
    this.#opened[place] = table;
    return table;
  }
}

/** Returns the content of a table as the changes from an empty one. */
export function contentOf({ nextId, rows, deleted }: TableState) {
  return {
    next_id: nextId,
    rows: [...rows.values()],
    gone: [...deleted.values()],
  } satisfies TableChanges;
}

/** Returns the state of a table with stored rows. They are frozen, and neither copied nor checked again. */
export function stateOfStored(
  definition: TableDefinition<z.ZodType<Row>>,
  content: TableChanges,
): TableState {
  const set = new RowSet<Row>(definition, new Transaction());
  set.patch(freezeStored(content));
  return set.state;
}

/** Freezes a value that was parsed from JSON, deeply. */
export function freezeStored<Value>(value: Value): Value {
  for (const key in value) if (typeof value[key] === 'object') freezeStored(value[key]);
  return Object.freeze(value);
}
