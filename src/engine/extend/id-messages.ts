import { checkOf, decidedBy } from '../definition/records.ts';
import type { Definitions } from '../store/database.ts';
import { Problem, type FieldIssue } from '../lib/problem.ts';

/** Says of a table and an id what a client knows the record by. */
export type IdText = (table: string, id: number) => string;

/** Replaces the ids of records in messages. */
export class IdMessages {
  /** The tables by what messages call their records: `order`. */
  readonly #tables: ReadonlyMap<string, string>;
  readonly #names: RegExp;

  /** @param keys the tables whose records have UUIDs */
  constructor(definitions: Definitions, keys: readonly string[]) {
    const named = keys.flatMap((key) => {
      const singular = definitions[key]?.singular ?? key;
      return [singular, singular.split(' ').at(-1) ?? ''].map((name) => [name, key] as const);
    });
    this.#tables = new Map(named);
    const names = [...this.#tables.keys()].toSorted((one, other) => other.length - one.length);
    this.#names = new RegExp(
      `\\b(${names.join('|')})( | does not exist with these criteria: \\{"id":")(\\d+)\\b`,
      'gi',
    );
  }

  /** Returns a message with what clients know records by. */
  text(message: string, textOf: IdText): string {
    return message.replaceAll(this.#names, (_, name: string, between: string, id: string) => {
      const table = this.#tables.get(name.toLowerCase()) ?? '';
      return `${name}${between}${textOf(table, Number(id))}`;
    });
  }

  /** The same for an issue. Those of code of a definition have the words of that code. */
  issue(issue: FieldIssue, textOf: IdText): FieldIssue {
    const check = checkOf(issue);
    const message = this.text(issue.message, textOf);
    if (message === issue.message || (check && typeof check === 'object' && 'rule' in check))
      return issue;
    const changed = { ...issue, message };
    return check === undefined ? changed : decidedBy(check, changed);
  }

  /** The same for an error. */
  error(error: unknown, textOf: IdText): unknown {
    if (!(error instanceof Problem) || checkOf(error) !== undefined) return error;
    const message = this.text(error.message, textOf);
    const fields = error.fields.map((one) => this.issue(one, textOf));
    if (message === error.message && fields.every((one, at) => one === error.fields[at]))
      return error;
    const { kind, more, headers, body } = error;
    return new Problem(kind, message, { fields, more, headers, ...(body && { body }) });
  }
}
