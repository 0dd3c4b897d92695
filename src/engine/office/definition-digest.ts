import type { ApiDefinition } from '../definition/api.ts';
import { valueAt } from '../lib/json-value.ts';
import { memoized } from '../lib/memoized.ts';
import { Problem } from '../lib/problem.ts';
import { tokenOf } from '../lib/pseudo-random.ts';
import { isBuiltIn } from '../scenario/built-in.ts';
import { assertNoIssues, brokenReferences, nestIssues } from '../scenario/issues.ts';
import type { ReadyScenario } from '../scenario/scenario.ts';
import { definitionsByName, type AnyDatabase, type AnyDefinition } from '../store/database.ts';
import type { Row } from '../store/row.ts';
import { validate } from '../store/table-definition.ts';
import { unknownKeys } from '../lib/unknown-keys.ts';
import { fieldIssues } from './file-check.ts';

/** Returns a text that differs for APIs whose records have other fields, kinds of fields, references or unique keys. Memoized. */
export function definitionDigest({ tables }: ApiDefinition): string {
  return tablesDigest(tables);
}

const tablesDigest = /* @__PURE__ */ memoized((tables: ApiDefinition['tables']) =>
  digestOf(
    Object.entries(tables).map(([key, { schema, references, unique = {} }]) => [
      key,
      schema.shape,
      references,
      Object.keys(unique),
    ]),
  ),
);

/**
 * Returns a text that differs for scenarios whose content differs. Values that fields get by default do not count, because
 * a definition may have gained them. Memoized.
 */
export const scenarioDigest = /* @__PURE__ */ memoized((scenario: ReadyScenario) =>
  digestOf(isBuiltIn(scenario) ? sourcesOf(scenario.api, scenario.name) : contentOf(scenario)),
);

function digestOf(content: unknown): string {
  return tokenOf(0, JSON.stringify(content));
}

/** Returns the source of a scenario that an API comes with, and those of the ones that it extends. */
function sourcesOf(api: Pick<ApiDefinition, 'sources'>, name: string): unknown[] {
  const source = api.sources.scenarios[name];
  const base = valueAt(source, ['extends']);
  return [source, ...(typeof base === 'string' ? sourcesOf(api, base) : [])];
}

function contentOf({ api, data, unchanged, ...fields }: ReadyScenario): unknown[] {
  const known = definitionsByName(api.tables);
  const tables = Array.from(data, ([name, records]) => {
    const [, { defaults = {} } = {}] = known.get(name) ?? [];
    return [name, records.map((record) => without(defaults, record))];
  });
  return [fields, tables, unchanged && contentOf(unchanged)];
}

function without(defaults: Readonly<Record<string, unknown>>, record: object): object {
  const own = Object.entries(record).filter(
    ([name, value]) =>
      !Object.hasOwn(defaults, name) || JSON.stringify(defaults[name]) !== JSON.stringify(value),
  );
  return Object.fromEntries(own);
}

/** The difference between a table and its start. Empty lists are left out. */
export interface TableDifference {
  readonly next_id: number;
  readonly rows?: readonly Row[];
  readonly removed?: readonly number[];
  readonly gone?: readonly Row[];
  readonly restored?: readonly number[];
}

/**
 * Returns rows of another definition as those of an API, by the keys of their tables: fields that they lack get their
 * defaults.
 *
 * @throws Problem `invalid` with the tables and fields that differ, or for a value that a field does not accept
 */
export function fitRows(
  changes: Readonly<Record<string, TableDifference>>,
  { tables }: ApiDefinition,
): Readonly<Record<string, TableDifference>> {
  const unknown: string[] = [];
  const known = Object.entries(changes).flatMap(([key, changed]) => {
    const definition = tables[key];
    if (definition !== undefined) return [{ key, definition, changed }];
    if (rowsOf(changed).length > 0) unknown.push(key);
    return [];
  });
  const parts = known.map(({ definition, changed }) => [definition, rowsOf(changed)] as const);
  const issues = [
    ...(unknown.length > 0 ? [unknownKeys(unknown, [], 'table')] : []),
    ...fieldIssues(parts),
  ];
  if (issues.length > 0) throw new Problem('invalid', issues.join('. '));
  return Object.fromEntries(
    known.map(({ key, definition, changed: { rows, gone, ...others } }) => [
      key,
      {
        ...others,
        ...(rows && { rows: rows.map((row) => parseRow(definition, row)) }),
        ...(gone && { gone: gone.map((row) => parseRow(definition, row)) }),
      },
    ]),
  );
}

function rowsOf({ rows = [], gone = [] }: TableDifference): readonly Row[] {
  return [...rows, ...gone];
}

function parseRow({ name, schema, defaults }: AnyDefinition, row: Row): Row {
  const parsed = validate(schema, { ...defaults, ...row }, `${name}: record ${row.id}`);
  if (!(parsed instanceof Promise)) return parsed;
  throw new Problem('fault', `${name}: an asynchronous schema cannot load records`);
}

/**
 * Checks tables into which rows of another definition were put.
 *
 * @throws Problem `invalid` for a broken reference, or a unique key that two rows have
 */
export function assertSoundTables(db: AnyDatabase, keys: readonly string[]): void {
  const issues = keys.flatMap((key) => {
    const rows = db[key]?.all() ?? [];
    const { definition } = db[key] ?? {};
    const { name = key, unique = {} } = definition ?? {};
    const broken = rows.flatMap((row) =>
      nestIssues([name, row.id], brokenReferences(db, definition ?? {}, row)),
    );
    const taken = Object.entries<(row: Row) => string | undefined>(unique).flatMap(
      ([by, keyOf]) => {
        const found = new Set<string | undefined>();
        const repeated = rows.filter((row) => {
          const value = keyOf(row);
          const isTaken = value !== undefined && found.has(value);
          found.add(value);
          return isTaken;
        });
        return repeated.map(({ id }) => ({
          path: [name, String(id)],
          message: `its ${by} is taken`,
        }));
      },
    );
    return [...broken, ...taken];
  });
  assertNoIssues('data', issues);
}
