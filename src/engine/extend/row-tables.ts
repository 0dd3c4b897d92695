import * as z from 'zod';
import type { ApiEndpoint } from '../definition/api.ts';
import { fieldsOf } from '../lib/schema-parts.ts';
import type { Resources } from './resource.ts';

/** Finds the table whose records an endpoint row lists, creates, changes or deletes. */
export class RowTables {
  /** By the view objects themselves, with which endpoints answer. */
  readonly #tables = new Map<z.core.$ZodType, string>();
  /** The tables by the paths of their records, without the names of parameters: `/api/users/:`. */
  readonly #records = new Map<string, string>();

  constructor(endpoints: readonly ApiEndpoint[], resources: Resources) {
    for (const [key, { views }] of Object.entries(resources))
      for (const view of Object.values(views)) this.#tables.set(view, key);
    for (const row of endpoints) {
      const key = row.answer && this.#tables.get(row.answer);
      if (row.method === 'GET' && key !== undefined && /:\w+\/?$/.test(row.path))
        this.#records.set(patternOf(row), key);
    }
  }

  /** Returns the table whose record has the path of a row. */
  recordAt(row: ApiEndpoint): string | undefined {
    return this.recordWith(patternOf(row));
  }

  /** Returns the table whose records have paths like this: `/api/users/:`. */
  recordWith(pattern: string): string | undefined {
    return this.#records.get(pattern);
  }

  /** Returns the table in which a row creates or changes a record by the form of its table. */
  writtenBy(row: ApiEndpoint): string | undefined {
    const created = row.answer && this.#tables.get(row.answer);
    if (row.method === 'POST')
      return this.#records.get(`${patternOf(row)}/:`) === created ? created : undefined;
    const isChange = ['PUT', 'PATCH'].includes(row.method) && row.body !== undefined;
    return isChange ? this.recordAt(row) : undefined;
  }

  /** Returns the table of which a row lists records. */
  listedBy({ answer }: ApiEndpoint): string | undefined {
    const { items } = fieldsOf(fieldsOf(answer)['_embedded']);
    return items instanceof z.ZodArray ? this.#tables.get(items.element) : undefined;
  }
}

function patternOf({ path }: ApiEndpoint): string {
  return path.replaceAll(/:\w+/g, ':').replace(/\/$/, '');
}
