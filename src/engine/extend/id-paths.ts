import type { ApiEndpoint } from '../definition/api.ts';
import type { IdTables } from './id-schemas.ts';
import type { RecordUuids } from './record-uuids.ts';
import type { RowTables } from './row-tables.ts';

/** The positions of ids in paths that clients see as UUIDs. */
export class IdPaths {
  readonly #rowTables: RowTables;
  readonly #tables: IdTables;
  /** The tables by the beginning of a path, without the names of parameters: `/api/users/:`. */
  readonly #patterns: ReadonlyMap<string, string>;

  constructor(rows: readonly ApiEndpoint[], rowTables: RowTables, tables: IdTables) {
    this.#rowTables = rowTables;
    this.#tables = tables;
    this.#patterns = new Map(
      rows.flatMap(({ path }) => this.#idsIn(path).map(({ pattern, table }) => [pattern, table])),
    );
  }

  /** Returns the parameters of a path that are UUIDs, with their tables. */
  parameters(path: string): ReadonlyMap<string, string> {
    return new Map(this.#idsIn(path).map(({ name, table }) => [name, table]));
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

  #idsIn(path: string) {
    const { names, isShown } = this.#tables;
    return Array.from(path.matchAll(/:(\w+)/g)).flatMap(({ 1: name = '', index }) => {
      const pattern = `${path.slice(0, index).replaceAll(/:\w+/g, ':')}:`;
      const table = this.#rowTables.recordWith(pattern) ?? names.get(name);
      return table !== undefined && isShown(table) ? [{ name, pattern, table }] : [];
    });
  }
}
