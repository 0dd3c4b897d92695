import type * as z from 'zod';
import type { Row } from './row.ts';
import type { TableDefinition } from './table-definition.ts';
import { Table, type TableContext, type TableState } from './table.ts';

export type Definitions = Readonly<Record<string, TableDefinition<z.ZodType<Row>>>>;
type AnyTable = Table<z.ZodType<Row>>;

/**
 * Tables that are opened when they are first asked for. A table costs more than all else of a session that nobody has
 * used yet, and most sessions ask for few of them.
 */
export class LazyTables {
  readonly #definitions: Definitions;
  readonly #context: TableContext;
  readonly #opened = new Map<string, AnyTable>();
  /** What tables hold that are not open. */
  #waiting: Readonly<Record<string, TableState>> = {};

  constructor(definitions: Definitions, context: TableContext) {
    this.#definitions = definitions;
    this.#context = context;
  }

  get(name: string): AnyTable {
    return this.#opened.get(name) ?? this.#open(name);
  }

  /** What every table holds. Those that were never opened and never filled are opened for it. */
  state(): Record<string, TableState> {
    const names = Object.keys(this.#definitions);
    return Object.fromEntries(names.map((name) => [name, this.#stateOf(name)]));
  }

  restore(state: Readonly<Record<string, TableState>>): void {
    // What is not open cannot be taken back.
    if (this.#context.transaction.isMarked) for (const name in state) this.get(name);
    this.#waiting = state;
    this.#context.transaction.wrote();
    for (const [name, table] of this.#opened) {
      const own = state[name];
      if (own !== undefined) table.restore(own);
    }
  }

  /** How many rows there are, soft-deleted ones too. */
  held(): number {
    let sum = 0;
    for (const name of Object.keys(this.#definitions)) {
      const state = this.#waiting[name];
      const table = this.#opened.get(name);
      sum += table?.held ?? (state === undefined ? 0 : state.rows.size + state.gone.size);
    }
    return sum;
  }

  #stateOf(name: string): TableState {
    const opened = this.#opened.get(name);
    return opened?.state ?? this.#waiting[name] ?? this.get(name).state;
  }

  #open(name: string): AnyTable {
    const definition = this.#definitions[name];
    if (definition === undefined) throw new RangeError(`There is no table ${name}`);
    const table: AnyTable = new Table(definition, this.#context, [], this.#waiting[name]);
    this.#opened.set(name, table);
    return table;
  }
}
