import type { ApiEndpoint } from '../definition/api.ts';
import type { IdTables } from './id-schemas.ts';
import type { Places } from './places.ts';
import type { RecordUuids } from './record-uuids.ts';

/** Where paths have ids that clients see as UUIDs. */
export class IdPaths {
  readonly #places: Places;
  readonly #tables: IdTables;
  /** The tables by the beginning of a path, without the names of parameters: `/api/users/:`. */
  readonly #patterns = new Map<string, string>();
  /** The tables by the names of parameters, from the paths of their records: `order_id`. */
  readonly #names = new Map<string, string>();

  constructor(rows: readonly ApiEndpoint[], places: Places, tables: IdTables) {
    this.#places = places;
    this.#tables = tables;
    for (const { path } of rows)
      for (const { name, pattern } of parametersIn(path)) {
        const table = places.recordWith(pattern);
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
    return this.#converted(path, /^\d+$/, (table, id) => uuids.uuidOf(table, Number(id)));
  }

  /** Returns a path with ids in the place of UUIDs. A query stays as it is. */
  inside(path: string, uuids: RecordUuids): string {
    return this.#converted(path, /^[\da-f-]{36}$/i, (table, uuid) => uuids.idOf(table, uuid));
  }

  #converted(
    path: string,
    ids: RegExp,
    convert: (table: string, id: string) => string | number | undefined,
  ): string {
    const [, named = '', query = ''] = /^([^?]*)(.*)$/s.exec(path) ?? [];
    let pattern = '';
    const parts = named.split('/').map((part) => {
      const table = ids.test(part) ? this.#patterns.get(`${pattern}/:`) : undefined;
      pattern = pattern === '' && part === '' ? '' : `${pattern}/${ids.test(part) ? ':' : part}`;
      return (table === undefined ? undefined : convert(table, part)) ?? part;
    });
    return parts.join('/') + query;
  }

  /** Returns the table to whose ids the parameters of a name refer, if these are UUIDs. */
  tableOf(name: string): string | undefined {
    const table = this.#tables.named(name);
    return table !== undefined && this.#tables.isShown(table) ? table : undefined;
  }

  #tableAt(name: string, pattern: string): string | undefined {
    const table = this.#places.recordWith(pattern) ?? this.#names.get(name);
    if (table === undefined) return this.tableOf(name);
    return this.#tables.isShown(table) ? table : undefined;
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
