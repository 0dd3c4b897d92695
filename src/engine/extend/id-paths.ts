import type { ApiEndpoint } from '../definition/api.ts';
import type { IdTables } from './id-schemas.ts';
import type { RowTables } from './row-tables.ts';
import type { RecordUuids } from './record-uuids.ts';

/** The positions of ids in paths that clients see as UUIDs. */
export class IdPaths {
  readonly #rowTables: RowTables;
  readonly #tables: IdTables;
  /** The tables by the beginning of a path, without the names of parameters: `/api/users/:`. */
  readonly #patterns = new Map<string, string>();
  /** The tables by the names of parameters, from the paths of their records: `order_id`. */
  readonly #names = new Map<string, string>();

  constructor(rows: readonly ApiEndpoint[], rowTables: RowTables, tables: IdTables) {
    this.#rowTables = rowTables;
    this.#tables = tables;
    for (const { path } of rows)
      for (const { name, pattern } of parametersIn(path)) {
        const table = rowTables.recordWith(pattern);
        if (table !== undefined && name !== 'id') this.#names.set(name, table);
      }
    for (const { path } of rows)
      for (const { name, pattern } of parametersIn(path)) {
        const table = this.#tableAt(name, pattern);
        if (table !== undefined) this.#patterns.set(pattern, table);
      }
  }

  /** Returns the parameters of a path that are UUIDs, with their tables. */
  parameters(path: string): ReadonlyMap<string, string> {
    const found = parametersIn(path).flatMap(({ name, pattern }) => {
      const table = this.#tableAt(name, pattern);
      return table === undefined ? [] : [[name, table] as const];
    });
    return new Map(found);
  }

  /** Returns a path with UUIDs in the place of ids. A query stays as it is. */
  outside(path: string, uuids: RecordUuids): string {
    return path.replace(/^[^?]*/, (named) =>
      named.replaceAll(/(?<=\/)\d+(?=\/|$)/g, (id, at: number) => {
        const above = named.slice(0, at).replaceAll(/(?<=\/)\d+(?=\/)/g, ':');
        const table = this.#patterns.get(`${above}:`);
        return table === undefined ? id : uuids.uuidOf(table, Number(id));
      }),
    );
  }

  #tableAt(name: string, pattern: string): string | undefined {
    const table =
      this.#rowTables.recordWith(pattern) ?? this.#names.get(name) ?? this.#tables.named(name);
    return table !== undefined && this.#tables.isShown(table) ? table : undefined;
  }
}

interface Parameter {
  readonly name: string;
  /** The path up to it: `/api/countries/:/provinces/:`. */
  readonly pattern: string;
}

function parametersIn(path: string): Parameter[] {
  return Array.from(path.matchAll(/:(\w+)/g), ({ 1: name = '', index }) => ({
    name,
    pattern: `${path.slice(0, index).replaceAll(/:\w+/g, ':')}:`,
  }));
}
