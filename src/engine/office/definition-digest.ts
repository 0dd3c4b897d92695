import type { ApiDefinition } from '../definition/api.ts';
import { valueAt } from '../lib/json-value.ts';
import { memoized } from '../lib/memoized.ts';
import { tokenOf } from '../lib/pseudo-random.ts';
import { isBuiltIn } from '../scenario/built-in.ts';
import { assertNoIssues, brokenReferences, nestIssues } from '../scenario/issues.ts';
import type { ReadyScenario } from '../scenario/scenario.ts';
import { definitionsByName, type AnyDatabase } from '../store/database.ts';

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

/**
 * Checks tables into which rows of another definition were put.
 *
 * @throws Problem `invalid` for a broken reference
 */
export function assertSoundTables(db: AnyDatabase, keys: readonly string[]): void {
  const issues = keys.flatMap((key) => {
    const { name = key, ...definition } = db[key]?.definition ?? {};
    return (db[key]?.all() ?? []).flatMap((row) =>
      nestIssues([name, row.id], brokenReferences(db, definition, row)),
    );
  });
  assertNoIssues('data', issues);
}
