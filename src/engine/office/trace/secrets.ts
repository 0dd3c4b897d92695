import { mask, redactRecord, type SecretNames } from '../../journal/redaction.ts';
import { mapValues } from '../../lib/json-value.ts';
import { isBuiltIn } from '../../scenario/built-in.ts';
import type { Start } from '../../scenario/start.ts';
import { definitionsByName, type AnyDefinition, type Definitions } from '../../store/database.ts';
import type { Row, Values } from '../../store/row.ts';

/** Returns records of a table, by its name, without secrets. */
export type RedactRows = <R extends Row>(table: string, rows: readonly R[]) => R[];

/**
 * Masks the secrets in records of a trace: the same ones alike and different ones differently, because some are unique keys,
 * and the history shows whether they changed. Those of built-in scenarios are no secrets.
 */
export class Secrets {
  readonly #masks = new Map<unknown, number>();
  readonly #tables: ReadonlyMap<string, readonly [key: string, Pick<AnyDefinition, 'secret'>]>;

  constructor(tables: Definitions) {
    this.#tables = definitionsByName(tables);
  }

  /** @param start the scenario that the records come from */
  of(start: Start | undefined): RedactRows {
    const built = start !== undefined && isBuiltIn(start.scenario) ? start.state : {};
    const states = new Map(Object.values(built).map((state) => [state.definition.name, state]));
    return (table, rows) => {
      const published = states.get(table)?.rows;
      const [, { secret }] = this.#tables.get(table) ?? ['', {}];
      return rows.map((row) => this.#redact(row, published?.get(row.id), secret));
    };
  }

  #redact<R extends Row>(row: R, published: Row | undefined, secret: SecretNames | undefined): R {
    const known: Values = { ...published };
    const shown = redactRecord(row, secret);
    const values: Values = { ...row };
    const masked = mapValues(values, (value, name) =>
      known[name] === value ? value : this.#shown(value, shown[name]),
    );
    return { ...row, ...masked };
  }

  /** A schema accepts no text in place of a number. */
  #shown(value: unknown, shown: unknown): unknown {
    if (typeof value === 'number') return typeof shown === 'number' ? value : this.#numberOf(value);
    return shown === mask && value !== mask ? `${mask}${this.#numberOf(value)}` : shown;
  }

  #numberOf(secret: unknown): number {
    const number = this.#masks.get(secret) ?? this.#masks.size + 1;
    this.#masks.set(secret, number);
    return number;
  }
}
