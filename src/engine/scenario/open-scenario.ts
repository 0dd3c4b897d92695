import type * as z from 'zod';
import type { ApiDefinition } from '../definition/api.ts';
import { faultInput } from '../faults/fault-rule.ts';
import { faultIssues } from '../faults/fault-rules.ts';
import { isObject, valueAt } from '../lib/json-value.ts';
import { Problem, type FieldIssue } from '../lib/problem.ts';
import { issuesOf } from '../lib/schema-issues.ts';
import type { Values } from '../store/row.ts';
import { recordSchemas } from './data.ts';
import { assertNoIssues, nestIssues } from './issues.ts';
import type { ReadyScenario, ScenarioFields } from './scenario.ts';
import { startOf } from './start.ts';

/** Loads the files and scenarios that a scenario refers to. The functions throw a Problem if one is not found. */
export interface ScenarioLoader {
  /** The API of the scenario. */
  readonly api: ApiDefinition;
  /** Returns the content of a fixture file, by its path relative to the scenario. */
  records(path: string): unknown;
  /** Returns the scenario to extend, by its name or by its path relative to this one. */
  base(name: string): ReadyScenario;
}

/**
 * Parses a scenario, loads the fixture files that it names, and merges it with the scenario that it extends.
 *
 * @param written the parsed JSON of a file, or the argument of `defineScenario`
 * @param subject names the scenario in messages: `scenario sale.json`
 * @throws Problem `invalid` with all issues: the path of each in the scenario, and the expected value
 */
export function openScenario(
  written: unknown,
  loader: ScenarioLoader,
  subject = 'scenario',
): ReadyScenario {
  const { api } = loader;
  const source = withTableNames(written, api);
  const { faultRules } = api.tables;
  const result = api.scenario.safeParse(source);
  const base = baseOf(source, loader);
  const tables = tablesOf(source, loader);
  const issues = [
    ...(result.success ? [] : issuesOf(api.scenario, result.error, source)),
    ...(base instanceof Problem ? [{ path: ['extends'], message: base.message }] : []),
    ...tables.issues,
    ...misplacedChanges(source, base, api),
    ...issuesOfRules(source, 'script', api.script.input, (rule) =>
      api.script.issues(rule, api.steps),
    ),
    ...issuesOfRules(source, 'faults', faultInput(faultRules), (rule) => faultIssues(rule, api)),
  ];
  if (issues.length > 0) {
    const others =
      base instanceof Problem ? [] : issuesAtStart(source, base, tables.data, issues, api);
    assertNoIssues(subject, [...issues, ...others]);
  }
  if (!result.success || base instanceof Problem) throw new Problem('fault', 'unexpected');
  return merge(base, api, result.data as ParsedScenario, sourceKeys(source), tables.data);
}

/** Returns a scenario whose records are by the names of tables. They may be by the keys of a definition: `returnRequests`. */
function withTableNames(written: unknown, { tables }: ApiDefinition): unknown {
  const data = valueAt(written, ['data']);
  if (!isObject(written) || !isObject(data)) return written;
  const nameOf = (key: string) => (Object.hasOwn(tables, key) ? tables[key]?.name : key) ?? key;
  const named = Object.entries(data).map(([key, records]) => [nameOf(key), records] as const);
  return { ...written, data: Object.fromEntries<unknown>(named) };
}

/** Returns the issues between records, and of orders, that a scenario has in addition to those of its format. */
function issuesAtStart(
  source: unknown,
  base: ReadyScenario | undefined,
  data: ReadonlyMap<string, readonly Values[]>,
  issues: readonly FieldIssue[],
  api: ApiDefinition,
): FieldIssue[] {
  const wrong = new Set(issues.map(({ path: [part = ''] }) => part));
  if (['data', 'changes'].some((part) => wrong.has(part))) return [];
  const own = Object.keys(api.scenarioParts);
  const checked = own.filter((name) => api.scenarioParts[name]?.isChecked === true);
  const parts = ['seed', 'now', 'settings', 'data', ...checked].filter(
    (part) => !wrong.has(part) && valueAt(source, [part]) !== undefined,
  );
  const sound = Object.fromEntries(parts.map((part) => [part, valueAt(source, [part])]));
  const fields = api.scenario.parse({ name: '-', description: '', ...sound }) as ParsedScenario;
  const merged = merge(base, api, fields, sourceKeys(sound), data);
  const others = own.filter((name) => !checked.includes(name));
  const without = Object.fromEntries(others.map((name) => [name, undefined]));
  const start = resultOrProblem(() => startOf({ ...merged, ...without }));
  return start instanceof Problem ? [...start.fields] : [];
}

interface ParsedScenario extends ScenarioFields {
  readonly $schema?: string;
  readonly extends?: string;
}

/** Merges a scenario over the one that it extends, field by field and setting by setting. */
function merge(
  base: ReadyScenario | undefined,
  api: ApiDefinition,
  { $schema: _schema, extends: _base, ...scenario }: ParsedScenario,
  { fields, settings }: SourceKeys,
  data: ReadonlyMap<string, readonly Values[]>,
): ReadyScenario {
  if (base === undefined) return { ...scenario, api, data };
  const merged = { ...base.settings, ...pick(scenario.settings, settings) };
  if (fields.includes('changes'))
    return { ...scenario, api, settings: merged, data, unchanged: base };
  const past = Object.keys(api.scenarioParts).map(
    (name) =>
      [
        name,
        fields.includes(name) ? merged : (base.pastSettings?.[name] ?? base.settings),
      ] as const,
  );
  return {
    ...base,
    ...pick(scenario, fields),
    api,
    settings: merged,
    data: new Map([...base.data, ...data]),
    inherited: new Set(base.data.keys().filter((table) => !data.has(table))),
    pastSettings: Object.fromEntries(past),
  };
}

/** Records of a scenario with changes come from the scenario that it extends. */
function misplacedChanges(
  source: unknown,
  base: ReadyScenario | Problem | undefined,
  { scenarioParts }: ApiDefinition,
): FieldIssue[] {
  const isChanged = valueAt(source, ['changes']) !== undefined;
  if (isChanged && base === undefined)
    return [{ path: ['changes'], message: 'requires the scenario to change: extends' }];
  const isBaseChanged =
    base !== undefined && !(base instanceof Problem) && base.changes !== undefined;
  if (!isChanged && !isBaseChanged) return [];
  return ['data', ...Object.keys(scenarioParts)]
    .filter((name) => valueAt(source, [name]) !== undefined)
    .map((name) => ({ path: [name], message: 'cannot be combined with changes' }));
}

/** The keys in the source itself, without those whose defaults the schema adds. */
interface SourceKeys {
  readonly fields: readonly string[];
  readonly settings: readonly string[];
}

function sourceKeys(source: unknown): SourceKeys {
  return { fields: keysOf(source), settings: keysOf(valueAt(source, ['settings'])) };
}

function pick(values: Values, keys: readonly string[]): Values {
  return Object.fromEntries(Object.entries(values).filter(([key]) => keys.includes(key)));
}

function baseOf(source: unknown, loader: ScenarioLoader): ReadyScenario | Problem | undefined {
  const name = valueAt(source, ['extends']);
  return typeof name === 'string' ? resultOrProblem(() => loader.base(name)) : undefined;
}

/** Loads and parses the records of all tables in a scenario. */
function tablesOf(source: unknown, loader: ScenarioLoader) {
  const data = new Map<string, readonly Values[]>();
  const issues: FieldIssue[] = [];
  const tables = valueAt(source, ['data']);
  for (const table of keysOf(tables)) {
    const schema = recordSchemas(loader.api.tables).get(table);
    const records = valueAt(tables, [table]);
    const isFile = typeof records === 'string';
    const content = isFile ? resultOrProblem(() => loader.records(records)) : records;
    if (schema === undefined) continue;
    if (content instanceof Problem) {
      issues.push({ path: ['data', table], message: content.message });
      continue;
    }
    const result = schema.safeParse(content);
    if (result.success) data.set(table, result.data);
    // The scenario's own schema reports the issues of inline records.
    else if (isFile) {
      issues.push(
        ...nestIssues(['data', table], issuesOf(schema, result.error, content)).map(
          ({ path, message }) => ({
            path,
            message: `${message} (in ${records})`,
          }),
        ),
      );
    }
  }
  return { data, issues };
}

/** Returns the issues of rules that are well formed, even if other parts of the scenario are not. */
function issuesOfRules<Schema extends z.ZodType>(
  source: unknown,
  part: 'script' | 'faults',
  schema: Schema,
  issuesOfRule: (rule: z.output<Schema>) => FieldIssue[],
): FieldIssue[] {
  const rules = valueAt(source, [part]);
  return (Array.isArray(rules) ? rules : []).flatMap((rule, at) => {
    const result = schema.safeParse(rule);
    return result.success ? nestIssues([part, at], issuesOfRule(result.data)) : [];
  });
}

function resultOrProblem<Value>(work: () => Value): Value | Problem {
  try {
    return work();
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
}

function keysOf(source: unknown): string[] {
  return isObject(source) ? Object.keys(source) : [];
}
